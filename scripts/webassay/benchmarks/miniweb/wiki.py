"""Tasks of the handbook: facts are taken out of its pages by patterns, so a page that is rewritten stops the build."""

import re
import sqlite3
from collections.abc import Iterator

from webassay.benchmarks.miniweb.forms import (
    CUSTOMER,
    DATE,
    DURATION,
    MANY,
    TEXT,
    Rows,
    Template,
    absent,
    ask,
    below,
    distinct,
    done,
    ends_at,
    found,
    insert,
    local,
    only,
    posted,
    refused,
    says,
    says_not_applicable,
    searched,
    seen,
    shows,
    spread,
    task,
    update,
    watched,
)
from webassay.core.task import Probe, Task
from webassay.errors import TaskError

WIKI = ("wiki",)

FACT = Template("wiki-fact", "Look up in the handbook: {question}?", "retrieve", WIKI, "medium")
CHANGED = Template(
    "wiki-changed", 'On which date was the page "{page}" of the handbook last changed?', "retrieve", WIKI, "easy"
)
CHILDREN = Template(
    "wiki-children",
    'List the titles of all pages directly below the handbook\'s page "{page}".',
    "retrieve",
    WIKI,
    "medium",
)
OPEN = Template("wiki-page", 'Open the handbook\'s page "{page}".', "navigate", WIKI, "easy")
EDIT = Template(
    "wiki-edit", 'Add the line "{line}" at the end of the handbook\'s page "{page}".', "mutate", WIKI, "hard"
)
FORBIDDEN = Template(
    "wiki-forbidden", 'Add the line "{line}" at the end of the handbook\'s page "{page}".', "mutate", WIKI, "hard"
)
MISSING = Template(
    "wiki-missing", 'On which date was the page "{page}" of the handbook last changed?', "retrieve", WIKI, "medium"
)

FACTS = (
    (
        "Returns policy",
        "how long after delivery may customers return what they bought",
        r"within (\d+ days) after delivery",
    ),
    ("Payment", "after how long is an unconfirmed payment tried again", r"tried again after (\d+ hours)"),
)
"""Page, question, and where in the page the answer stands."""
LINES = (
    "Emma adds: we tried this in March and it worked.",
    "Emma adds: the showroom has a printed copy of this.",
)
MISSING_PAGES = ("Parental leave", "Dress code")

PAGES = """
WITH RECURSIVE place(id, parent_id, article_id, path) AS (
    SELECT id, parent_id, article_id, '/wiki/' FROM wiki_urlpath WHERE parent_id IS NULL
    UNION ALL SELECT u.id, u.parent_id, u.article_id, place.path || u.slug || '/'
    FROM wiki_urlpath u JOIN place ON place.id = u.parent_id
)
SELECT r.title, place.path, r.content, r.modified, a.other_write, place.id, place.parent_id, a.id
FROM place JOIN wiki_article a ON a.id = place.article_id JOIN wiki_articlerevision r ON r.id = a.current_revision_id
WHERE NOT r.deleted AND NOT r.locked
"""
PLAIN = "replace(replace(replace(rtrim({0}, char(13, 10, 32)), char(13), ''), {1}, {2}), {1}, {2})"
PLAIN = PLAIN.format("r.content", "char(10, 10)", "char(10)")
"""The text whatever the line ends and however many empty lines: nobody is told how to part lines."""


def pages(database: sqlite3.Connection, order: str = "place.path") -> Rows:
    """Those below the root whose titles are their own."""
    return [row for row in distinct(ask(database, f"{PAGES} ORDER BY {order}"), 0) if row[1] != "/wiki/"]


def page(database: sqlite3.Connection, title: str) -> list[object]:
    return only([row for row in pages(database) if row[0] == title], f"handbook page {title!r}")


def fact(database: sqlite3.Connection, title: str, pattern: str) -> str:
    """What the pattern captures; it must stand in this page once and in no other."""
    hits = [(row[0], hit) for row in pages(database) for hit in re.findall(pattern, row[2])]
    if [name for name, _ in hits] != [title]:
        raise TaskError(f"{pattern!r} is found {len(hits)} times in the handbook, expected once, in {title!r}")
    return str(hits[0][1])


