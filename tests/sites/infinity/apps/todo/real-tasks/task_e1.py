import requests


def verify(server_url: str) -> tuple[bool, str]:
    state = requests.get(f"{server_url}/api/state", timeout=5).json()
    tea = next(item for item in state["items"] if item["id"] == 1)
    return (True, "The tea is ticked off.") if tea["done"] else (False, "The tea is still to be bought.")
