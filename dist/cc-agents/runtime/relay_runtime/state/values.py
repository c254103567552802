"""The closed sets of a relay's state."""

from __future__ import annotations

from enum import Enum


class State(Enum):
    """Where a relay stands. The words name roles, never providers."""

    INIT = "INIT"
    PLANNED = "PLANNED"
    TARGET_IMPLEMENTING = "TARGET_IMPLEMENTING"
    TARGET_FAILED = "TARGET_FAILED"
    TARGET_DONE = "TARGET_DONE"
    REVIEWING = "REVIEWING"
    FIX_ROUND = "FIX_ROUND"
    HOST_TAKEOVER = "HOST_TAKEOVER"
    FINALIZING = "FINALIZING"
    DONE = "DONE"
    ABORTED = "ABORTED"

    @property
    def final(self) -> bool:
        return self in (State.DONE, State.ABORTED)


HOSTS = ("claude", "codex")
TARGETS = ("claude", "codex")
SELECTORS = ("auto", "other", "claude", "codex")
SOURCES = (
    "flag-named",
    "flag-automatic",
    "natural-named",
    "natural-automatic",
    "config",
    "entry-default",
)
TRANSPORTS = ("mcp", "exec")
