"""Build the site's data: a seeded database and the pictures, the same bytes every time."""

import os
import sqlite3
from pathlib import Path

import django
import time_machine
from django.conf import settings
from django.core.management import call_command

from webassay.sites.miniweb.content import content_digest
from webassay.sites.miniweb.seed.plan import OPENING, make_plan
from webassay.sites.miniweb.settings import options


def build(out: Path) -> str:
    """Write `out/site.sqlite3` and `out/media/`, return the content digest; once per process, like Django's set-up."""
    out.mkdir(parents=True, exist_ok=True)
    unfinished = out / ".site.sqlite3.unfinished"
    unfinished.unlink(missing_ok=True)
    settings.configure(**options(unfinished, out / "media"))
    django.setup()
    fill(out / "media")
    vacuum(unfinished)
    os.replace(unfinished, out / "site.sqlite3")
    return content_digest(out / "site.sqlite3")


def fill(media: Path) -> None:
    from django.db import connection, transaction

    from webassay.sites.miniweb.seed.write import write

    with time_machine.travel(OPENING, tick=False):
        call_command("migrate", run_syncdb=True, verbosity=0)
    with transaction.atomic():
        write(make_plan(), media)
    connection.close()


def vacuum(database: Path) -> None:
    """Pages in the order of the tables, none left free."""
    connection = sqlite3.connect(database)
    connection.execute("VACUUM")
    connection.close()
