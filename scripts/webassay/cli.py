"""The command `webassay`: run experiments with a live view, and look after the machine."""

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
    doctor = commands.add_parser("doctor", help="check the browser and the packages")
    doctor.add_argument("--install", action="store_true", help="get a browser where there is none")
    options, more = parser.parse_known_args(arguments)
    if options.command != "run" or any(word.startswith("-") for word in more):
        options = parser.parse_args(arguments)  # complains
    else:
        options.overrides += more  # after a flag, argparse no longer takes them for positional
    try:
        return _run(options) if options.command == "run" else _doctor(options)
    except WebassayError as error:
        print(f"webassay: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("webassay: stopped; the same command goes on where it was", file=sys.stderr)
        return 130


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
