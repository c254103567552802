"""How a job stands, judged from its files and from the processes themselves."""

from __future__ import annotations

from enum import Enum

from relay_runtime.attempts.process import alive, judgeable
from relay_runtime.clock import Clock
from relay_runtime.jobs import record
from relay_runtime.jobs.folder import JobFolder

_START_LIMIT = 60.0  # seconds within which a job that was recorded has a worker, or never will


class Standing(Enum):
    """LOST: its worker is gone and left no block. A worker that we cannot look at counts as running."""

    STARTING = "starting"
    RUNNING = "running"
    ENDED = "ended"
    LOST = "lost"

    @property
    def living(self) -> bool:
        return self in (Standing.STARTING, Standing.RUNNING)


def standing(folder: JobFolder, clock: Clock) -> Standing:
    if folder.block.exists():
        return Standing.ENDED
    worker = record.read_worker(folder)
    if worker is None:
        age = clock.now().timestamp() - folder.record.stat().st_mtime
        return Standing.STARTING if age < _START_LIMIT else Standing.LOST
    if not judgeable(worker) or alive(worker):
        return Standing.RUNNING
    return Standing.ENDED if folder.block.exists() else Standing.LOST  # it may have ended between two looks
