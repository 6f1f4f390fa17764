"""The command `webassay`: run experiments with a live view, score logs of any agent, look after the machine."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

import webassay
from webassay.errors import WebassayError, mended_by_user
from webassay.exchange import command as exchange
from webassay.report.crate import command as crate

EXAMPLES = """examples:
  webassay run                                   the default experiment, live
  webassay run experiment=chaos                  another one (config/experiment/)
  webassay run system=oracle run_id=range(0,3)   overrides and sweeps in Hydra's grammar
  webassay run --dry-run execution.shards=4      what would run
  webassay score LOGS_DIR --profile release      logs of your own agent, in webarena-verified's folder layout
  webassay verify runs/ --judge verified         judge trajectories that lie anywhere, again or for the first time
  webassay analyze results/runs --out DIR        steps, times, tokens, errors of trajectories, ours or webeval's
  webassay import LOGS DEST                      trajectories of another tool, as folders that every judge reads
  webassay view                                  the report, live, while the experiment goes on
  webassay bundle                                the newest experiment as one file that others can check
  webassay reproduce BUNDLE.zip                  its tables made again from it, offline, byte by byte
  webassay doctor                                what this machine has and lacks
"""


Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="webassay",
        description="Evaluate web agents so that the numbers can be trusted and made again.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=webassay.__version__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for add in (_add_run, _add_view, _add_score, _add_verify, _add_analyze, exchange.add_commands):
        add(commands)
    for add in (crate.add_commands, _add_judge_store, _add_doctor):
        add(commands)
    options, more = parser.parse_known_args(arguments)
    if more and (any(word.startswith("-") for word in more) or not hasattr(options, "overrides")):
        commands.choices[options.command].error(f"unrecognized arguments: {' '.join(more)}")
    if more:
        options.overrides = [*options.overrides, *more]  # after a flag, argparse no longer takes them for positional
    try:
        status = int(options.call(options))
        sys.stdout.flush()
        return status
    except WebassayError as error:
        print(f"webassay: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left to say has nowhere to go
        return 141
    except OSError as error:
        if not (told := mended_by_user(error)):
            raise
        print(f"webassay: {told}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("webassay: stopped; the same command goes on where it was", file=sys.stderr)
        return 130


def _add_run(commands: Commands) -> None:
    run = commands.add_parser("run", help="carry out an experiment: snakemake with a live view and checked overrides")
    run.add_argument(
        "overrides", nargs="*", default=[], metavar="KEY=VALUE", help="experiment=NAME and overrides in Hydra's grammar"
    )
    run.add_argument("--cores", default="all", help="cores for Snakemake (default: all)")
    run.add_argument("-n", "--dry-run", action="store_true", help="say what would run, and run nothing")
    run.add_argument("--plain", action="store_true", help="Snakemake's own output instead of the live view")
    run.set_defaults(call=_run)


def _run(options: argparse.Namespace) -> int:
    from webassay.report.live import run_experiment

    chosen = [word.partition("=")[2] for word in options.overrides if word.startswith("experiment=")]
    overrides = [word for word in options.overrides if not word.startswith("experiment=")]
    return run_experiment(
        chosen[-1] if chosen else None, overrides, cores=options.cores, dry_run=options.dry_run, plain=options.plain
    )


def _add_score(commands: Commands) -> None:
    score = commands.add_parser(
        "score",
        help="judge the logs of any agent, offline",
        description="Judge <LOGS_DIR>/<task_id>/agent_response.json with network.har (or network.har.zip, trace.zip). "
        "Writes scores.csv, eval_results.json and <task_id>/eval_result.json. What was judged before under the same "
        "identity stands. Exit status: 0 all evaluated, 1 something could not be, 2 a mistake in the request.",
    )
    score.add_argument("logs", metavar="LOGS_DIR")
    score.add_argument(
        "overrides",
        nargs="*",
        default=[],
        metavar="KEY=VALUE",
        help="overrides, such as benchmark.select.types=[mutate]",
    )
    score.add_argument("--benchmark", default="webarena_verified", help="whose tasks (default: webarena_verified)")
    score.add_argument(
        "--profile", help="release: the verdicts of webarena-verified 1.2.3; paper: the right ones (default)"
    )
    score.add_argument("--tasks", metavar="1,2,5-9|@FILE", help="only these")
    score.add_argument("--sites", metavar="NAME,…", help="only tasks on these sites")
    score.add_argument("--config", metavar="FILE.json", help="where the sites were, in webarena-verified's form")
    score.add_argument("--dataset", metavar="PATH", help="your own copy of the tasks: the JSON file or the wheel")
    score.add_argument("--out", metavar="DIR", help="where results go (default: LOGS_DIR)")
    score.add_argument("--jobs", type=int, metavar="N", help="worker processes (default: one for each core)")
    score.add_argument("--redo", action="store_true", help="judge anew what stands already")
    score.set_defaults(call=_score)


def _score(options: argparse.Namespace) -> int:
    from webassay.judges.offline.view import score_and_show

    return score_and_show(
        options.logs,
        benchmark=options.benchmark,
        profile=options.profile,
        tasks=options.tasks,
        sites=[name for name in (options.sites or "").split(",") if name],
        config=options.config,
        dataset=options.dataset,
        out=options.out,
        jobs=options.jobs,
        redo=options.redo,
        overrides=options.overrides,
    )


def _add_verify(commands: Commands) -> None:
    verify = commands.add_parser(
        "verify",
        help="judge folders of trajectories, ours or webeval's",
        description="Judge every trajectory below PATH by the rules of a run. Scores go beside each trajectory "
        "(scores/<judge>-<digest>.json and .meta.json), older ones stay; what was judged under the same identity "
        "stands. Exit status: 0 all judged, 1 something could not be, 2 a mistake in the request.",
        epilog="example: webassay verify runs/ --judge rubric --benchmark webtailbench --set judge.threshold=0.9",
    )
    verify.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    verify.add_argument("--judge", help="config/judge/NAME (default: the benchmark's)")
    verify.add_argument("--benchmark", help="whose tasks (default: each trajectory's own task_data.json)")
    verify.add_argument(
        "--set", dest="settings", action="append", default=[], metavar="KEY=VALUE", help="an override; may be repeated"
    )
    verify.add_argument(
        "--scores-dir", type=Path, metavar="DIR", help="where scores go, for folders that stay as they are"
    )
    verify.add_argument(
        "--report", type=Path, metavar="FILE", help="default: verify_report.jsonl in --scores-dir or PATH"
    )
    verify.add_argument("--limit", type=_positive, metavar="N", help="only the first N trajectories")
    verify.add_argument("--redo", action="store_true", help="judge anew what stands already")
    verify.set_defaults(call=_verify)


def _verify(options: argparse.Namespace) -> int:
    from webassay.judges.verify.view import verify_and_show

    return verify_and_show(
        options.paths,
        judge=options.judge,
        benchmark=options.benchmark,
        overrides=options.settings,
        scores=options.scores_dir,
        report=options.report,
        limit=options.limit,
        redo=options.redo,
    )


def _add_view(commands: Commands) -> None:
    view = commands.add_parser(
        "view",
        help="the report of an experiment in the browser, also while it goes on",
        description="Serves the report on 127.0.0.1 and makes it again as tasks end. What has ended for good needs no "
        "server: open results/experiments/NAME/report/index.html.",
    )
    view.add_argument(
        "folder",
        nargs="?",
        default="results",
        metavar="RESULTS",
        help="one in results/experiments/ (default: the last one started)",
    )
    view.add_argument("--port", type=int, default=0, help="default: a free one")
    view.add_argument("--no-browser", action="store_true", help="only say the address")
    view.add_argument("--once", action="store_true", help="make the pages, say where they are, and end")
    view.set_defaults(call=_view)


def _view(options: argparse.Namespace) -> int:
    from webassay.report.site.live import view

    return view(options.folder, port=options.port, browse=not options.no_browser, once=options.once)


def _add_analyze(commands: Commands) -> None:
    analyze = commands.add_parser(
        "analyze",
        help="steps, times, tokens, errors and scores at step budgets of trajectories on disk",
        description="Tables and figures of all trajectories under the folders, ours or in webeval's format. Nothing is "
        "run or judged. Exit status: 0 all could be read, 1 some could not or there are none, 2 a mistake in the "
        "request.",
    )
    analyze.add_argument("paths", nargs="+", metavar="PATH", help="a run, a folder of trajectories, or a tree of them")
    analyze.add_argument("--out", metavar="DIR", help="where files go (default: results/analysis)")
    analyze.add_argument("--judge", metavar="EVAL_HASH", help="only this judge's scores (default: each judge's)")
    analyze.add_argument(
        "--max-rounds", type=_positive, metavar="N", help="steps that were allowed (default: as run.yaml says, or 100)"
    )
    analyze.add_argument(
        "--step-budgets", type=_positive, nargs="+", default=[], metavar="N", help="instead of shares of --max-rounds"
    )
    analyze.set_defaults(call=_analyze)


def _positive(word: str) -> int:
    if not word.isascii() or not word.isdigit() or int(word) < 1:
        raise argparse.ArgumentTypeError(f"{word!r} is not a whole number above 0")
    return int(word)


def _analyze(options: argparse.Namespace) -> int:
    from webassay.report.analysis.view import analyze_and_show

    return analyze_and_show(
        options.paths,
        out=options.out,
        judge=options.judge,
        max_rounds=options.max_rounds,
        budgets=sorted(set(options.step_budgets)),
    )


def _add_judge_store(commands: Commands) -> None:
    store = commands.add_parser("judge-store", help="pack, merge or verify the stored replies of judges' models")
    actions = store.add_subparsers(dest="action", required=True, metavar="ACTION")
    pack = actions.add_parser("pack", help="put replies into an archive that others can merge")
    pack.add_argument("archive", metavar="ARCHIVE.tar")
    pack.add_argument("runs", nargs="*", metavar="RUN", help="only what the scores below these folders rest on")
    merge = actions.add_parser("merge", help="add the replies of an archive or of another store")
    merge.add_argument("source", metavar="ARCHIVE.tar|FOLDER")
    verify = actions.add_parser("verify", help="check that every reply is what its name says")
    for action in (pack, merge, verify):
        action.add_argument("--store", default="results/llm", metavar="DIR", help="default: results/llm")
    store.set_defaults(call=_judge_store)


def _judge_store(options: argparse.Namespace) -> int:
    from webassay.llm.sharing import command

    return command(options)


def _add_doctor(commands: Commands) -> None:
    doctor = commands.add_parser("doctor", help="check the browser and the packages")
    doctor.add_argument("--install", action="store_true", help="get a browser where there is none")
    doctor.set_defaults(call=_doctor)


def _doctor(options: argparse.Namespace) -> int:
    from webassay.systems.doctor import check

    return check(install=options.install)


if __name__ == "__main__":
    sys.exit(main())
