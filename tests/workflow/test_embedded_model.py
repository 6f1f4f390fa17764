"""A system driven by the model in the box, through the whole workflow: offline, without a key."""

import json

import pandas as pd
import pytest

from tests.conftest import Workspace
from tests.weights import MODEL, plan, weights

RUN = "system=knowledge_only model=smollm2 benchmark=miniweb benchmark.select.limit=4"


@pytest.mark.slow
def test_a_run_with_the_model_in_the_box_ends_with_a_table(workspace: Workspace) -> None:
    weights()
    done = workspace.snakemake(RUN)
    assert done.status == 0, done.output
    table = pd.read_csv(workspace.scores()[0])
    assert len(table) == 4 and set(table["verification"]) == {"scored"} and set(table["score"]) == {0.0}
    assert (workspace.folder / plan().manifest).is_file()
    for path in workspace.folder.glob("results/runs/**/*_final_answer.json"):
        used = json.loads(path.read_text())["token_usage"]["KnowledgeOnly"]
        assert used["num_calls"] == 1 and used["prompt_tokens"] > 100
    attempts = list(workspace.folder.glob("results/runs/**/attempt.json"))
    assert {json.loads(path.read_text())["model"]["name"] for path in attempts} == {MODEL["name"]}
    assert workspace.snakemake(RUN).nothing_to_do
