"""Begin a job once: record it, then start its worker. A second call finds the first one's."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from relay_runtime.adapters.job import Mode
from relay_runtime.attempts.launch import new_id
from relay_runtime.attempts.process import identify_child
from relay_runtime.clock import iso
from relay_runtime.context import Context
from relay_runtime.errors import Exit, RelayError
from relay_runtime.fsio import write_atomic
from relay_runtime.jobs import record as records
from relay_runtime.jobs import roles, task
from relay_runtime.jobs.backends import DEFAULT
from relay_runtime.jobs.conclude import cancelled, conclude, refused
from relay_runtime.jobs.folder import JobFolder, JobFolders, folders
from relay_runtime.jobs.header import HeaderError
from relay_runtime.jobs.lost import clear_away, saved_session
from relay_runtime.jobs.record import Record
from relay_runtime.jobs.roles import Role
from relay_runtime.jobs.standing import Standing, standing
from relay_runtime.lock import patient
from relay_runtime.package import RUNTIME_FILE

_PATIENCE = 60.0


@dataclass(frozen=True)
class Wanted:
    """What the caller wants: a prompt, and who asks. `run` is empty and `index` 0 outside of a Workflow."""

    id: str
    prompt: bytes
    cwd: Path
    run: str = ""
    index: int = 0
    owner: str = ""

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.prompt).hexdigest()


class How(Enum):
    """What a call of `begin` found or did."""

    STARTED = "started"
    JOINED = "joined"
    CONTINUED = "continued"
    ENDED = "ended"
    REFUSED = "refused"
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class Begun:
    """`folder` is the job's, which may have an earlier id than the one asked for."""

    folder: JobFolder
    how: How


def begin(wanted: Wanted, context: Context) -> Begun:
    """Start the job, or join, continue or leave alone the one that this prompt already has."""
    place = folders(context.environ)
    folder = place.job(wanted.id)
    with ExitStack() as held:
        if wanted.run:
            role = Role(wanted.run, wanted.index, wanted.sha256)
            held.enter_context(roles.held(place, role, context.clock))
            first = roles.job_of(place, role)
            if first and first != wanted.id:
                _also_called(place, wanted, first)
                folder = place.job(first)
        _make(folder.path)
        held.enter_context(patient(folder.lock, "job start", context.clock, _PATIENCE))
        if folder.record.is_file():
            return Begun(folder, _again(folder, wanted, context))
        if wanted.run:
            roles.remember(place, Role(wanted.run, wanted.index, wanted.sha256), wanted.id)
        return Begun(folder, _first(folder, wanted, context))


def _first(folder: JobFolder, wanted: Wanted, context: Context) -> How:
    now = iso(context.clock.now())
    write_atomic(folder.asked, wanted.prompt, mode=0o600)
    blank = Record(
        id=wanted.id,
        owner=wanted.owner,
        run=wanted.run,
        index=wanted.index,
        prompt_sha256=wanted.sha256,
        created=now,
        begun=now,
        cwd=str(wanted.cwd),
        backend=DEFAULT,
        model="",
        effort="",
        mode=Mode.WRITE.value,
        attempt=new_id(),
    )
    try:
        found = task.read(wanted.prompt, wanted.cwd)
    except HeaderError as error:
        shown = ("backend", "model", "effort", "mode")
        record = blank.but(**{name: error.stated[name] for name in shown if name in error.stated})
        records.write(folder, record)
        conclude(folder, record, refused(error.sentence), context.clock)
        return How.REFUSED
    header = found.header
    write_atomic(folder.task, found.text, mode=0o600)
    record = blank.but(
        cwd=str(found.cwd),
        backend=header.backend.name,
        model=header.model,
        effort=header.effort,
        mode=header.mode.value,
    )
    records.write(folder, record)
    return _work(folder, record, How.STARTED, context)


def _again(folder: JobFolder, wanted: Wanted, context: Context) -> How:
    record = records.read(folder)
    if (record.prompt_sha256, record.run, record.index) != (wanted.sha256, wanted.run, wanted.index):
        raise RelayError(
            "job.other",
            f"There is another job with the id {wanted.id}: it has another prompt or place in a Workflow.",
            exit=Exit.CONFLICT,
            hint="Choose another id.",
        )
    found = standing(folder, context.clock)
    if found is Standing.ENDED:
        return How.ENDED
    # We hold the lock under which jobs are begun, so one without a worker has nobody who would start it.
    if found is Standing.RUNNING:
        return How.JOINED
    clear_away(folder, record, context.clock)
    session = saved_session(folder) or record.session
    folder.attempt.set_aside(record.turns)
    record = record.but(
        attempt=new_id(), turns=record.turns + 1, session=session, begun=iso(context.clock.now())
    )
    records.write(folder, record)
    return _work(folder, record, How.CONTINUED, context)


def _work(folder: JobFolder, record: Record, how: How, context: Context) -> How:
    """Start the worker, in a session of its own, unless somebody has cancelled meanwhile."""
    if folder.cancelled.exists():
        conclude(folder, record, cancelled(), context.clock)
        return How.CANCELLED
    with folder.worker_log.open("ab") as log:
        worker = subprocess.Popen(
            [sys.executable, "-I", str(RUNTIME_FILE), "job", "work", record.id],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=log,
            env=dict(context.environ),
            cwd=folder.path,
            start_new_session=True,
        )
    records.write_worker(folder, identify_child(worker.pid))
    return how


def _also_called(place: JobFolders, wanted: Wanted, first: str) -> None:
    """Let the id asked for be another name of the role's job."""
    other = place.job(wanted.id)
    if other.record.is_file():
        raise RelayError("job.other", f"There is another job with the id {wanted.id}.", exit=Exit.CONFLICT)
    _make(other.path)
    write_atomic(other.other_name, first.encode(), mode=0o600)


def _make(path: Path) -> None:
    """Nobody else of this machine reads what a job is about."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise RelayError(
            "job.state-dir",
            f"{path} cannot be made: {error.strerror or error}.",
            exit=Exit.HALT,
            hint="Name another folder in KNOWZCODE_RELAY_STATE_DIR.",
        ) from error
