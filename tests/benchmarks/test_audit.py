"""The paper's counts of weak checks, sites, templates and the hard subset, from the released files."""

from functools import cache

import pytest

from tests.released import released
from webassay.benchmarks import webarena, webarena_verified, webarena_verified_hard
from webassay.benchmarks.audit import (
    Found,
    by_stratum,
    detect,
    network_checks,
    overlaps,
    site_combinations,
    statuses,
    task_types,
    template_ids,
    template_keys,
    templates_by_stratum,
)
from webassay.core.task import Task, task_from_record
from webassay.errors import TaskError

SITES = ("shopping", "shopping_admin", "gitlab", "reddit", "map", "multi")


@cache
def original() -> list[Task]:
    return webarena.load(released())


@cache
def verified() -> list[Task]:
    return webarena_verified.load(released())


@cache
def hard() -> list[Task]:
    return webarena_verified_hard.load(released())


@cache
def found() -> Found:
    return detect(original())


@pytest.mark.parametrize(
    "detector, count, by_site",
    [
        ("page_content", 92, (6, 15, 54, 2, 0, 15)),
        ("locator_substring", 164, (30, 20, 33, 56, 5, 20)),
        ("response_substring", 176, (54, 48, 28, 9, 33, 4)),
        ("substring", 506, (110, 88, 122, 92, 48, 46)),
        ("unachievable", 36, (19, 6, 3, 2, 5, 1)),
        ("model_judged", 118, (34, 26, 8, 2, 45, 3)),
        ("substring_as_defined", 340, None),
    ],
)
def test_detectors(detector: str, count: int, by_site: tuple[int, ...] | None) -> None:
    assert len(found()[detector]) == count
    strata = by_stratum(original(), found()[detector])
    assert by_site is None or tuple(strata[site] for site in SITES) == by_site


def test_overlaps() -> None:
    shared = overlaps(found())
    assert shared["locator_substring", "response_substring"] == 0  # so 340 is their sum
    assert shared["page_content", "page_content"] == 92
    assert shared["page_content", "locator"] == 13
    assert len(found()["page_content"]) + len(found()["locator"]) == 424  # the paper's, 13 tasks twice
    assert len(found()["page_content"] | found()["locator"]) == 411


def test_sites() -> None:
    strata = by_stratum(original())
    assert tuple(strata[site] for site in SITES) == (187, 182, 180, 106, 109, 48)
    assert len(original()) - strata["map"] - strata["multi"] == 655
    assert {sites: count for sites, count in site_combinations(original()).items() if "+" in sites} == {
        "gitlab+reddit": 18,
        "map+wikipedia": 17,
        "gitlab+wikipedia": 6,
        "reddit+shopping": 5,
        "map+shopping_admin": 2,
    }


@pytest.mark.parametrize("tasks", [original, verified])
def test_templates_by_id_and_by_site_and_id(tasks: object) -> None:
    read = tasks()  # type: ignore[operator]
    assert (len(template_ids(read)), len(template_keys(read))) == (190, 191)
    assert len([key for key in template_keys(read) if key[1] == "42"]) == 2
    strata = templates_by_stratum(read)
    assert tuple(strata[site] for site in SITES) == (48, 41, 41, 21, 29, 11)
    sizes = list(template_ids(read).values())
    assert [sizes.count(size) for size in (1, 2, 3, 4, 5, 6, 7, 10)] == [24, 10, 10, 13, 119, 10, 3, 1]


def test_the_hard_subset() -> None:
    strata, whole = by_stratum(hard()), by_stratum(verified())
    assert tuple(strata[site] for site in SITES) == (56, 55, 57, 42, 0, 48) and len(hard()) == 258
    ratios = {site: round(strata[site] / whole[site], 3) for site in ("gitlab", "shopping", "shopping_admin", "reddit")}
    assert ratios == {"gitlab": 0.317, "shopping": 0.299, "shopping_admin": 0.302, "reddit": 0.396}
    assert len(template_ids(hard())) == 114  # of 190: the paper says "across all intent templates"
    assert task_types(hard()) == {"mutate": 148, "retrieve": 74, "navigate": 36}


def test_the_verified_file() -> None:
    assert task_types(verified()) == {"mutate": 374, "retrieve": 325, "navigate": 113}
    assert statuses(verified()) == {
        "SUCCESS": 772,
        "NOT_FOUND_ERROR": 28,
        "ACTION_NOT_ALLOWED_ERROR": 11,
        "PERMISSION_DENIED_ERROR": 1,
    }
    assert network_checks(verified()) == {0: 324, 1: 391, 2: 65, 3: 12, 4: 10, 5: 6, 8: 2, 10: 2}


def test_checks_of_another_shape_are_named() -> None:
    record = {
        "task_id": "7",
        "intent": "?",
        "sites": ["shop"],
        "intent_template_id": "1",
        "eval": [{"program_html": 3}],
    }
    with pytest.raises(TaskError, match=r"task 7: .*program_html"):
        detect([task_from_record(record, "test")])
