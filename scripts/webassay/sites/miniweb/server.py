"""Serve the site on the loopback interface from one database file."""

import sqlite3
from pathlib import Path
from typing import Any

import django
import machina
import oscar
import waitress
from django.conf import settings
from whitenoise import WhiteNoise

from webassay.errors import EnvironmentFault
from webassay.sites.miniweb.control import HOST, Data, open_door
from webassay.sites.miniweb.settings import HERE, options

BUILD = "build it with `python -m webassay.sites.miniweb build --out DIR`"


def serve(data: Path, database: Path, port: int, control_port: int | None = None) -> None:
    """Blocks until the process is stopped; with a control port the harness can reset the site meanwhile."""
    require_site(data, database)
    rows = Data(data / "site.sqlite3", database)
    server = listen(application(data / "media", rows), port)
    if control_port is not None:
        open_door(rows, control_port)
    print(f"miniweb listens on {HOST}:{port}", flush=True)
    server.run()


def require_site(data: Path, database: Path) -> None:
    if not (data / "media").is_dir():
        raise EnvironmentFault(f"{data}: no media folder; {BUILD}")
    if not database.is_file():
        raise EnvironmentFault(f"{database}: no such database; {BUILD}, and copy its site.sqlite3 here")
    connection = sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)
    try:
        connection.execute("SELECT now FROM miniweb_clock").fetchone()
    except sqlite3.DatabaseError as error:
        raise EnvironmentFault(f"{database}: not a miniweb database ({error}); {BUILD}") from None
    finally:
        connection.close()


def application(media: Path, rows: Data) -> WhiteNoise:
    """Pictures, styles and scripts come straight from their folders; the rest is Django's."""
    settings.configure(**options(rows.database, media))
    django.setup()
    from django.core.wsgi import get_wsgi_application

    application = WhiteNoise(rows.between_requests(get_wsgi_application()), max_age=3600)
    application.add_files(str(Path(oscar.__file__).parent / "static"), prefix="static/")
    application.add_files(machina.MACHINA_MAIN_STATIC_DIR, prefix="static/")
    application.add_files(str(HERE / "static"), prefix="static/")
    application.add_files(str(media), prefix="media/")
    return application


def listen(application: WhiteNoise, port: int) -> Any:
    """One thread: requests follow each other, so the clock is never shared and the database never locked."""
    try:
        return waitress.create_server(application, host=HOST, port=port, threads=1, connection_limit=500)
    except OSError as error:
        reason = f"port {port} on {HOST} cannot be used: {error.strerror or error}"
        raise EnvironmentFault(f"{reason}; choose another --port") from None
