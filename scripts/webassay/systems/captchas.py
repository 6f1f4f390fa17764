"""Riddles that a hosted browser solves by itself: waited for, with an end, and counted.

BrowserBase tells of them in the page's console. A page may say the same words, and then costs its agent that time.
"""

import logging
import time

from playwright.sync_api import BrowserContext, ConsoleMessage, Page

STARTED, FINISHED = "browserbase-solving-started", "browserbase-solving-finished"
LOOK_SECONDS = 0.2


class Captchas:
    def __init__(self, context: BrowserContext, most_seconds: float, log: logging.Logger) -> None:
        self._most, self._log = most_seconds, log
        self._solving = False
        self.counts = {"solved": 0, "unsolved": 0}
        if most_seconds:
            context.on("console", self._hear)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.text == STARTED:
            self._solving = True
        elif message.text == FINISHED and self._solving:
            self._solving = False
            self.counts["solved"] += 1

    def wait(self, page: Page) -> None:
        until = time.monotonic() + self._most
        while self._solving and time.monotonic() < until:
            page.wait_for_timeout(LOOK_SECONDS * 1000)
        if self._solving:
            self._solving = False
            self.counts["unsolved"] += 1
            self._log.warning("a captcha was not solved within %g s; the agent goes on before it", self._most)
