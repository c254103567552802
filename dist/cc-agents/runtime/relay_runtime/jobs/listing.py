"""Look over the jobs: list them, and delete old ones."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from relay_runtime.context import Context
from relay_runtime.errors import RelayError
from relay_runtime.jobs import record as records
from relay_runtime.jobs import roles
from relay_runtime.jobs.folder import JobFolder, JobFolders, folders
from relay_runtime.jobs.record import Record
from relay_runtime.jobs.standing import Standing, standing


@dataclass(frozen=True)
class Listed:
    """`state` is the outcome of an ended job, else how it stands. `record` is None when it cannot be read."""

    folder: JobFolder
    state: str
    living: bool
    record: Record | None
    problem: str = ""

    @property
    def line(self) -> str:
        if self.record is None:
            return f"[RELAY-JOB] {self.folder.id} {self.state}: {self.problem}"
        it = self.record
        return f"[RELAY-JOB] {it.id} {self.state} {it.backend or '-'} {it.mode or '-'} {it.created} {it.cwd}"

    def as_data(self) -> dict[str, object]:
        it = self.record
        known = {} if it is None else {**it.__dict__}
        return {**known, "job": self.folder.id, "state": self.state, "dir": str(self.folder.path)}


def listed(context: Context, owner: str | None = None) -> list[Listed]:
    """Every job, the newest first; one that cannot be read is listed too."""
    found = [_look(folder, context) for folder in folders(context.environ).all()]
    if owner is not None:
        found = [one for one in found if one.record is not None and one.record.owner == owner]
    return sorted(found, key=lambda one: one.record.created if one.record else "", reverse=True)


def prune(context: Context, keep: int) -> list[str]:
    """Delete all but the newest `keep` jobs that do not live; the ids of the deleted ones."""
    place = folders(context.environ)
    gone = [one.folder for one in listed(context) if not one.living and one.record is not None][keep:]
    for folder in gone:
        # The record goes first: what is left of an interrupted deletion is no job any more.
        folder.record.unlink()
        shutil.rmtree(folder.path)
    _forget(place)
    return [folder.id for folder in gone]


def _look(folder: JobFolder, context: Context) -> Listed:
    try:
        record = records.read(folder)
        how = standing(folder, context.clock)
        state = records.read_outcome(folder).word if how is Standing.ENDED else how.value
        return Listed(folder, state, how.living, record)
    except RelayError as error:
        return Listed(folder, "damaged", False, None, error.message)


def _forget(place: JobFolders) -> None:
    """Remove other names and roles of jobs that are not kept any more."""
    for path in list(place.jobs.iterdir()) if place.jobs.is_dir() else []:
        other = JobFolder(path).other_name
        if other.is_file() and not place.job(other.read_text("utf-8").strip()).record.is_file():
            shutil.rmtree(path)
    for run in list(place.workflows.iterdir()) if place.workflows.is_dir() else []:
        if not any(_kept(place, path) for path in run.glob("*.json")):
            shutil.rmtree(run)


def _kept(place: JobFolders, path: Path) -> bool:
    return any(place.job(job).record.is_file() for job in roles.read(path).values())
