"""The command `webassay`: run experiments with a live view, score logs of any agent, look after the machine."""

import argparse
import sys
from collections.abc import Sequence

import webassay
from webassay.errors import WebassayError

EXAMPLES = """examples:
  webassay run                                   the default experiment, live
  webassay run experiment=chaos                  another one (config/experiment/)
  webassay run system=oracle run_id=range(0,3)   overrides and sweeps in Hydra's grammar
  webassay run --dry-run execution.shards=4      what would run
  webassay score LOGS_DIR --profile release      logs of your own agent, in webarena-verified's folder layout
  webassay doctor                                what this machine has and lacks
"""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="webassay",
        description="Evaluate web agents so that the numbers can be trusted and made again.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=webassay.__version__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    run = commands.add_parser("run", help="carry out an experiment: snakemake with a live view and checked overrides")
    run.add_argument(
        "overrides", nargs="*", metavar="KEY=VALUE", help="experiment=NAME and overrides in Hydra's grammar"
    )
    run.add_argument("--cores", default="all", help="cores for Snakemake (default: all)")
    run.add_argument("-n", "--dry-run", action="store_true", help="say what would run, and run nothing")
    run.add_argument("--plain", action="store_true", help="Snakemake's own output instead of the live view")
    _add_score(commands)
    doctor = commands.add_parser("doctor", help="check the browser and the packages")
    doctor.add_argument("--install", action="store_true", help="get a browser where there is none")
    options, more = parser.parse_known_args(arguments)
    if options.command == "doctor" or any(word.startswith("-") for word in more):
        options = parser.parse_args(arguments)  # complains
    else:
        options.overrides += more  # after a flag, argparse no longer takes them for positional
    try:
        return {"run": _run, "score": _score, "doctor": _doctor}[options.command](options)
    except WebassayError as error:
        print(f"webassay: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("webassay: stopped; the same command goes on where it was", file=sys.stderr)
        return 130


def _add_score(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    score = commands.add_parser(
        "score",
        help="judge the logs of any agent, offline",
        description="Judge <LOGS_DIR>/<task_id>/agent_response.json with network.har (or network.har.zip, trace.zip). "
        "Writes scores.csv, eval_results.json and <task_id>/eval_result.json. What was judged before under the same "
        "identity stands. Exit status: 0 all evaluated, 1 something could not be, 2 a mistake in the request.",
    )
    score.add_argument("logs", metavar="LOGS_DIR")
    score.add_argument(
        "overrides", nargs="*", metavar="KEY=VALUE", help="overrides, such as benchmark.select.types=[mutate]"
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


def _run(options: argparse.Namespace) -> int:
    from webassay.report.live import run_experiment

    chosen = [word.partition("=")[2] for word in options.overrides if word.startswith("experiment=")]
    overrides = [word for word in options.overrides if not word.startswith("experiment=")]
    return run_experiment(
        chosen[-1] if chosen else None, overrides, cores=options.cores, dry_run=options.dry_run, plain=options.plain
    )


def _doctor(options: argparse.Namespace) -> int:
    from webassay.systems.doctor import check

    return check(install=options.install)


if __name__ == "__main__":
    sys.exit(main())
