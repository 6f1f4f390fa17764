"""A one-node Slurm from Debian's packages, whole in one folder: own key, sockets, ports, state and logs."""

import os
import secrets
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from webassay.core.processes import die_with_parent

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue", "sinfo", "scancel")
MUNGE_FILES = ("key-file", "socket", "pid-file", "log-file", "seed-file")
PATIENCE = 120.0

# No cgroups, no systemd, no accounting; config_overrides: the node has what is written here, whatever the machine has.
SLURM_CONF = """\
ClusterName=webassay
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
MailProg=/bin/true
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1
EnforcePartLimits=ALL
ReturnToService=2
KillWait=2
MinJobAge=3600
NodeName={host} NodeAddr=127.0.0.1 CPUs=4 RealMemory=16000 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


class Unavailable(Exception):
    """There is no Slurm here, for the reason given."""


@dataclass(frozen=True)
class Cluster:
    folder: Path

    @property
    def variables(self) -> list[str]:
        """NAME=VALUE: what a process needs to find this cluster."""
        return [
            f"SLURM_CONF={self.folder / 'slurm.conf'}",
            f"PATH={self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
        ]

    def daemon(self, *command: str) -> AbstractContextManager[None]:
        return _daemon(["env", *self.variables, *command])

    def ask(self, *command: str) -> list[str]:
        """The lines that one of Slurm's commands answers."""
        words = ["env", *self.variables, *command]
        done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE)
        return done.stdout.split("\n")[:-1] if done.returncode == 0 else []

    def jobs(self) -> list[tuple[str, str]]:
        """(state, comment) of every job so far, as Slurm remembers them; Snakemake's comment names the rules."""
        lines = self.ask("squeue", "--states=all", "--noheader", "--sort=i", "--format=%T|%k")
        return [(state, comment) for state, _, comment in (line.partition("|") for line in lines)]

    def is_idle(self) -> bool:
        return self.ask("sinfo", "--noheader", "--format=%T") == ["idle"]


def install() -> None:
    """Debian's packages, where they are missing and can be had."""
    if all(map(shutil.which, PROGRAMS)):
        return
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        raise Unavailable("Slurm and munge are not installed, and only root on Debian can install them from here")
    for command in (["update"], ["install", "-y", "--no-install-recommends", "slurm-wlm", "munge"]):
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        done = subprocess.run(["apt-get", *command], env=environment, capture_output=True, text=True, timeout=600)
        if done.returncode != 0:
            raise Unavailable(f"apt-get {command[0]} failed: {done.stderr.strip()[-300:]}")


@contextmanager
def one_node(folder: Path) -> Iterator[Cluster]:
    """A cluster with an idle node; its daemons end with the block, and with this process if that is killed."""
    _write_configuration(folder)
    cluster = Cluster(folder)
    files = [f"--{kind}={folder}/munge.{kind.removesuffix('-file')}" for kind in MUNGE_FILES]
    with ExitStack() as daemons:
        daemons.enter_context(cluster.daemon("munged", "--foreground", "--force", *files))
        wait_until((folder / "munge.socket").exists, f"munged opened no socket; see {folder}/munge.log")
        daemons.enter_context(cluster.daemon("slurmctld", "-D", "-c"))
        daemons.enter_context(cluster.daemon("slurmd", "-D"))
        wait_until(cluster.is_idle, f"the node did not become idle; see slurmctld.log and slurmd.log in {folder}")
        try:
            yield cluster
        finally:
            cluster.ask("scancel", f"--user={os.getuid()}")
            wait_until(cluster.is_idle, "jobs are still running after scancel")


def _write_configuration(folder: Path) -> None:
    for name in ("state", "spool", "bin"):
        (folder / name).mkdir()
    ports = dict(zip(("controller_port", "node_port"), _free_ports(2), strict=True))
    host = socket.gethostname().partition(".")[0]
    conf = folder / "slurm.conf"
    conf.write_text(SLURM_CONF.format(folder=folder, host=host, user=os.getuid(), **ports))
    (folder / "munge.key").write_bytes(secrets.token_bytes(128))
    (folder / "munge.key").chmod(0o600)
    # Inside a job the plugin hides SLURM_CONF from srun, as if a cluster's configuration always stood in /etc/slurm.
    srun = folder / "bin" / "srun"
    srun.write_text(f'#!/bin/sh\nSLURM_CONF={conf} exec {shutil.which("srun")} "$@"\n')
    srun.chmod(0o755)


def _free_ports(count: int) -> list[int]:
    with ExitStack() as sockets:
        held = [sockets.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [each.getsockname()[1] for each in held]


@contextmanager
def _daemon(command: Sequence[str]) -> Iterator[None]:
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, preexec_fn=die_with_parent) as process:
        try:
            yield
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


def wait_until(condition: Callable[[], bool], complaint: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(complaint)
        time.sleep(0.1)
