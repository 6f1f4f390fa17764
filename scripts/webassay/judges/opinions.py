"""From a model's reply to an opinion, from opinions to a verdict: what judges that ask models have in common."""

from collections.abc import Sequence
from typing import Any

from webassay.core.events import TERMINATE, Event
from webassay.core.trajectory import Trajectory
from webassay.core.verdict import Assertion, Verdict
from webassay.errors import ConfigError
from webassay.judges.framing import Frame
from webassay.judges.marked import MARK, Abstained, category_of, marked_object
from webassay.judges.replies import PARSERS, parse, passed
from webassay.judges.shown import Screenshots
from webassay.judges.voting import Opinion, as_assertions, decide
from webassay.llm.asking import Hearing
from webassay.llm.client import Reply

MARKED = "marked"
STRICT = "strict"
CUT = ("length", "content_filter")
"""Of a reply that stopped there nobody knows how it would have ended."""
SHOWN = 300
WITHHELD = "(what was said is not shown here; judge by what was done and seen)"
"""In place of the agent's own words, where a judge is to do without them."""
SPOKEN = {
    *("reasoning", "thought", "thinking", "explanation", "evaluation_previous_goal", "next_goal", "state_description"),
    *("answer", "final_answer", "fact", "memory", "message", "result", "summary"),
}
"""Arguments of actions that are words of the agent's own about what it saw or did."""
LONGEST_REASON = 300
"""Of a model that is held to a form, since a small one fills whatever room it has."""


def check_parser(parser: str, readable: Sequence[str]) -> None:
    """`readable` are those of judges/replies.py that know the words this judge asks for."""
    if parser not in (MARKED, *readable):
        known = ", ".join((MARKED, *readable))
        why = "reads other words than this judge asks for" if parser in PARSERS else "unknown"
        raise ConfigError(f"judge.parser={parser}: {why}; this judge takes {known}")


def verdict_form(frame: Frame, shown: Screenshots) -> dict[str, Any]:
    """The marked answer as a JSON schema; whoever is held to it cannot get the mark wrong, so that it says nothing."""
    fields: dict[str, Any] = {
        MARK: {"const": frame.mark},
        "reason": {"type": "string", "maxLength": LONGEST_REASON},
        "evidence": {"type": "array", "items": {"enum": list(shown.numbers)}, "maxItems": len(shown.numbers)},
        "verdict": {"enum": ["success", "failure"]},
    }
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def arguments_shown(step: Event, *, agent_text: bool) -> dict[str, Any]:
    """Of an action, without the thoughts behind it; and without what else the agent says, where that is withheld."""
    if not agent_text and step.tool == TERMINATE:
        return {"action": TERMINATE}  # all else of it is said, not done
    hidden = {"thoughts"} if agent_text else {"thoughts", *SPOKEN}
    return {key: value for key, value in step.arguments.items() if key not in hidden}


def opinion_of(reply: Reply, parser: str, frame: Frame, shown: Screenshots) -> Opinion:
    """What cannot be read as a verdict abstains; it is never the agent's failure."""
    try:
        if parser == MARKED:
            return _marked(reply, frame, shown)
        return _legacy(reply, parser)
    except Abstained as abstained:
        return Opinion(None, str(abstained), reply.text)


def _marked(reply: Reply, frame: Frame, shown: Screenshots) -> Opinion:
    """A success must name screenshots that show it, and nobody may name one that was not shown."""
    said = marked_object(reply.text, frame.mark, reply.finish_reason)
    verdict, cited = said.get("verdict"), said.get("evidence")
    if verdict not in ("success", "failure"):
        raise Abstained("parse_failure", f"verdict {verdict!r} is neither success nor failure")
    if not isinstance(cited, list) or not all(type(number) is int for number in cited):
        raise Abstained("parse_failure", f"evidence {cited!r} is no list of screenshots")
    if unknown := set(cited) - set(shown.numbers):
        raise Abstained("parse_failure", f"evidence names screenshot {min(unknown)}, which was not shown")
    if verdict == "success" and not cited:
        raise Abstained("parse_failure", "a success without evidence")
    return Opinion(verdict == "success", str(said.get("reason") or ""), reply.text)


def _legacy(reply: Reply, parser: str) -> Opinion:
    """As published: a parser that makes 0 of everything it does not know makes 0 of a refusal too; ours does not."""
    if parser == STRICT and reply.finish_reason in CUT:
        raise Abstained(category_of(reply.text, reply.finish_reason), "the reply was not finished")
    verdict = passed(parse(reply.text, parser))
    if verdict is None:
        raise Abstained(category_of(reply.text, reply.finish_reason), f"{parser} finds no verdict")
    return Opinion(verdict, reply.text[-SHOWN:], reply.text)


def verdict_of_opinions(
    drawn: Sequence[Opinion], agreement: float, shown: Screenshots, hearing: Hearing, records: Sequence[Assertion] = ()
) -> Verdict:
    """`records` are what else is to be kept beside the verdict."""
    final = decide(drawn, agreement)
    told: dict[str, Any] = {
        "assertions": (*records, *as_assertions(drawn, shown.told())),
        "payload": final.text,
        "replies": tuple(hearing.keys),
        "usage": hearing.usage,
    }
    if final.success is None:
        return Verdict(None, "error", final.reason, attribution="harness", **told)
    if final.success:
        return Verdict(1.0, "success", **told)
    return Verdict(0.0, "failure", final.reason or "the model says failure", attribution="agent", **told)


def nothing_to_see(trajectory: Trajectory) -> Verdict:
    """Without a screenshot a model could only believe the agent."""
    reason = (
        f"none of {len(trajectory.screenshots)} screenshots can be read" if trajectory.screenshots else "no screenshot"
    )
    return Verdict(None, "error", f"{reason}: there is nothing to judge by", attribution="harness")


def user_message(*parts: str | list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One message; texts and labelled pictures in their order."""
    content: list[dict[str, Any]] = []
    for part in parts:
        content += [{"type": "text", "text": part}] if isinstance(part, str) else part
    return [{"role": "user", "content": content}]
