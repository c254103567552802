"""Wait for a job's end and give its answer byte for byte."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable

from relay_runtime.context import Context
from relay_runtime.errors import Exit, UsageError
from relay_runtime.jobs import record as records
from relay_runtime.jobs.block import answer
from relay_runtime.jobs.conclude import conclude, failed
from relay_runtime.jobs.folder import JobFolder, folders
from relay_runtime.jobs.lost import clear_away
from relay_runtime.jobs.record import Record
from relay_runtime.jobs.standing import Standing, standing
from relay_runtime.lock import patient

_FIRST_LOOK = 0.03
_LONGEST_LOOK = 0.25
_JUDGE_EVERY = 2.0
_PATIENCE = 60.0


@dataclass(frozen=True)
class Ended:
    """A job that has ended: its record, its exit code, and what its caller gets."""

    record: Record
    outcome: str
    exit: Exit
    block: bytes
    report: bytes

    @property
    def answer(self) -> bytes:
        return answer(self.block, self.report, alone=bool(self.record.run))


def find(job_id: str, owner: str | None, context: Context) -> JobFolder:
    """The job by this name; UsageError when there is none, or when it is another owner's."""
    folder = folders(context.environ).find(job_id)
    if owner is not None and records.read(folder).owner not in ("", owner):
        raise UsageError("job.unknown", f"There is no job {job_id} of this owner.")
    return folder


def wait(folder: JobFolder, context: Context, pause: Callable[[float], None] | None = None) -> Ended:
    """Return once the block is there. A job whose worker died is ended as failed; nothing is started.

    `pause` is called between two looks with the seconds that it may take.
    """
    pause = pause or context.clock.sleep
    seconds, judged = _FIRST_LOOK, context.clock.monotonic()
    while not folder.block.exists():
        pause(seconds)
        seconds = min(seconds * 1.3, _LONGEST_LOOK)
        if context.clock.monotonic() >= judged + _JUDGE_EVERY:
            judged = context.clock.monotonic()
            if standing(folder, context.clock) is Standing.LOST:
                end_lost(folder, context)
    return ended(folder)


def ended(folder: JobFolder) -> Ended:
    outcome = records.read_outcome(folder)
    return Ended(
        records.read(folder),
        outcome.word,
        outcome.exit,
        folder.block.read_bytes(),
        folder.report.read_bytes(),
    )


def end_lost(folder: JobFolder, context: Context) -> None:
    """End a job whose worker is gone, unless somebody else does or continues it."""
    with patient(folder.lock, "job end", context.clock, _PATIENCE):
        if standing(folder, context.clock) is not Standing.LOST:
            return
        record = records.read(folder)
        clear_away(folder, record, context.clock)
        conclude(
            folder, record, failed("lost", "The worker of the job ended without an answer."), context.clock
        )