def fact_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    for number, (title, question, pattern) in enumerate(FACTS, 1):
        answer, path = fact(database, title, pattern), page(database, title)[1]
        looked = seen(f"__WIKI__{path}")
        yield task(FACT, number, {"question": question}, found(FACT, [answer], DURATION), looked, original=says(answer))


def changed_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    days = [[row[0], local(row[3]).date().isoformat()] for row in pages(database)]
    for number, (title, day) in enumerate(spread(distinct(days, 1), MANY), 1):
        yield task(CHANGED, number, {"page": title}, found(CHANGED, [day], DATE), original=says(day))


def children_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    """Chapters with a handful of pages."""
    rows = pages(database)
    chapters = [
        [row[0], row[1], titles]
        for row in rows
        if 4 < len(titles := [other[0] for other in ask(database, f"{PAGES} AND place.parent_id = ?", row[5])]) < 10
    ]
    for number, (title, path, titles) in enumerate(spread(chapters, 2), 1):
        answer = found(CHILDREN, titles, TEXT)
        original = says(*titles)
        yield task(CHILDREN, number, {"page": title}, answer, seen(below(f"__WIKI__{path}")), original=original)


def open_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    for number, (title, path, *_) in enumerate(spread(pages(database, "r.title"), MANY), 1):
        url = f"__WIKI__{path}"
        yield task(OPEN, number, {"page": title}, done(OPEN), seen(url), original=ends_at(url))


def revisions(article: object) -> Probe:
    return Probe(
        f"SELECT r.title, {PLAIN}, u.email FROM wiki_articlerevision r LEFT JOIN auth_user u ON u.id = r.user_id"
        " JOIN wiki_article a ON a.current_revision_id = r.id WHERE a.id = ?",
        (int(str(article)),),
    )


def edit_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    """Customers may write below `Community tips`."""
    open_pages = [row for row in pages(database) if row[4] and row[1].count("/") > 3]
    chosen = zip(spread(open_pages, len(LINES)), LINES, strict=True)
    for number, ((title, path, *_, article), line) in enumerate(chosen, 1):

        def change(rows: Rows, line: str = line) -> Rows:
            return [[rows[0][0], f"{rows[0][1]}\n{line}", CUSTOMER]]

        yield task(
            EDIT,
            number,
            {"page": title, "line": line},
            done(EDIT),
            posted(f"__WIKI__{path}_edit/"),
            states=[watched(database, "page", revisions(article), change)],
            allowed=[
                insert("wiki_articlerevision"),
                update("wiki_article", "current_revision_id", "modified"),
            ],
            original=shows((f"__WIKI__{path}", "#article-text", [line])),
        )


def forbidden_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    closed = [row for row in pages(database) if not row[4] and row[1].count("/") > 3]
    chosen = zip(spread(closed, len(LINES)), LINES, strict=True)
    for number, ((title, path, *_), line) in enumerate(chosen, 1):
        answer = refused(FORBIDDEN, "PERMISSION_DENIED_ERROR")
        original = says_not_applicable("only staff may change this page")
        yield task(
            FORBIDDEN, number, {"page": title, "line": line}, answer, seen(below(f"__WIKI__{path}")), original=original
        )


def missing_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    for number, title in enumerate(MISSING_PAGES, 1):
        absent(ask(database, "SELECT 1 FROM wiki_articlerevision WHERE title LIKE ?", f"%{title}%"), f"page {title!r}")
        looked = searched("__WIKI__/wiki/_search/", "q", title, below("__WIKI__/wiki/_dir/"))
        answer, original = refused(MISSING, "NOT_FOUND_ERROR"), says_not_applicable("the handbook has no such page")
        yield task(MISSING, number, {"page": title}, answer, looked, original=original)


TASKS = (
    fact_tasks,
    changed_tasks,
    children_tasks,
    open_tasks,
    edit_tasks,
    forbidden_tasks,
    missing_tasks,
)
