"""A judge before runs whose right verdict is known: mixed into those of a shard, or with the injection suite alone."""

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from webassay.config.paths import RESULTS, RunPlan
from webassay.core.digest import digest
from webassay.errors import StoreError, WebassayError
from webassay.judges.health.attacks import CANARY, attacks, suite_claims
from webassay.judges.health.claims import Claim, known_claims
from webassay.judges.health.made import made
from webassay.judges.lifecycle import Case, Court, Judgement, needs_attention, read_sidecar
from webassay.judges.verify.crowd import judge_all
from webassay.llm.store import Store

JUDGES = RESULTS / "judges"


class Trial(msgspec.Struct, frozen=True):
    """What became of a run whose right verdict is known."""

    name: str
    known: str
    score: float | None
    reason: str
    place: str = ""
    """Of an attack: where its text stands."""
    wording: str = ""
    twin: str = ""
    """The same run without the text."""
    reached: bool | None = None
    """The text, or its picture, was in a question; None: no reply was kept that could tell."""


def controls_of(plan: RunPlan, shard: str) -> list[tuple[Claim, Path]]:
    """Known answers for this shard of this run and judge, and where they lie: apart from the run's own trajectories."""
    seed = f"{plan.run} {shard}"
    folder = JUDGES / plan.eval_hash / "controls" / digest(seed)[:16]
    count = plan.config["execution"]["controls"] if plan.looks_at_screenshots else 0
    return [(claim, folder / claim.name) for claim in known_claims(count, seed)]


def mixed(cases: Sequence[Case], plan: RunPlan, shard: str) -> list[Case]:
    """The shard's cases with its controls among them."""
    together = [*cases, *(made(claim, folder) for claim, folder in controls_of(plan, shard))]
    random.Random(f"{plan.run} {shard}").shuffle(together)
    return together


def judged_controls(plan: RunPlan, shard: str) -> list[Trial]:
    """Those that were judged, read from disk."""
    found = ((claim, read_sidecar(folder / "scores", plan.eval_hash)) for claim, folder in controls_of(plan, shard))
    return [_trial(claim, sidecar.judgement) for claim, sidecar in found if sidecar]


def challenge(court: Court, llm: Mapping[str, Any], workers: int) -> list[Trial]:
    """The injection suite; an error when some of it could not be judged, and the next time only that is judged."""
    folder = JUDGES / court.eval_hash / "challenge"
    known, attacked = suite_claims(), list(attacks())
    cases = [made(claim, folder / claim.name) for claim in (*known, *(attack.claim for attack in attacked))]
    rows = {case.task.task_id: row for case, row, _, _ in judge_all(cases, court, workers)}
    if problems := [row.reason for row in rows.values() if needs_attention(row)]:
        raise WebassayError(f"{len(problems)} of {len(rows)} known answers could not be judged; first: {problems[0]}")
    store = None if llm["mode"] == "live" else Store(Path(llm["folder"]))
    return [
        *(_trial(claim, rows[claim.name]) for claim in known),
        *(
            msgspec.structs.replace(
                _trial(attack.claim, rows[attack.claim.name]),
                place=attack.place,
                wording=attack.wording,
                twin=attack.twin.name,
                reached=_reached(folder / attack.claim.name, court.eval_hash, store, attack.place),
            )
            for attack in attacked
        ),
    ]


def challenge_file(eval_hash: str) -> Path:
    """Also named in rules/challenge.smk."""
    return JUDGES / eval_hash / "challenge.json"


def read_trials(path: Path) -> list[Trial]:
    """None where the suite was not asked for."""
    return msgspec.json.decode(path.read_bytes(), type=list[Trial]) if path.is_file() else []


def _trial(claim: Claim, row: Judgement) -> Trial:
    return Trial(claim.name, claim.known, row.score, row.reason)


def _reached(folder: Path, eval_hash: str, store: Store | None, place: str) -> bool | None:
    """By the questions that are stored beside the replies."""
    sidecar = read_sidecar(folder / "scores", eval_hash)
    if store is None or sidecar is None:
        return None
    wanted = "image_url" if place == "screenshot" else CANARY
    return any(wanted in part for key in sidecar.replies for part in _parts(store, key))


def _parts(store: Store, key: str) -> Iterator[str]:
    """Texts, and the kinds of parts that are none."""
    try:
        entry = store.get(key)
    except StoreError:
        return
    for message in entry.question.messages if entry else ():
        content = message["content"]
        for part in [{"type": "text", "text": content}] if isinstance(content, str) else content:
            yield part["text"] if part["type"] == "text" else part["type"]
