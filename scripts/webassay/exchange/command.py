"""The command line of imports and exports; what does the work is loaded when it is asked for."""

import argparse

IMPORT = """Each trajectory in SRC becomes DEST/<task_id>/, in webeval's form, with import.json: where it comes from,
and what was left out and why. SRC is a folder of any depth, one file, or an archive (.zip, .tar.gz); nothing in it is
changed. Given again, the command adds what is new; what stands in DEST is never written over. Exit status: 0 all
imported, 1 some were skipped (each with its reason), 2 a mistake in the request."""
IMPORT_EXAMPLES = """formats (found by itself where the files leave no doubt):
  webeval            web_surfer.log and <id>_final_answer.json, of all years
  webassay           the same with our files: traj/ of a run
  om2w               Online-Mind2Web: result.json and trajectory/; verdicts from *results.json beside them
  webvoyager         interact_messages.json and screenshotN.png
  agentlab           AgentLab, BrowserGym: summary_info.json and step_N.json; AgentRewardBench's files. No pickles
  webarena_verified  <task_id>/agent_response.json with network.har, network.har.zip or trace.zip
  atif               Harbor's trajectory.json (ATIF 1.0 to 1.7)

examples:
  webassay import ~/WebVoyager/results imported
  webassay import --format om2w Online-Mind2Web/data imported --limit 10
  webassay import --format agentlab study.tar.gz imported
"""
EXPORT = """Each trajectory in SRC (a folder of any depth, as `webassay run` and `webassay import` leave it) becomes
DEST/<task_id>/, with export.json: what the format could not hold. Exit status as for import."""
EXPORT_EXAMPLES = """formats: webeval, om2w, webarena_verified, atif

examples:
  webassay export --format atif results/runs/…/traj harbor
  webassay export --format om2w imported for_webjudge
"""


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    brought = _command(commands, "import", "take over trajectories of other tools", IMPORT, IMPORT_EXAMPLES)
    brought.add_argument("--format", metavar="NAME", help="how SRC is written (default: by its files)")
    brought.set_defaults(call=_import)
    sent = _command(commands, "export", "write trajectories as other tools read them", EXPORT, EXPORT_EXAMPLES)
    sent.add_argument("--format", metavar="NAME", required=True, help="how DEST is written")
    sent.set_defaults(call=_export)


def _command(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, doing: str, about: str, examples: str
) -> argparse.ArgumentParser:
    raw = argparse.RawDescriptionHelpFormatter
    command = commands.add_parser(name, help=doing, description=about, epilog=examples, formatter_class=raw)
    command.add_argument("source", metavar="SRC")
    command.add_argument("dest", metavar="DEST")
    command.add_argument("--limit", metavar="N", type=_count, help="only the first N trajectories, in order of path")
    return command


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of trajectories")
    return int(text)


def _import(options: argparse.Namespace) -> int:
    from webassay.exchange.view import import_and_show

    return import_and_show(options.source, options.dest, options.format, options.limit)


def _export(options: argparse.Namespace) -> int:
    from webassay.exchange.view import export_and_show

    return export_and_show(options.source, options.dest, options.format, options.limit)
