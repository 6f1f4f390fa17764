"""The handbook: pages by path, and their revisions in the order of time."""

from typing import Any

from wiki.models import Article, ArticleRevision, URLPath

from webassay.sites.miniweb.seed.plan.wiki import Page, Revision
from webassay.sites.miniweb.seed.write.people import MoveTo, People


def write_wiki(pages: tuple[Page, ...], people: People, move_to: MoveTo) -> None:
    rows: dict[str, Any] = {}
    for revision, page in events(pages):
        move_to(revision.saved)
        if page.path not in rows:
            rows[page.path] = write_page(page, rows, people)
        add(revision, page, rows[page.path].article, people)


def events(pages: tuple[Page, ...]) -> list[tuple[Revision, Page]]:
    revisions = [(revision, page) for page in pages for revision in page.revisions]
    return sorted(revisions, key=lambda event: event[0].saved)


def write_page(page: Page, rows: dict[str, Any], people: People) -> Any:
    """An article that staff may edit, and everybody where it is open to all, below its parent."""
    article = Article.objects.create(
        owner=people[page.revisions[0].author],
        group=people.colleagues,
        group_read=True,
        group_write=True,
        other_read=True,
        other_write=page.open_to_all,
    )
    above, _, slug = page.path.rpartition("/")
    parent = URLPath.objects.get(pk=rows[above].pk) if page.path else None
    path = URLPath.objects.create(site_id=1, parent=parent, slug=slug or None, article=article)
    article.add_object_relation(path)
    return path


def add(revision: Revision, page: Page, article: Any, people: People) -> None:
    article.add_revision(
        ArticleRevision(
            title=page.title,
            content=revision.text,
            user_message=revision.message,
            user=people[revision.author],
            locked=page.locked,
        )
    )
