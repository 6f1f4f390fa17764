"""What the model is offered."""

from typing import Any

TOOLS = ("computer_use_preview", "computer")


def computer(name: str, width: int, height: int) -> dict[str, Any]:
    """The newer tool measures the screenshots by itself."""
    if name == "computer":
        return {"type": name}
    return {"type": name, "display_width": width, "display_height": height, "environment": "browser"}


def _function(name: str, description: str, **properties: dict[str, str]) -> dict[str, Any]:
    taken = {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
    return {"type": "function", "name": name, "description": description, "parameters": taken, "strict": True}


FUNCTIONS = (
    _function("goto", "Open an address.", url={"type": "string", "description": "The whole address."}),
    _function("back", "Go to the page before."),
)
