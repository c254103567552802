"""What the time given to a leg means: a dialogue near its end, never a kill by the clock alone.

Pure: the supervisor feeds it the clock, the evidence and the replies, and does what it says.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

EXTENSION_MINUTES = 30
_FRESH_OUTPUT = 5 * 60.0  # seconds: output this young earns the one automatic extension


class Word(Enum):
    """The replies to a time check; there are no others."""

    CONTINUE = "continue-live"
    INTERRUPT = "interrupt-and-resume"
    STOP = "stop"


class Action(Enum):
    """What the supervisor does now."""

    RUN = "run"
    NOTICE = "notice"
    EXTEND = "extend"
    EXTEND_AUTOMATICALLY = "extend-automatically"
    INTERRUPT = "interrupt-and-resume"
    STOP = "stop"


@dataclass(frozen=True)
class Budget:
    """The minutes given at first, and the extensions so far. `noticed` counts the time checks opened."""

    minutes: int
    extensions: int = 0
    automatic: bool = False
    noticed: int = 0

    @property
    def horizon(self) -> float:
        """Seconds from the start to the checkpoint that is due next."""
        return 60.0 * (self.minutes + EXTENSION_MINUTES * self.extensions)

    @property
    def notice(self) -> float:
        """Seconds from the start to the time check before that checkpoint."""
        return self.horizon - 60.0 * notice_minutes(self.minutes)

    def after(self, action: Action) -> Budget:
        """The budget once `action` was taken."""
        if action is Action.NOTICE:
            return Budget(self.minutes, self.extensions, self.automatic, self.extensions + 1)
        if action is Action.EXTEND:
            return Budget(self.minutes, self.extensions + 1, self.automatic, self.noticed)
        if action is Action.EXTEND_AUTOMATICALLY:
            return Budget(self.minutes, self.extensions + 1, True, self.noticed)
        return self


@dataclass(frozen=True)
class Evidence:
    """What is known of a living leg, in seconds. Nothing of it comes from the target's words."""

    elapsed: float
    output_age: float
    resumable: bool


def notice_minutes(minutes: int) -> int:
    """How long before the checkpoint the dialogue opens."""
    return min(15, max(1, minutes // 4))


def decide(budget: Budget, evidence: Evidence, reply: Word | None = None) -> Action:
    """The action for this moment. A reply counts at once; without one the checkpoint has a default."""
    if reply is Word.STOP:
        return Action.STOP
    if reply is Word.INTERRUPT:
        return Action.INTERRUPT
    if reply is Word.CONTINUE:
        return Action.EXTEND
    if evidence.elapsed >= budget.horizon:
        if evidence.output_age <= _FRESH_OUTPUT and not budget.automatic:
            return Action.EXTEND_AUTOMATICALLY
        return Action.INTERRUPT if evidence.resumable else Action.STOP
    if evidence.elapsed >= budget.notice and budget.noticed <= budget.extensions:
        return Action.NOTICE
    return Action.RUN


def recommendation(evidence: Evidence) -> Word:
    """What the evidence speaks for, to show with the time check."""
    if evidence.output_age <= _FRESH_OUTPUT:
        return Word.CONTINUE
    return Word.INTERRUPT if evidence.resumable else Word.STOP
