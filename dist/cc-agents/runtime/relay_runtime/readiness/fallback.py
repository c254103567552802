"""What an unready target means for this run: halt, pause or the visible native fallback. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from relay_runtime.adapters.base import Status
from relay_runtime.errors import Exit
from relay_runtime.readiness.detect import Readiness

# Nobody named the provider on this call, so native work is a fair answer.
AUTOMATIC = frozenset({"flag-automatic", "natural-automatic", "config", "entry-default"})
_WHY = {Status.MISSING: "not found", Status.BROKEN: "broken"}


class Course(Enum):
    GO = "go"
    HALT = "halt"
    FALLBACK = "fallback"
    PAUSE = "pause"


@dataclass(frozen=True)
class Decision:
    """`line` is shown verbatim; `remediation` is for a person; `question` is empty when nobody is asked."""

    course: Course
    exit: Exit
    line: str = ""
    remediation: str = ""
    question: str = ""


def decide(readiness: Readiness, source: str, *, autonomous: bool) -> Decision:
    """The course for a target whose choice came from `source`, a word of the resolution."""
    status, remediation = readiness.status, readiness.remediation
    if status is Status.READY:
        return Decision(Course.GO, Exit.DONE)
    if status is Status.UNAUTHED:
        # Also when autonomous: only a person can log in, and only a person may decide to do without.
        question = f"{remediation} Then say to go on with one more check, or decline to work natively."
        return Decision(Course.PAUSE, Exit.PAUSE, readiness.line(), remediation, question)
    if status is Status.TOO_OLD or source not in AUTOMATIC:
        return Decision(Course.HALT, Exit.HALT, readiness.line(), remediation)
    question = "" if autonomous else "Native work goes on; say stop to end the run instead."
    return Decision(
        Course.FALLBACK, Exit.NATIVE, _line(readiness.target, _WHY[status]), remediation, question
    )


def declined(target: str, why: str = "not authenticated") -> Decision:
    """The course after the user declined to log in, or to wait for another reason."""
    return Decision(Course.FALLBACK, Exit.NATIVE, _line(target, why))


def _line(target: str, why: str) -> str:
    return f"[RELAY-FALLBACK] {target} CLI {why} — running native Phase 2A"
