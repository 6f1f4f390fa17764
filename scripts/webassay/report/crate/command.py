"""The command line of bundles; what does the work is loaded when it is asked for."""

import argparse
from pathlib import Path

BUNDLE = """Put an experiment that has ended into one file that others can check: an RO-Crate 1.2 (Workflow Run Crate)
with its configuration, tasks, trajectories, stored replies, scores, tables and report, and the sha256 of each file in
manifest-sha256.txt. The same experiment gives the same bytes. A bundle in which a secret would be is not written."""
BUNDLE_EXAMPLES = """examples:
  webassay bundle                                          the newest experiment under results/
  webassay bundle results/experiments/smoke-1f6c2a9e --out smoke.zip --license CC-BY-4.0
  webassay bundle --without screenshots --without har      what `reproduce` then cannot judge again, it says
"""
REPRODUCE = """Check every file of a bundle against its manifest, judge its trajectories again in DEST, make the tables
again, and compare them byte by byte. Needs no network, no key and no browser: what judges asked models is answered from
the bundle's stored replies. Exit status: 0 all tables are byte-equal, 1 something differs (said is what, where and
why), 2 a mistake in the request, or a bundle that is refused."""
REPRODUCE_EXAMPLES = """example:
  webassay reproduce smoke.zip again         results/ made again, and bundled/ with what they are compared to
"""


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    raw = argparse.RawDescriptionHelpFormatter
    bundle = commands.add_parser(
        "bundle", help="an experiment as one file to share", description=BUNDLE, epilog=BUNDLE_EXAMPLES,
        formatter_class=raw,
    )  # fmt: skip
    bundle.add_argument("experiment", nargs="?", metavar="EXPERIMENT", help="its folder, or the name of that")
    bundle.add_argument("--out", type=Path, metavar="FILE.zip|FOLDER", help="default: the experiment's name .zip, here")
    bundle.add_argument("--without", action="append", default=[], choices=("screenshots", "har"), help="to leave out")
    bundle.add_argument("--license", metavar="SPDX", help="what others may do with it, such as CC-BY-4.0")
    bundle.set_defaults(call=_bundle)
    again = commands.add_parser(
        "reproduce", help="make a bundle's tables again, and compare them", description=REPRODUCE,
        epilog=REPRODUCE_EXAMPLES, formatter_class=raw,
    )  # fmt: skip
    again.add_argument("bundle", type=Path, metavar="BUNDLE", help="FILE.zip, or the folder of one")
    again.add_argument("dest", nargs="?", type=Path, metavar="DEST", help="a new folder (default: BUNDLE's name)")
    again.set_defaults(call=_reproduce)


def _bundle(options: argparse.Namespace) -> int:
    from webassay.report.crate.view import bundle_and_show

    return bundle_and_show(options.experiment, options.out, frozenset(options.without), options.license)


def _reproduce(options: argparse.Namespace) -> int:
    from webassay.report.crate.view import reproduce_and_show

    return reproduce_and_show(options.bundle, options.dest)
