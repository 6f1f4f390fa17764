from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.report.site import made
from webassay.config.paths import ExperimentPlan
from webassay.report.experiment import Numbers


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Closed with the module: Playwright stands no second one in a process."""
    with made.browser() as found:
        yield found


@pytest.fixture(scope="module")
def experiment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ExperimentPlan]:
    """Two systems before two judges, in a folder of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("report"))
        plan = made.planned()
        made.make(plan, made.TASKS, made.SAID)
        yield plan


@pytest.fixture(scope="module")
def numbers(experiment: ExperimentPlan) -> Numbers:
    return made.report(experiment)
