"""One run of a baseline that browses without understanding: what it may still do, its dice, and how it survives."""

import random
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from playwright.sync_api import Error, TimeoutError

from webassay.systems.browser import may_visit

if TYPE_CHECKING:
    from webassay.systems.session import Session

TARGETS = """elements => elements.map(one => {
  const given = ['href', 'formaction', 'action'].map(name => one.getAttribute(name)).find(Boolean)
  try { return new URL(given || one.form?.getAttribute('action') || '', document.baseURI).href } catch { return '' }
})"""
"""Where a link, a button or a form leads; a button without an address leads to where its form does."""


class Walk:
    def __init__(self, session: "Session", rng: random.Random, steps: int) -> None:
        self.session, self.rng = session, rng
        self.left = min(steps, session.settings["max_rounds"])

    def act(self, do: Callable[[], None]) -> bool:
        """Whether there was a step left and it could be done."""
        if not self.left:
            return False
        self.left -= 1
        return self.attempt(do)

    def attempt(self, do: Callable[[], object]) -> bool:
        """Whether it could be done: an element that is gone, covered or dead is no reason to stop."""
        try:
            do()
        except Error as error:
            if isinstance(error, TimeoutError) and not self.session.sites.answers(self.session.task.sites):
                raise  # not the element is at fault but the site
            self.session.log.info("could not: %s", str(error).split("\n")[0])
            return False
        return True

    def targets(self, selector: str) -> list[tuple[str, str]]:
        """Of the elements that lead to the task's own sites: a selector for each, and the address.

        Never out of the session: a walk that logs itself out would fail for that alone, and show nothing.
        """
        found: list[str] = []
        self.attempt(lambda: found.extend(self.session.page.locator(selector).evaluate_all(TARGETS)))
        numbered = ((f"{selector} >> nth={number}", target) for number, target in enumerate(found))
        return [(one, url) for one, url in numbered if may_visit(url, self.session.origins) and "logout" not in url]

    def start(self) -> bool:
        return self.act(self.session.start)

    def click(self, selector: str) -> bool:
        return self.act(partial(self.session.click, selector))

    def click_any(self, selector: str) -> None:
        """One of them by lot; from a page without any, back to the start page."""
        if found := self.targets(selector):
            self.click(self.rng.choice(found)[0])
        else:
            self.start()
