"""End a job with all that it started, or keep it from starting."""

from __future__ import annotations

from dataclasses import dataclass

from relay_runtime.attempts import attempt
from relay_runtime.attempts.attempt import Request
from relay_runtime.attempts.process import Identity, nudge
from relay_runtime.context import Context
from relay_runtime.errors import Exit, RelayError
from relay_runtime.fsio import write_atomic
from relay_runtime.jobs import record as records
from relay_runtime.jobs.conclude import CANCELLED, cancelled, conclude
from relay_runtime.jobs.folder import JobFolder
from relay_runtime.jobs.lost import clear_away
from relay_runtime.jobs.standing import Standing, standing
from relay_runtime.lock import patient

_PATIENCE = 60.0
_LOOK_EVERY = 0.05
_GIVE_UP = 90.0


@dataclass(frozen=True)
class Cancelled:
    """`changed` is False for a job that had ended before."""

    id: str
    outcome: str
    changed: bool
    survivors: tuple[Identity, ...] = ()

    @property
    def line(self) -> str:
        if not self.changed:
            return f"[RELAY-JOB] {self.id} had ended ({self.outcome}); nothing changed"
        if self.survivors:
            pids = ", ".join(str(one.pid) for one in self.survivors)
            return f"[RELAY-JOB] {self.id} {self.outcome}; {len(self.survivors)} survived: pid {pids}"
        return f"[RELAY-JOB] {self.id} {self.outcome}"


def ask_end(folder: JobFolder) -> None:
    """Ask the worker to end its job. The mark stands before the request: one of both is seen at any time."""
    write_atomic(folder.cancelled, b"")
    attempt.ask(folder.attempt, Request.CANCEL)
    worker = records.read_worker(folder)
    if worker is not None:
        nudge(worker)


def cancel(folder: JobFolder, context: Context) -> Cancelled:
    """Return when the job and all of its processes are gone; RelayError when its worker does not obey."""
    if folder.block.exists():
        return Cancelled(folder.id, records.read_outcome(folder).word, changed=False)
    ask_end(folder)
    until = context.clock.monotonic() + _GIVE_UP
    while not folder.block.exists():
        if standing(folder, context.clock) is not Standing.RUNNING:
            _end(folder, context)
        elif context.clock.monotonic() >= until:
            raise RelayError("job.deaf", f"The worker of job {folder.id} does not end.", exit=Exit.FAILED)
        context.clock.sleep(_LOOK_EVERY)
    record = attempt.read_record(folder.attempt.record)
    word = records.read_outcome(folder).word
    return Cancelled(folder.id, word, word == CANCELLED, record.survivors if record else ())


def _end(folder: JobFolder, context: Context) -> None:
    """End a job that has no worker, or whose worker is gone."""
    with patient(folder.lock, "job cancel", context.clock, _PATIENCE):
        if standing(folder, context.clock) in (Standing.ENDED, Standing.RUNNING):
            return
        record = records.read(folder)
        conclude(folder, record, cancelled(clear_away(folder, record, context.clock)), context.clock)
