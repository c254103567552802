"""Exit codes and the one exception a user can act on."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum


class Exit(IntEnum):
    """What a verb's exit code tells the caller. The generator has the same table; a test compares them."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    HALT = 3
    PAUSE = 4
    NATIVE = 5
    CLARIFY = 6
    BUSY = 7
    CONFLICT = 8
    FAULT = 70


class RelayError(Exception):
    """A refusal or failure with its remedy.

    `problem` is a stable dotted code, `message` one sentence naming the file or value, `hint` the next step.
    """

    def __init__(
        self,
        problem: str,
        message: str,
        *,
        exit: Exit = Exit.FAILED,
        hint: str = "",
        data: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(message)
        self.problem = problem
        self.message = message
        self.exit = exit
        self.hint = hint
        self.data: Mapping[str, object] = data or {}

    def as_line(self) -> str:
        """The tagged line; a message that carries a tag of its own keeps it."""
        return self.message if self.message.startswith("[RELAY-") else f"[RELAY-HALT] {self.message}"


class UsageError(RelayError):
    """The call's words are wrong (exit 2)."""

    def __init__(self, problem: str, message: str, *, hint: str = "") -> None:
        super().__init__(problem, message, exit=Exit.USAGE, hint=hint)
