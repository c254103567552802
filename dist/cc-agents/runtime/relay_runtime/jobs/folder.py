"""Where jobs are kept: one folder each, no index. Nothing here but `JobFolders.find` touches the disk."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from relay_runtime.attempts.attempt import Files
from relay_runtime.errors import RelayError, UsageError

VARIABLE = "KNOWZCODE_RELAY_STATE_DIR"

_NAME = "knowzcode-relay"
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")


@dataclass(frozen=True)
class JobFolder:
    """`jobs/<id>/` and what lies in it."""

    path: Path

    @property
    def id(self) -> str:
        return self.path.name

    @property
    def asked(self) -> Path:
        """The whole prompt as it came: header and task."""
        return self.path / "asked.md"

    @property
    def task(self) -> Path:
        """What the target reads in its first turn."""
        return self.path / "task.md"

    @property
    def again(self) -> Path:
        """What it reads when its thread goes on."""
        return self.path / "continue.md"

    @property
    def record(self) -> Path:
        return self.path / "job.json"

    @property
    def worker(self) -> Path:
        """The process that carries the job out."""
        return self.path / "worker.json"

    @property
    def cancelled(self) -> Path:
        """It exists once somebody asked for an end."""
        return self.path / "cancel"

    @property
    def outcome(self) -> Path:
        """How it ended; written before the block."""
        return self.path / "ended.json"

    @property
    def report(self) -> Path:
        return self.path / "report.md"

    @property
    def block(self) -> Path:
        """Written last: it exists when the job has ended."""
        return self.path / "block"

    @property
    def lock(self) -> Path:
        """Held while a job is begun, or ended by another process than its worker."""
        return self.path / "lock"

    @property
    def work_lock(self) -> Path:
        """Held by the worker for its life."""
        return self.path / "worker.lock"

    @property
    def worker_log(self) -> Path:
        return self.path / "worker.log"

    @property
    def other_name(self) -> Path:
        """In place of all that: the id of the job that this id is another name of."""
        return self.path / "joined"

    @property
    def attempt(self) -> Files:
        return Files(
            log=self.path / "log.jsonl",
            err=self.path / "err.log",
            last=self.path / "last.md",
            exit=self.path / "exit",
            base=self.path / "attempt",
        )


@dataclass(frozen=True)
class JobFolders:
    """All that is kept, below one folder."""

    root: Path

    @property
    def jobs(self) -> Path:
        return self.root / "jobs"

    @property
    def workflows(self) -> Path:
        return self.root / "workflows"

    @property
    def sessions(self) -> Path:
        """Marks of the host's sessions, one or two small files each."""
        return self.root / "sessions"

    def job(self, job_id: str) -> JobFolder:
        """The folder of the job with this very id; an id that is no plain name is UsageError."""
        return JobFolder(self.jobs / plain("job id", job_id))

    def find(self, job_id: str) -> JobFolder:
        """The folder of the job that goes by this name; UsageError when there is none."""
        folder = self.job(job_id)
        if folder.other_name.is_file():
            folder = self.job(folder.other_name.read_text("utf-8").strip())
        if not folder.record.is_file():
            raise UsageError("job.unknown", f"There is no job {job_id}.", hint="List them with: job list")
        return folder

    def all(self) -> Iterator[JobFolder]:
        """Every job that was recorded."""
        found = sorted(self.jobs.iterdir()) if self.jobs.is_dir() else []
        return (JobFolder(path) for path in found if (path / "job.json").is_file())


def folders(environ: Mapping[str, str], platform: str = sys.platform) -> JobFolders:
    """The user's state folder on this system, or what KNOWZCODE_RELAY_STATE_DIR names."""
    named = environ.get(VARIABLE)
    if named:
        if not Path(named).is_absolute():
            raise UsageError("job.state-dir", f"{VARIABLE} must be an absolute path, and it is {named}.")
        return JobFolders(Path(named))
    return JobFolders(_user_state(environ, platform) / _NAME)


def plain(what: str, name: str) -> str:
    """`name` when it can be one part of a path and nothing else."""
    if _ID.fullmatch(name) is None:
        raise UsageError(
            "job.id",
            f"The {what} {name[:80]!r} is not a plain name of letters, digits, dots, dashes and underscores.",
        )
    return name


def _user_state(environ: Mapping[str, str], platform: str) -> Path:
    if platform == "win32":
        return Path(_must(environ, "LOCALAPPDATA"))
    if platform == "darwin":
        return Path(_must(environ, "HOME")) / "Library" / "Application Support"
    named = environ.get("XDG_STATE_HOME", "")
    return Path(named) if Path(named).is_absolute() else Path(_must(environ, "HOME")) / ".local" / "state"


def _must(environ: Mapping[str, str], name: str) -> str:
    if not environ.get(name):
        raise RelayError("job.state-dir", f"{name} is not set, so there is no folder to keep jobs in.")
    return environ[name]
