"""The state block that a job ends with. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from relay_runtime.attempts.facts import excerpt

_ERROR_LIMIT = 1000
UNSTATED = "default"


class Ended(Enum):
    """The three words that a block may begin with."""

    COMPLETED = "completed"
    CANCELLED = "cancelled"
    FAILED = "failed"


@dataclass(frozen=True)
class Block:
    """`model` and `effort` are empty where the client chose; `thread` is the continued one, if any."""

    state: Ended
    job: str
    backend: str
    model: str
    effort: str
    mode: str
    seconds: int
    report: Path
    error: str = ""
    thread: str = ""
    notes: tuple[str, ...] = ()

    def as_bytes(self) -> bytes:
        """One line for each fact, in a fixed order; no value can begin a line of its own."""
        lines = [
            ("state", self.state.value),
            ("job", self.job),
            ("backend", self.backend or UNSTATED),
            ("model", self.model or UNSTATED),
            ("effort", self.effort or UNSTATED),
            ("mode", self.mode or UNSTATED),
            ("duration", duration(self.seconds)),
            ("report", str(self.report)),
            ("dir", str(self.report.parent)),
        ]
        if self.error:
            lines.append(("error", excerpt(self.error, _ERROR_LIMIT)))
        if self.thread:
            lines.append(("automatic-resume", f"continued thread {self.thread}"))
        lines += [("note", note) for note in self.notes]
        text = "".join(f"{key}: {_one_line(value)}\n" for key, value in lines)
        return text.encode("utf-8", "backslashreplace")


def answer(block: bytes, report: bytes, *, alone: bool) -> bytes:
    """What a caller gets: the block, and outside of a Workflow the report's bytes after a line of dashes."""
    return block if alone else block + b"---\n" + report


def duration(seconds: int) -> str:
    """`12s`, `3m04s`, `1h02m03s`."""
    minutes, seconds = divmod(max(0, seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}h{minutes:02}m{seconds:02}s"
    return f"{minutes}m{seconds:02}s" if minutes else f"{seconds}s"


def _one_line(value: str) -> str:
    """A path may hold a newline, and so may what others said."""
    return "".join(char if char.isprintable() else " " for char in value)
