"""Baselines that browse for real and understand nothing: activity without skill must score 0 (the paper's Table 16).

Each ends with the guess that its configuration gives. They may change a site by what they click and send: that is a
side effect for the judge to catch.
"""

import random
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urldefrag

from webassay.core.task import Task
from webassay.systems.forms import FORMS, fill_form
from webassay.systems.naive import structured
from webassay.systems.walk import Walk

if TYPE_CHECKING:
    from webassay.systems.session import Session

VERSION = 1
"""Of walk.py and forms.py too."""

LINKS = "a[href]:visible"
NAVIGATION = ":is(nav, header, aside) a[href]:visible"
CLICKABLE = ":is(a[href], button:enabled, input[type=submit]:enabled):visible"
SCROLL_PIXELS = 500


@dataclass(frozen=True)
class Browsing(ABC):
    """The frame of them all: the start page, as many actions as are given, the guess."""

    seed: int = 0
    steps: int = 10
    action: str = "retrieve"
    status: str = "SUCCESS"
    answer: str = ""

    def solve(self, task: Task, session: "Session") -> str:
        walk = Walk(session, random.Random(f"{self.seed}/{task.task_id}"), self.steps)
        walk.start()
        self.browse(walk)
        return structured(self.action, self.status, self.answer)

    @abstractmethod
    def browse(self, walk: Walk) -> None:
        """From the start page on, until no step is left or nothing remains to be done."""


class RandomClicker(Browsing):
    """Clicks a link or a button by lot, on whatever page that leads to."""

    def browse(self, walk: Walk) -> None:
        while walk.left:
            walk.click_any(CLICKABLE)


class FixedNavigation(Browsing):
    """Opens the start page's links in turn, those of its navigation first, going back after each; no dice."""

    def browse(self, walk: Walk) -> None:
        home = urldefrag(walk.session.page.url).url
        opened = {home}
        for selector, target in [*walk.targets(NAVIGATION), *walk.targets(LINKS)]:
            url = urldefrag(target).url
            if url not in opened and walk.click(selector):
                walk.act(walk.session.back)
                if urldefrag(walk.session.page.url).url != home:
                    walk.start()
            opened.add(url)


class FormFiller(Browsing):
    """Fills a form of the page by lot and sends it, then follows a link by lot, and so on."""

    def browse(self, walk: Walk) -> None:
        while walk.left:
            if forms := walk.targets(FORMS):
                fill_form(walk, walk.rng.choice(forms)[0])
            walk.click_any(LINKS)


class LinkFollower(Browsing):
    """Visits the first links that it has not seen yet, breadth first; no dice."""

    def browse(self, walk: Walk) -> None:
        seen = {urldefrag(walk.session.page.url).url}
        waiting = deque(new_pages(walk, seen))
        while walk.left and waiting:
            if walk.act(partial(walk.session.visit, waiting.popleft())):
                waiting += new_pages(walk, seen)


class ScreenshotTaker(Browsing):
    """Looks down the start page and up again, no dice; every action leaves a picture."""

    def browse(self, walk: Walk) -> None:
        half = walk.left // 2
        while walk.left:
            walk.act(partial(walk.session.scroll, SCROLL_PIXELS if walk.left <= half else -SCROLL_PIXELS))


def new_pages(walk: Walk, seen: set[str]) -> Iterator[str]:
    """Addresses on this page that are not noted yet; notes them."""
    for _, target in walk.targets(LINKS):
        url = urldefrag(target).url
        if url not in seen:
            seen.add(url)
            yield url
