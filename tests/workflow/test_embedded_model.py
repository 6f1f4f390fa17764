"""Systems driven by the model in the box, through the whole workflow: offline, without a key."""

import json

import pandas as pd
import pytest

from tests.conftest import Workspace, snakemake_command
from tests.weights import MODEL, plan, weights

RUN = "system=knowledge_only,text_agent model=smollm2 benchmark=miniweb benchmark.limit=4 system.max_rounds=2"
"""In a few rounds: it is known that the model is small."""


@pytest.mark.slow
def test_a_run_with_the_model_in_the_box_ends_with_a_table(workspace: Workspace) -> None:
    weights()
    done = workspace.run(*snakemake_command(RUN), timeout=1200)
    assert done.status == 0, done.output
    table = pd.concat(map(pd.read_csv, workspace.scores()))
    assert len(table) == 8 and set(table["verification"]) <= {"scored", "auto_zero"} and set(table["score"]) == {0.0}
    headline = pd.read_csv(next(workspace.folder.glob("results/experiments/*/tables/headline.csv")))
    assert {"knowledge_only", "text_agent"} <= set(headline["system"])
    assert (workspace.folder / plan().manifest).is_file()
    for path in workspace.folder.glob("results/runs/**/*_final_answer.json"):
        used = json.loads(path.read_text())["token_usage"]
        assert used.get("KnowledgeOnly", {}).get("num_calls") == 1 or used["TextAgent"]["num_calls"] > 1
        assert all(counts["prompt_tokens"] > 100 for counts in used.values())
    attempts = list(workspace.folder.glob("results/runs/**/attempt.json"))
    assert {json.loads(path.read_text())["model"]["name"] for path in attempts} == {MODEL["name"]}
    assert workspace.snakemake(RUN).nothing_to_do
