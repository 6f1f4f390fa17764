"""How the oracle acts and looks: a person's ways of using a page, and the response she gives in the end."""

import json
import re
from datetime import datetime
from typing import TYPE_CHECKING, Any

from webassay.errors import AgentFault

if TYPE_CHECKING:
    from webassay.systems.session import Session

Response = dict[str, Any]


class Hands:
    """A session, with a name of its own for the click that counts."""

    def __init__(self, session: "Session") -> None:
        self.session = session

    def start(self) -> None:
        self.session.start("Open the start page")

    def go(self, site: str, path: str, thought: str) -> None:
        """To another of the task's sites, as one does by its name."""
        self.session.visit(self.session.url(site, path), thought)

    def click(self, selector: str, thought: str) -> None:
        self.session.click(selector, thought)

    def submit(self, selector: str, thought: str) -> None:
        """The action that does what the task asks for, after which there is nothing left but to see that it worked."""
        self.session.click(selector, thought)

    def type(self, selector: str, text: object, thought: str, enter: bool = False) -> None:
        self.session.type(selector, str(text), thought, enter=enter)

    def select(self, selector: str, value: str, thought: str) -> None:
        self.session.select(selector, value, thought)

    def text(self, selector: str) -> str:
        return self.session.text(selector)

    def texts(self, selector: str) -> list[str]:
        return [text.strip() for text in self.session.page.locator(selector).all_inner_texts()]

    def sees(self, selector: str) -> bool:
        return self.session.page.locator(selector).count() > 0

    @property
    def address(self) -> str:
        return self.session.page.url


def quoted(text: object) -> str:
    """As a string within a selector."""
    return json.dumps(str(text), ensure_ascii=False)


def found(*results: Any) -> Response:
    return _response("retrieve", "SUCCESS", list(results))


def arrived() -> Response:
    return _response("navigate", "SUCCESS")


def cannot(action: str, status: str, why: str) -> Response:
    return _response(action, status, error=why)


def confirmed(hands: Hands, message: str, selector: str = "#messages") -> Response:
    """Success only if the page says so."""
    shown = " ".join(hands.texts(selector))
    if message in shown:
        return _response("mutate", "SUCCESS")
    return cannot("mutate", "UNKNOWN_ERROR", f"the page says {shown[:300]!r}")


def _response(action: str, status: str, results: list[Any] | None = None, error: str | None = None) -> Response:
    return {"action": action, "status": status, "results": results, "error_details": error}


def amount(text: str) -> float:
    """`£1,234.50` as a number."""
    match = re.search(r"\d[\d,]*(\.\d+)?", text)
    if not match:
        raise AgentFault(f"no amount of money in {text!r}")
    return float(match[0].replace(",", ""))


def day(text: str) -> datetime:
    """The first date in a text: `6 May 2025`, `10 Dec 2024, 9:20 p.m.`"""
    match = re.search(r"(\d{1,2}) ([A-Z][a-z]{2})[a-z]*\.? (\d{4})", text)
    if not match:
        raise AgentFault(f"no date in {text!r}")
    return datetime.strptime(" ".join(match.groups()), "%d %b %Y")
