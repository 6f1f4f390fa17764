"""One cluster for all tests of this folder."""

from collections.abc import Iterator
from subprocess import TimeoutExpired

import pytest

from tests.slurm.cluster import Cluster, Unavailable, install, one_node


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    try:
        install()
    except (Unavailable, TimeoutExpired) as reason:
        pytest.skip(str(reason))
    with one_node(tmp_path_factory.mktemp("slurm")) as cluster:
        yield cluster
