"""Waiting for something to become true, with a bound, instead of sleeping for a guess."""

import time
from collections.abc import Callable


def wait_for(condition: Callable[[], object], seconds: float = 15.0, what: str = "the condition") -> None:
    """Return as soon as `condition` holds; fail the test when it does not within the bound."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, f"{what} did not come true within {seconds} s"
        time.sleep(0.01)
