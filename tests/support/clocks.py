"""A clock that a test moves: time passes when someone waits, and a real moment passes too."""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

_MOMENT = 0.005


class FastClock:
    """Waiting takes a moment, and `step` seconds pass. It is the clock and the supervisor's wake in one.

    No time passes before `begins` says so: a real process that is slow to start must not lose hours.
    """

    def __init__(self, step: float = 3600.0, begins: Callable[[], bool] = lambda: True) -> None:
        self.passed = 0.0
        self.step = step
        self.begins = begins
        self.signalled = 0

    def now(self) -> datetime:
        return datetime(2026, 11, 30, 10, tzinfo=UTC) + timedelta(seconds=self.passed)

    def monotonic(self) -> float:
        return self.passed

    def sleep(self, seconds: float) -> None:
        if self.begins():
            self.passed += seconds
        time.sleep(_MOMENT)

    def wait(self, seconds: float) -> None:
        self.sleep(max(seconds, self.step))
