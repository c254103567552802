"""What the next attempt of a relay is: a new session or a resumed one, with which prompt and effort. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from relay_runtime.relay.machine import round_after
from relay_runtime.state.outcome import CONSEQUENCES, Follow, Outcome
from relay_runtime.state.record import Record
from relay_runtime.state.store import Stored
from relay_runtime.state.values import State


class Words(Enum):
    """Where the prompt comes from: WRITTEN lies there already, the other two are made for the launch."""

    WRITTEN = "written"
    CONTINUE = "continue"
    RECOVER = "recover"


@dataclass(frozen=True)
class Assignment:
    """`session` is empty for a new one. `source` is the prompt that the round began with."""

    round: int
    number: int
    session: str
    prompt: Path
    source: Path
    words: Words
    effort: str
    leg: str


def next_assignment(stored: Stored) -> Assignment:
    """The attempt that a launch would start now."""
    relay, record, files = stored.relay, stored.record, stored.files
    number = round_after(relay.state, State.TARGET_IMPLEMENTING, relay.round)
    session = relay.session_id or ""
    again = relay.state is State.TARGET_FAILED
    if again and _must_be_new(record, number):
        session = ""
    source = files.fix_prompt(number) if number else files.brief()
    words = Words.WRITTEN
    if again:
        words = Words.CONTINUE if session else Words.RECOVER
        prompt = files.continue_prompt(number) if session else files.recovery_prompt(number)
    elif session and number:
        prompt = files.delta_prompt(number)
    else:
        session, prompt = "", source
    return Assignment(
        round=number,
        number=len(record.of_round(number)) + 1,
        session=session,
        prompt=prompt,
        source=source,
        words=words,
        effort=record.settings.fix_effort if number else record.settings.effort,
        leg="target-resume" if again else "target-fix" if number else "target-implement",
    )


def _must_be_new(record: Record, number: int) -> bool:
    """The session is gone, or another process held it twice."""
    outcomes = [Outcome(attempt.outcome) for attempt in record.of_round(number) if attempt.outcome]
    gone = bool(outcomes) and CONSEQUENCES[outcomes[-1]].follow is Follow.FRESH
    return gone or outcomes[-2:] == [Outcome.SESSION_BUSY, Outcome.SESSION_BUSY]
