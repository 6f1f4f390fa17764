"""What judges that ask models show them of an action."""

from typing import Any

import pytest

from webassay.core.events import Event
from webassay.judges.opinions import arguments_shown

TOLD = "All is done."


@pytest.mark.parametrize(
    "action, arguments, shown",
    [
        ("terminate", {"action": "terminate", "status": "success", "text": TOLD}, {"action": "terminate"}),
        ("terminate", {"code": f"send_msg_to_user('{TOLD}')", "answer": TOLD}, {"action": "terminate"}),
        ("computer_use", {"action": "stop", "message": TOLD, "result": TOLD}, {"action": "terminate"}),
        ("x", {"action": f"finished({TOLD!r})"}, {"action": "terminate"}),
        ("note", {"action": "note", "fact": TOLD, "summary": TOLD, "thought": TOLD}, {"action": "note"}),
        ("type", {"action": "type", "text": "tent", "reasoning": TOLD}, {"action": "type", "text": "tent"}),
    ],
)
def test_without_the_agents_words_only_what_it_did_is_shown(
    action: str, arguments: dict[str, Any], shown: dict[str, Any]
) -> None:
    step = Event(action=action, arguments={**arguments, "thoughts": TOLD})
    assert arguments_shown(step, agent_text=False) == shown
    assert arguments_shown(step, agent_text=True) == arguments
