"""The judge `webarena`: the original harness, over what was kept of a run instead of a live page.

string_match, url_match and program_html by the rules of web-arena-x/webarena, weaknesses included: an answer that
contains the reference passes, whatever else it says, and nobody asks whether a page was visited. All types that a task
names must hold. What only a function of the harness could look up leaves a task ungraded (10 addresses and 22 locators
of its 812 tasks). Answers in structured form are read as the text that they stand for (judges/webarena/answer.py).
"""

import html
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from webassay.core.files import UNREADABLE
from webassay.core.last_post import UNKNOWN
from webassay.core.task import Task
from webassay.core.trajectory import Trajectory
from webassay.core.verdict import Assertion, Verdict, verdict_of
from webassay.errors import ConfigError, JudgeError, TrajectoryError
from webassay.evidence.site import Site, sites_of
from webassay.judges.address import render
from webassay.judges.marked import Abstained
from webassay.judges.webarena.answer import plain_answer
from webassay.judges.webarena.checks import NOT_ACHIEVABLE, Checks, PageCheck, checks_of
from webassay.judges.webarena.fuzzy import NO_MODEL, Similarity
from webassay.judges.webarena.strings import clean, includes, includes_any, is_equal
from webassay.judges.webarena.urls import is_at
from webassay.llm.asking import Asker, Hearing

VERSION = 1
SHOWN = 300


class PageText(msgspec.Struct, frozen=True):
    url: str
    locator: str = ""
    prep_actions: tuple[str, ...] = ()
    content: str | None = None
    """None: it could not be read; a locator that found nothing has the empty text, as in the harness."""
    error: str = ""


class Pages(msgspec.Struct, frozen=True):
    """`pages.json`: where the agent stopped, and what pages said then."""

    final_url: str
    pages: tuple[PageText, ...] = ()

    def find(self, check: PageCheck) -> PageText | None:
        wanted = (check.url, check.locator, check.prep_actions)
        return next((page for page in self.pages if (page.url, page.locator, page.prep_actions) == wanted), None)


class WebArena:
    """The judge of a run."""

    def __init__(
        self, fuzzy: str = "none", model: Mapping[str, Any] | None = None, llm: Mapping[str, Any] | None = None
    ) -> None:
        if fuzzy not in ("none", "model"):
            raise ConfigError(f"fuzzy={fuzzy!r} is not known to the judge webarena; known: none, model")
        self._asker = Asker(model or {"name": "none"}, llm or {"mode": "live"}) if fuzzy == "model" else None

    def judge(self, task: Task, trajectory: Trajectory) -> Verdict:
        if self._asker is None:
            return self._judge(task, trajectory, None)
        hearing = Hearing(self._asker, f"task {task.task_id}")
        try:
            verdict = self._judge(task, trajectory, Similarity(hearing))
        except Abstained as abstained:
            verdict = Verdict(None, "error", str(abstained), attribution="harness")
        return msgspec.structs.replace(verdict, replies=tuple(hearing.keys), usage=hearing.usage)

    def _judge(self, task: Task, trajectory: Trajectory, similarity: Similarity | None) -> Verdict:
        checks = checks_of(task)
        sites = sites_of(trajectory.environments)
        pages = None if checks.eval_types == ("string_match",) else _read_pages(trajectory.folder / "pages.json")
        answer = clean(plain_answer(trajectory.answer.final_answer))
        return self.verdict(task, _at_sites(checks, sites), checks, answer, pages, similarity)

    def verdict(
        self,
        task: Task,
        checks: Checks,
        written: Checks,
        answer: str,
        pages: Pages | None,
        similarity: Similarity | None = None,
    ) -> Verdict:
        """`written` has the addresses as the task spells them, which is how pages are filed."""
        assertions: list[Assertion] = []
        for kind in checks.eval_types:
            if kind == "string_match":
                assertions += self._strings(task, checks, answer, similarity)
            elif kind == "url_match" and pages:
                assertions.append(_url(checks, pages))
            elif kind == "program_html" and pages:
                assertions += _contents(checks, written, pages)
        verdict = verdict_of(tuple(assertions))
        undecided = next((one for one in assertions if one.fault == "harness"), None)
        if undecided and all(one.passed or one.fault == "harness" for one in assertions):
            return Verdict(None, "error", undecided.reason, tuple(assertions), "harness")
        return verdict

    def _strings(self, task: Task, checks: Checks, answer: str, similarity: Similarity | None) -> Iterator[Assertion]:
        references = checks.reference_answers
        assert references is not None
        if references.exact_match is not None:
            yield _text("string.exact_match", references.exact_match, answer, is_equal(references.exact_match, answer))
        for wanted in references.must_include or ():
            held = includes(answer, wanted, alone=len(references.must_include or ()) == 1)
            yield _text("string.must_include", wanted, answer, held)
        if references.fuzzy_match == NOT_ACHIEVABLE:
            yield self._not_achievable(task, checks, answer, similarity)
        else:
            for wanted in references.fuzzy_match or ():
                yield self._similar(task, wanted, answer, similarity)

    def _not_achievable(self, task: Task, checks: Checks, answer: str, similarity: Similarity | None) -> Assertion:
        """The two letters pass; another text only where a model finds the reason in it."""
        name = "string.fuzzy_match"
        if is_equal(NOT_ACHIEVABLE, answer):
            return Assertion(name, True, NOT_ACHIEVABLE, answer)
        if similarity is None:
            return Assertion(name, False, NOT_ACHIEVABLE, answer[:SHOWN], reason=f"not {NOT_ACHIEVABLE!r}; {NO_MODEL}")
        held = similarity.same_reason(task.intent, checks.string_note or "", answer)
        return _text(name, checks.string_note or NOT_ACHIEVABLE, answer, held)

    def _similar(self, task: Task, wanted: str, answer: str, similarity: Similarity | None) -> Assertion:
        name = "string.fuzzy_match"
        if not answer:
            return _text(name, wanted, answer, not wanted)
        if similarity is None:
            return Assertion(name, False, wanted, answer[:SHOWN], reason=NO_MODEL)
        return _text(name, wanted, answer, similarity.same_answer(task.intent, wanted, answer))


