"""The host does the work itself: before any leg the relay ends, after one the host takes over."""

from __future__ import annotations

from dataclasses import replace

from relay_runtime.answer import Answer, Next
from relay_runtime.clock import Clock, iso
from relay_runtime.context import Context
from relay_runtime.errors import Exit
from relay_runtime.relay.report import report
from relay_runtime.relay.transition import advance
from relay_runtime.state.relay import RoundRow
from relay_runtime.state.store import Stored
from relay_runtime.state.values import State


def go_native(stored: Stored, line: str, context: Context) -> Answer:
    """Say `line`, the visible fallback, and go on natively (5)."""
    if stored.relay.state is not State.PLANNED:
        return report(take_over(stored, context.clock), context, (line,), exit=Exit.NATIVE)
    stored = advance(
        stored,
        State.ABORTED,
        context.clock,
        record=replace(stored.record, pending=None),
        rounds=(*stored.relay.rounds, _row(stored, context.clock, "not started: the host works natively")),
    )
    answer = report(stored, context, (line,), exit=Exit.NATIVE)
    return replace(answer, next=Next(step=f"go on natively, on the branch {stored.relay.branch}"))


def take_over(stored: Stored, clock: Clock) -> Stored:
    """HOST_TAKEOVER. A fix round that cannot start counts as one that failed at once."""
    relay, record = stored.relay, replace(stored.record, pending=None)
    if relay.state is not State.FIX_ROUND:
        return advance(stored, State.HOST_TAKEOVER, clock, record=record)
    return advance(
        stored,
        State.HOST_TAKEOVER,
        clock,
        through=(State.TARGET_IMPLEMENTING, State.TARGET_FAILED),
        record=record,
        rounds=(*relay.rounds, _row(stored, clock, "not started: the host takes over")),
    )


def _row(stored: Stored, clock: Clock, result: str) -> RoundRow:
    now = iso(clock.now())
    fix = stored.relay.state is State.FIX_ROUND
    return RoundRow(
        stored.relay.round + fix, "target-fix" if fix else "target-implement", now, now, "—", result
    )
