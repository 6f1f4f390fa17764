def verify(server_url: str) -> tuple[bool, str]:
    """Throws."""
    raise KeyError("items")
