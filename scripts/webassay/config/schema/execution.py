"""How the work is done, and in which browser."""

from dataclasses import dataclass, field

from omegaconf import MISSING

from webassay.config.schema.runtime import runtime


@dataclass
class Browser:
    """Which one agents work in; another kind than the one that is started here is identity, where it is does not."""

    kind: str = "chromium"
    """chromium, firefox, cdp or browserbase."""


@dataclass
class Chromium(Browser):
    executable: str | None = runtime(None)
    """Path of a Chromium; None looks for one (`webassay doctor` says which)."""
    headless: bool = runtime(True)
    download_megabytes: float = runtime(50.0)
    """Of what pages hand out during an attempt, all in all; it is kept in the folder `downloads`."""


@dataclass
class Firefox(Chromium):
    kind: str = "firefox"


@dataclass
class CdpBrowser(Browser):
    kind: str = "cdp"
    endpoint: str = runtime(MISSING)
    elsewhere: bool = runtime(False)
    """An endpoint on this machine is a tunnel to a browser on another one, which may visit the open web."""


@dataclass
class BrowserbaseBrowser(Browser):
    kind: str = "browserbase"
    endpoint: str = runtime("https://api.browserbase.com")
    api_key_env: str = runtime("BROWSERBASE_API_KEY")
    project_env: str = runtime("BROWSERBASE_PROJECT_ID")
    proxies: bool = True
    advanced_stealth: bool = True
    solve_captchas: bool = True
    region: str = "us-east-1"
    session_seconds: int = runtime(7200)
    """After which BrowserBase ends a session by itself."""
    wait_seconds: float = runtime(300.0)
    """How long to wait for a session where too many are open."""
    captcha_seconds: float = runtime(60.0)
    """How long an agent waits while one is solved."""


@dataclass
class Budget:
    """Of a run; None: no limit. It stops between two attempts, and goes on when it is given more."""

    tokens: int | None = None
    """Of questions and replies, in all attempts together."""
    money: float | None = None
    """By model.prices."""
    seconds: float | None = None
    """Of this command's stage, not of those before it."""


@dataclass
class Execution:
    """How the work is done: nothing here can change a result."""

    workers: int = 2
    judging: int = 8
    """Trajectories that are judged side by side; a model judge mostly waits."""
    controls: int = 0
    """Runs with a known answer, mixed into each shard of judges that show screenshots to a model: in no score, and told
    by the rule judge_health."""
    shards: int = 1
    max_error_task_retries: int = 3
    shuffle: int | None = None
    """Seed of the order in which tasks are taken, another one for each run id; None: the benchmark's order."""
    progress_seconds: float = 10.0
    budget: Budget = field(default_factory=Budget)
