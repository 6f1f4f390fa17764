"""A haystack engine over the database itself: no index beside it that a reset would have to restore."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Any

from haystack.backends import BaseEngine, SearchNode
from haystack.backends.simple_backend import SimpleSearchBackend, SimpleSearchQuery
from oscar.core.loading import get_model

NARROWING = re.compile(r"(\w+):\((.*)\)")
RANGE = re.compile(r"\[(\S+) TO (\S+)\]")


@dataclass(frozen=True)
class Entry:
    """What can be asked of a product; names are those of Oscar's search index."""

    pk: int
    title: str
    text: str
    product_class: str
    price: float
    rating: int
    date_created: datetime
    category: frozenset[int]

    @property
    def title_exact(self) -> str:
        return self.title

    def matches(self, words: list[str]) -> bool:
        return all(word in self.text for word in words)

    def relevance(self, words: list[str]) -> int:
        """How many of the words stand in the title."""
        return sum(word in self.title.lower() for word in words)


def read_entries() -> list[Entry]:
    """All products on sale, by three plain queries: a shop of this size needs no index."""
    columns = ("pk", "title", "upc", "description", "product_class__name", "rating", "date_created")
    products = get_model("catalogue", "Product").objects.browsable().order_by("pk").values_list(*columns)
    stock = get_model("partner", "StockRecord").objects.order_by("-pk").values_list("product_id", "price")
    prices = dict(stock)  # of several the first, which is the last to be put in
    categories: dict[int, dict[int, str]] = {}
    filed = get_model("catalogue", "ProductCategory").objects.order_by("pk")
    for product, category, name in filed.values_list("product_id", "category_id", "category__name"):
        categories.setdefault(product, {})[category] = name
    return [entry(row, prices.get(row[0]), categories.get(row[0], {})) for row in products]


def entry(row: tuple[Any, ...], price: Any, categories: dict[int, str]) -> Entry:
    key, title, upc, description, product_class, rating, created = row
    return Entry(
        pk=key,
        title=title,
        text=" ".join([title, upc or "", description, *categories.values()]).lower(),
        product_class=product_class or "",
        price=float(price or 0),
        rating=round(rating or 0),  # as many as the page shows stars
        date_created=created,
        category=frozenset(categories),
    )


def leaves(node: SearchNode) -> Iterator[tuple[str, Any]]:
    for child in node.children:
        if isinstance(child, SearchNode):
            yield from leaves(child)
        else:
            yield child[0].partition("__")[0], child[1]


def narrowed(narrowing: str) -> Callable[[Entry], bool]:
    """Oscar's chosen facets: `rating:("4" OR "5")`, `price:([0 TO 20] OR [20 TO 40])`."""
    match = NARROWING.fullmatch(narrowing)
    if not match:
        return lambda entry: True
    field, choices = match[1], match[2].split(" OR ")
    return lambda entry: any(chosen(getattr(entry, field, None), choice) for choice in choices)


def chosen(value: Any, choice: str) -> bool:
    bounds = RANGE.fullmatch(choice)
    if not bounds:
        return str(value) == choice.strip('"')
    low, high = bounds[1], bounds[2]
    return bool(float(low) <= value and (high == "*" or value < float(high)))


class OrmQuery(SimpleSearchQuery):
    """Filters, sorts, counts and slices the entries as the query says."""

    def run(self, spelling_query: str | None = None, **kwargs: Any) -> None:
        found = self.ordered(self.filtered(read_entries()))
        self._hit_count = len(found)
        self._facet_counts = self.counts(found)
        self._results = self.results(found[self.start_offset : self.end_offset])

    def words(self) -> list[str]:
        text = " ".join(str(value.query_string) for field, value in leaves(self.query_filter) if field == "content")
        return text.lower().replace('"', " ").split()

    def filtered(self, entries: list[Entry]) -> list[Entry]:
        words = self.words()
        categories = [set(value) for field, value in leaves(self.query_filter) if field == "category"]
        tests = [narrowed(narrowing) for narrowing in self.narrow_queries]
        return [
            entry
            for entry in entries
            if entry.matches(words)
            and all(entry.category & allowed for allowed in categories)
            and all(test(entry) for test in tests)
        ]

    def ordered(self, entries: list[Entry]) -> list[Entry]:
        words = self.words()
        entries = sorted(entries, key=lambda entry: -entry.relevance(words))
        for field in reversed(self.order_by):
            entries = sorted(entries, key=attrgetter(field.lstrip("-")), reverse=field.startswith("-"))
        return entries

    def counts(self, entries: list[Entry]) -> dict[str, Any]:
        # Haystack calls the facet of `rating` `rating_exact`; Oscar's templates do not.
        fields = {
            field: sorted(Counter(str(getattr(entry, field)) for entry in entries).items())
            for field in (name.removesuffix("_exact") for name in self.facets)
        }
        queries = {
            f"{field}:{choice}": sum(chosen(getattr(entry, field), choice) for entry in entries)
            for field, choice in ((name.removesuffix("_exact"), choice) for name, choice in self.query_facets)
        }
        return {"fields": fields, "dates": {}, "queries": queries}

    def results(self, entries: list[Entry]) -> list[Any]:
        """The page's products in one query, in the order of the entries."""
        model = get_model("catalogue", "Product")
        products = model.objects.browsable().base_queryset().in_bulk([entry.pk for entry in entries])
        results = []
        for entry in entries:
            result = self.result_class("catalogue", "product", entry.pk, 0)
            result._model, result._object = model, products[entry.pk]
            results.append(result)
        return results


class OrmEngine(BaseEngine):
    backend = SimpleSearchBackend
    query = OrmQuery
