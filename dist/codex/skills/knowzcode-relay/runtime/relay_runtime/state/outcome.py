"""How a leg can end, and what follows from it. Both are closed tables."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from relay_runtime.errors import Exit
from relay_runtime.state.values import State


class Outcome(Enum):
    """What the evidence of a leg proves."""

    DONE = "done"
    DONE_NO_CHANGE = "done-no-change"
    AUTH = "auth"
    QUOTA = "quota"
    MODEL = "model"
    BUDGET = "budget"
    PERMISSION = "permission"
    SANDBOX = "sandbox"
    NETWORK = "network"
    FLAGS = "flags"
    SESSION_GONE = "session-gone"
    SESSION_BUSY = "session-busy"
    UNFINISHED_BACKGROUND = "unfinished-background"
    STREAM_UNREADABLE = "stream-unreadable"
    INTERRUPTED = "interrupted"
    TIMEOUT_STOPPED = "timeout-stopped"
    LOST = "lost"
    FAILED = "failed"


class Cause(Enum):
    """Why the supervisor itself ended a leg; NONE when it did not."""

    NONE = ""
    AUTH = "auth"
    NETWORK = "network"
    PERMISSION = "permission"
    IDLE = "idle"
    TIME_INTERRUPT = "interrupt-and-resume"
    TIME_STOP = "stop"
    CANCEL = "cancel"
    SIGNAL = "signal"
    FAULT = "fault"


@dataclass(frozen=True)
class Verdict:
    """An outcome with what a person needs. `reason` is bounded and may hold the target's untrusted words."""

    outcome: Outcome
    reason: str = ""
    remedy: str = ""
    resets_at: str = ""


class Spends(Enum):
    """Whether an outcome uses up the attempt. SAME: the repair belongs to this very attempt."""

    NO = "no"
    YES = "yes"
    SAME = "same"


class Follow(Enum):
    """What comes next."""

    CHECKPOINT = "checkpoint"
    REVIEW = "review"
    ASK = "ask"
    RESUME = "resume"
    FRESH = "fresh"
    WAIT = "wait"
    AS_DECIDED = "as-decided"
    REPAIR = "repair"
    CHANGE = "change"


@dataclass(frozen=True)
class Consequence:
    """`state` is the relay's state after the outcome; `exit` the exit code of the verb that reports it."""

    state: State
    exit: Exit
    spends: Spends
    follow: Follow


_RESUME_ONCE = Consequence(State.TARGET_FAILED, Exit.FAILED, Spends.YES, Follow.RESUME)
_PAUSE = Consequence(State.TARGET_FAILED, Exit.PAUSE, Spends.NO, Follow.ASK)
_CHANGE = Consequence(State.TARGET_FAILED, Exit.HALT, Spends.NO, Follow.CHANGE)

CONSEQUENCES: dict[Outcome, Consequence] = {
    Outcome.DONE: Consequence(State.TARGET_DONE, Exit.DONE, Spends.NO, Follow.CHECKPOINT),
    Outcome.DONE_NO_CHANGE: Consequence(State.TARGET_DONE, Exit.DONE, Spends.NO, Follow.REVIEW),
    Outcome.AUTH: _PAUSE,
    Outcome.QUOTA: _PAUSE,
    Outcome.NETWORK: _RESUME_ONCE,
    Outcome.STREAM_UNREADABLE: _RESUME_ONCE,
    Outcome.FAILED: _RESUME_ONCE,
    Outcome.INTERRUPTED: _RESUME_ONCE,
    Outcome.LOST: _RESUME_ONCE,
    Outcome.UNFINISHED_BACKGROUND: _RESUME_ONCE,
    Outcome.SESSION_GONE: Consequence(State.TARGET_FAILED, Exit.FAILED, Spends.SAME, Follow.FRESH),
    Outcome.SESSION_BUSY: Consequence(State.TARGET_FAILED, Exit.BUSY, Spends.NO, Follow.WAIT),
    Outcome.TIMEOUT_STOPPED: Consequence(State.TARGET_FAILED, Exit.FAILED, Spends.YES, Follow.AS_DECIDED),
    Outcome.FLAGS: Consequence(State.TARGET_FAILED, Exit.HALT, Spends.YES, Follow.REPAIR),
    Outcome.MODEL: _CHANGE,
    Outcome.SANDBOX: _CHANGE,
    Outcome.PERMISSION: _CHANGE,
    Outcome.BUDGET: _CHANGE,
}
