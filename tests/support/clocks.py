"""A clock that a test moves: time passes when someone waits, and a real moment passes too."""

import time
from datetime import UTC, datetime, timedelta

_MOMENT = 0.005


class FastClock:
    """Waiting `seconds` takes a moment. It is the clock and the supervisor's wake in one.

    `at_most` bounds what one wait may skip, so that a test sees every minute.
    """

    def __init__(self, at_most: float = 3600.0) -> None:
        self.passed = 0.0
        self.at_most = at_most
        self.signalled = 0

    def now(self) -> datetime:
        return datetime(2026, 11, 30, 10, tzinfo=UTC) + timedelta(seconds=self.passed)

    def monotonic(self) -> float:
        return self.passed

    def sleep(self, seconds: float) -> None:
        self.passed += seconds
        time.sleep(_MOMENT)

    def wait(self, seconds: float) -> None:
        self.sleep(max(seconds, self.at_most))
