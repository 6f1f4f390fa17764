"""`snakemake --report` of an experiment carries its tables with captions, under their category."""

import json
import re
from pathlib import Path

import pytest
import yaml

from tests.conftest import REPO, Workspace


@pytest.mark.slow
def test_each_table_is_in_it_with_its_caption_and_category(experiment: Path) -> None:
    overrides = yaml.safe_load((experiment / "experiment.yaml").read_text())["overrides"]
    done = Workspace(Path.cwd()).snakemake(overrides, "--report", "report.html")
    assert done.status == 0, done.output
    page = Path("report.html").read_text()
    tables = sorted((experiment / "tables").glob("*.csv"))
    assert len(tables) > 8
    for path in tables:
        told = re.search(rf'"{path}": (\{{"name": .*?), "data_uri"', page)
        assert told, path
        entry = json.loads(told[1] + "}")
        caption = (REPO / "rules" / "captions" / f"{path.stem}.rst").read_text().split("`")[0].strip()
        assert caption[:60] in entry["caption"] and entry["labels"] == {"name": path.stem}
    listed = json.loads(re.findall(r"var categories = (.*);", page)[0])
    assert listed == {"Tables": {"Other": [str(path) for path in tables]}}
