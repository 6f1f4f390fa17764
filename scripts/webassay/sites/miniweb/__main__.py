"""`python -m webassay.sites.miniweb build|serve`."""

import argparse
import sys
from pathlib import Path

from webassay.errors import WebassayError


def main(arguments: list[str] | None = None) -> int:
    args = parser().parse_args(arguments)
    try:
        return run(args)
    except (WebassayError, OSError) as error:
        print(f"miniweb: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 0


def run(args: argparse.Namespace) -> int:
    if args.command == "build":
        from webassay.sites.miniweb.build import build

        print(build(args.out))
    else:
        from webassay.sites.miniweb.server import serve

        serve(args.data, args.database, args.port, args.control_port)
    return 0


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="python -m webassay.sites.miniweb", description="The sites in the box.")
    commands = top.add_subparsers(dest="command", required=True)
    build = commands.add_parser("build", help="write the database and the pictures, print the content digest")
    build.add_argument("--out", type=Path, required=True, metavar="DIR")
    serve = commands.add_parser("serve", help="serve a built site on 127.0.0.1")
    serve.add_argument("--data", type=Path, required=True, metavar="DIR", help="what build wrote")
    serve.add_argument("--database", type=Path, required=True, metavar="FILE", help="a copy of DIR/site.sqlite3")
    serve.add_argument("--port", type=int, required=True, metavar="N")
    serve.add_argument(
        "--control-port", type=int, metavar="N", help="reset, state and clock, with the token in WEBASSAY_SITE_TOKEN"
    )
    return top


if __name__ == "__main__":
    sys.exit(main())
