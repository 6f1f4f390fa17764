"""Items of the Responses API, as they are sent."""

import base64
from typing import TYPE_CHECKING, Any

from webassay.llm.client import Turn

if TYPE_CHECKING:
    from webassay.systems.session import Session


def screen(session: "Session") -> str:
    """What the model sees is what is kept as evidence, in the page's own pixels."""
    content = (session.folder / session.screenshots[-1]).read_bytes()
    return f"data:image/png;base64,{base64.b64encode(content).decode()}"


def user(text: str, picture: str = "") -> dict[str, Any]:
    parts = [{"type": "input_text", "text": text}]
    return {"role": "user", "content": [*parts, *([{"type": "input_image", "image_url": picture}] if picture else [])]}


def computer_output(call: dict[str, Any], picture: str) -> dict[str, Any]:
    output = {"type": "computer_screenshot", "image_url": picture}
    checks = call.get("pending_safety_checks") or []
    return {
        "type": "computer_call_output",
        "call_id": call.get("call_id"),
        "output": output,
        "acknowledged_safety_checks": checks,
    }


def function_output(call: dict[str, Any], text: str) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": call.get("call_id"), "output": text}


def said(turn: Turn) -> str:
    """Its message, or where there is none the summary of its reasoning."""
    summaries = [
        part["text"]
        for item in turn.items
        for part in (item.get("summary") or () if item.get("type") == "reasoning" else ())
        if isinstance(part, dict) and isinstance(part.get("text"), str)
    ]
    return turn.reply.text.strip() or "\n".join(summaries).strip()