def _url(checks: Checks, pages: Pages) -> Assertion:
    reference = checks.reference_url or ""
    held = is_at(pages.final_url, reference, checks.url_note)
    reason = "" if held else f"stopped at {pages.final_url[:SHOWN]}, expected {reference} ({checks.url_note})"
    return Assertion("url.match", held, reference, pages.final_url, evidence="pages.json#final_url", reason=reason)


def _contents(checks: Checks, written: Checks, pages: Pages) -> Iterator[Assertion]:
    for number, (check, filed) in enumerate(zip(checks.program_html or (), written.program_html or (), strict=True)):
        page = pages.find(filed)
        if check.needs_function or (page is not None and page.error == UNKNOWN):  # or was not known to the runner yet
            call = check.url if check.url.startswith("func") else check.locator
            reason = f"needs a function of the original harness: {call}"
            yield Assertion(f"page.{number}", False, reason=reason, fault="harness")
        elif page is None:
            reason = f"pages.json has no {filed.url} {filed.locator}".rstrip()
            yield Assertion(f"page.{number}", False, reason=reason, fault="harness")
        else:
            yield from _content(number, check, page)


def _content(number: int, check: PageCheck, page: PageText) -> Iterator[Assertion]:
    required, name, evidence = check.required_contents, f"page.{number}", f"pages.json#pages[{number}]"
    if page.content is None:
        yield Assertion(name, False, msgspec.to_builtins(required), evidence=evidence, reason=page.error or "not read")
        return
    text = html.unescape(page.content)
    where = f"{check.url} {check.locator}".rstrip()
    if required.exact_match is not None:
        held = is_equal(required.exact_match, text)
        yield _text(f"{name}.exact_match", required.exact_match, text, held, where)
    for wanted in required.must_include or ():
        yield _text(f"{name}.must_include", wanted, text, includes_any(text, wanted), where)


def _text(name: str, wanted: str, given: str, held: bool, where: str = "the answer") -> Assertion:
    rule = "is not" if name.endswith("exact_match") else "does not have"
    reason = "" if held else f"{where} {rule} {wanted!r}: {given[:80]!r}"
    return Assertion(name, held, wanted, given[:SHOWN], reason=reason)


def _at_sites(checks: Checks, sites: Mapping[str, Site]) -> Checks:
    """As the original's own set-up does: addresses of the sites in place of their names, in every text."""
    return msgspec.convert(_filled(msgspec.to_builtins(checks), sites), Checks)


def _filled(value: Any, sites: Mapping[str, Site]) -> Any:
    if isinstance(value, dict):
        return {key: part if key == "record" else _filled(part, sites) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_filled(part, sites) for part in value]
    return next(render(value, sites)) if isinstance(value, str) and "__" in value else value


def _read_pages(path: Path) -> Pages:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Pages)
    except FileNotFoundError:
        raise JudgeError(f"{path} is missing: the run kept no pages, so this task must be run again") from None
    except UNREADABLE as error:
        raise TrajectoryError(f"{path}: {error}") from None
