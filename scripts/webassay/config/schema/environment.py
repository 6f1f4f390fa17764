"""The sites that tasks are about."""

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING

from webassay.config.schema.benchmark import Dataset
from webassay.config.schema.runtime import runtime


@dataclass
class Site:
    url: str = runtime(MISSING)
    """As agents see it; of a site that is started here, without a port."""
    ready_path: str = runtime("/")
    ready_text: str = runtime(MISSING)
    """A text that only a working page shows: an empty catalogue answers 200 too. Empty: nothing is asked."""
    login_path: str | None = None
    login_form: dict[str, str] = runtime({})
    """Fields of the form at `login_path`; `{user}` and `{password}` are the account's. The rest of the form (its
    address, hidden fields, button) is taken from the page."""
    proof_path: str = runtime("")
    proof_text: str = runtime("")
    """A page and a text on it that only a logged-in visitor sees (`{user}` allowed); without a text `user_header`
    proves it, without a path at `login_path`."""
    session_cookie: str | None = None
    login_required: bool = False
    """Every task on this site is done by somebody logged in; else a task's `account` says so."""
    public_cookies: list[str] = field(default_factory=list)
    """Kept with their values in evidence, since a task looks at them; all others are redacted. A verdict rests on
    these four, so they are identity."""
    user_header: str | None = None
    """The header in which every answer names the user that it was made for: the evidence of who acted."""
    account: str | None = None
    """Who is logged in here when the task names nobody."""
    state_path: str | None = None
    """GET answers the site's whole state as JSON, once a page has been open: the runner opens the start page for a
    moment before the agent comes, and looks again when it has gone."""
    own_writes: list[str] = field(default_factory=list)
    """`PUT /api/state`: requests that only the site's own scripts make; who made each is recorded as evidence."""


@dataclass
class Account:
    """Who can be logged in, on each of a task's sites; the form is the site's."""

    site: str | None = None
    """The only one that knows this account; null: all of them do."""
    user: str = MISSING
    password: str = runtime(MISSING)
    """Redacted from all evidence; `${oc.env:NAME}` keeps it out of every file."""


@dataclass
class Reset:
    """How the sites get back to their seeded state before each attempt."""

    by: str = "copy"
    """copy: the database file; url: a POST; command: a program; restart: a new process; none: what agents do stays."""
    url: str = runtime("")
    """`{port}` and `{control_port}` are filled in; the token of WEBASSAY_SITE_TOKEN is sent as a bearer's."""
    command: list[str] = runtime([])
    timeout: float = runtime(60.0)


@dataclass
class Folders:
    """Sites that are folders of a checkout: each with the file `having` is a site of its name, started when needed."""

    having: str = MISSING
    only: Any = field(default_factory=list)
    """A name or several; empty: all."""
    site: Site = MISSING
    """What each is like; `{site}` in its url stands for its name."""


@dataclass
class Environment:
    """The sites that tasks are about: how to start, reset and look into them."""

    name: str = MISSING
    dataset: Dataset | None = None
    path: str = runtime("")
    """A folder of the user's: a checkout of applications; its content is identity."""
    folders: Folders | None = None
    sites: dict[str, Site] = field(default_factory=dict)
    accounts: dict[str, Account] = field(default_factory=dict)
    command: list[str] = field(default_factory=list)
    """Starts one copy, which finds a random token in WEBASSAY_SITE_TOKEN; `{python}`, `{data}`, `{database}`,
    `{port}`, `{control_port}`, `{path}` and `{site}` are filled in. With `{site}` here or in `cwd` each site is a
    process of its own, started for the first task that needs it. Empty: the sites run elsewhere, at their url."""
    cwd: str = runtime("")
    """The folder it is started in; `{path}` and `{site}` are filled in."""
    private_cwd: bool = runtime(False)
    """Each start is in a copy of that folder, so that what the site writes beside itself is gone with it."""
    passes: list[str] = runtime([])
    """Variables that its programs are given although they are called like a key or a password."""
    database: str = "site.sqlite3"
    """The template in the dataset's folder that a reset copies; empty: none, so no SQL and no diff."""
    reset: Reset = field(default_factory=Reset)
    volatile: list[str] = field(default_factory=list)
    """Tables, or table.column, that may change without an agent's doing: left out of the database's diff."""
    locale: str = "en-GB"
    timezone: str = "UTC"
    """As the agents' browser tells them to pages: how these write numbers, dates and times."""
    port: int = runtime(0)
    """0 takes a free one for each worker."""
    start_timeout: float = runtime(30.0)
    verifier_timeout: float = runtime(60.0)
    """For a benchmark's own verifier, which is asked while the sites still run."""


@dataclass
class LiveEnvironment(Environment):
    """The open web: nothing is started, looked at or reset, and any site may be a task's."""

    any_site: bool = True
    start_url: str = "https://www.bing.com"
    """For tasks that name no page to start from."""
