"""Time, and nothing else asks for it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # loaded when a moment is asked for: many calls of the runtime never do
    from datetime import datetime


class Clock(Protocol):
    def now(self) -> datetime:
        """The wall clock, UTC, aware."""
        ...

    def monotonic(self) -> float:
        """Seconds that never go back."""
        ...

    def sleep(self, seconds: float) -> None: ...


class SystemClock:
    def now(self) -> datetime:
        from datetime import datetime, timezone

        return datetime.now(timezone.utc)

    def monotonic(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


def iso(moment: datetime) -> str:
    """`moment` as `2026-11-30T10:00:00Z`."""
    return _utc(moment).strftime("%Y-%m-%dT%H:%M:%SZ")


def stamp(moment: datetime) -> str:
    """`moment` with milliseconds, so that two writes in one second are told apart."""
    return _utc(moment).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _utc(moment: datetime) -> datetime:
    from datetime import timezone

    return moment.astimezone(timezone.utc)
