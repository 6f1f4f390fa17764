"""The Operator baseline: OpenAI's computer-use tool, by the Responses API; a screenshot goes back for each call.

A browser window has no address bar, so two functions go beside the tool: `goto` and `back`, as in OpenAI's own sample.
Safety checks that the model raises are acknowledged, since nobody is there to ask, and stand in the log with the step.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from webassay.core.response import ParseFailure, parse_response
from webassay.core.task import Task
from webassay.errors import AgentFault
from webassay.llm.client import Turn
from webassay.systems.acting import Acting, BadReply
from webassay.systems.computer_use.actions import Hand
from webassay.systems.computer_use.items import computer_output, function_output, said, screen, user
from webassay.systems.computer_use.tools import FUNCTIONS, TOOLS, computer

if TYPE_CHECKING:
    from webassay.systems.session import Session

VERSION = 1
"""Of the whole package."""

COMPONENT = "ComputerUse"


@dataclass(frozen=True)
class ComputerUse:
    prompt: str
    answer_prompt: str
    """Asks for the structured response when the model calls no tool any more."""
    tool: str = "computer_use_preview"
    """Or `computer`, as newer models know it: they may give several actions in one call."""
    structured: bool = True
    """False: the model's last words are the answer."""
    bad_replies: int = 5
    """How many calls that cannot be read, or responses without the form, are forgiven."""
    settle_seconds: float = 3.0

    def __post_init__(self) -> None:
        if self.tool not in TOOLS:
            raise ValueError(f"tool {self.tool!r} is unknown; known are {', '.join(TOOLS)}")

    def solve(self, task: Task, session: "Session") -> str:
        acting = Acting(session, self.settle_seconds)
        acting.start()
        talk = _Talk(self, session, [user(task.intent, screen(session))])
        self._operate(talk, Hand(acting))
        return self._response(talk) if self.structured else talk.words

    def _operate(self, talk: "_Talk", hand: Hand) -> None:
        bad = 0
        while calls := talk.turn().calls:
            for call in calls:
                try:
                    trouble = self._carry_out(call, talk, hand)
                except BadReply as problem:
                    trouble, bad = f"not carried out: {problem}", bad + 1
                    if bad > self.bad_replies:
                        raise AgentFault(f"{bad} calls that cannot be read; the last: {problem}") from None
                talk.items.append(self._output(call, talk.session, trouble))
                if trouble and call.get("type") == "computer_call":
                    talk.items.append(user(f"Your last action failed: {trouble}"))

    def _carry_out(self, call: dict[str, Any], talk: "_Talk", hand: Hand) -> str:
        """What went wrong, in a line."""
        if call.get("type") == "function_call":
            return hand.function(call, talk.words)
        checks = call.get("pending_safety_checks") or []
        for check in checks:
            talk.session.log.warning("acknowledged a safety check: %s: %s", check.get("code"), check.get("message"))
        return hand.computer(call, talk.words, [str(check.get("code")) for check in checks])

    def _output(self, call: dict[str, Any], session: "Session", trouble: str) -> dict[str, Any]:
        if call.get("type") == "computer_call":
            return computer_output(call, screen(session))
        return function_output(call, trouble or "done")

    def _response(self, talk: "_Talk") -> str:
        """The last reply stands if none has the form: judges say what is wrong with it."""
        problem = ""
        for _ in range(self.bad_replies + 1):
            talk.items.append(user("\n".join(filter(None, [problem, self.answer_prompt]))))
            talk.turn(tools=False)
            if not isinstance(found := parse_response(talk.words), ParseFailure):
                break
            problem = f"Your last reply does not have the form: {found.reason}"
        return talk.words


@dataclass
class _Talk:
    """All that was said, which goes along with each question: no endpoint has to remember it."""

    system: ComputerUse
    session: "Session"
    items: list[dict[str, Any]]
    words: str = field(default="", init=False)
    """What the model said last, beside its calls."""

    def turn(self, tools: bool = True) -> Turn:
        viewport = self.session.settings["viewport"]
        offered = [computer(self.system.tool, viewport["width"], viewport["height"]), *FUNCTIONS]
        turn = self.session.respond(
            COMPONENT,
            self.items,
            instructions=self.system.prompt,
            truncation="auto",
            include=["reasoning.encrypted_content"],
            tools=offered,
            tool_choice="auto" if tools else "none",
        )
        self.items += turn.items
        self.words = said(turn)
        return turn
