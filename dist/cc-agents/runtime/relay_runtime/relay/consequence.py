"""What an outcome makes of a relay: its state, whether the attempt is spent, and who has to decide now."""

from __future__ import annotations

from dataclasses import dataclass, replace

from relay_runtime.clock import Clock, iso
from relay_runtime.relay.transition import advance
from relay_runtime.state.outcome import CONSEQUENCES, Follow, Outcome, Spends, Verdict
from relay_runtime.state.record import Attempt, Pending, Record
from relay_runtime.state.relay import Checkpoint, Relay, RoundRow
from relay_runtime.state.store import Stored
from relay_runtime.state.values import State

ATTEMPTS = 2
"""How many attempts a round has: the first and one resume."""

_RESULT_LENGTH = 300


@dataclass(frozen=True)
class End:
    """How the attempt's process ended. `exit` is the marker's number, None without one.

    `started`: there is a trace of a process. `stopped_for_good`: the time dialogue gave the work back to the
    host.
    """

    exit: int | None
    session_id: str | None
    attach: str | None
    output_at: str
    started: bool
    stopped_for_good: bool


def apply(stored: Stored, verdict: Verdict, end: End, clock: Clock) -> Stored:
    """Write the outcome down: TARGET_DONE or TARGET_FAILED, and HOST_TAKEOVER when no attempt is left."""
    relay, record = stored.relay, stored.record
    consequence = CONSEQUENCES[verdict.outcome]
    ended = iso(clock.now())
    attempt = replace(
        record.attempts[-1],
        ended=ended,
        outcome=verdict.outcome.value,
        reason=verdict.reason,
        spent=end.started and _is_spent(consequence.spends, record.attempts[-1]),
    )
    unchanged = verdict.outcome is Outcome.DONE_NO_CHANGE
    kept = replace(
        record,
        attempts=(*record.attempts[:-1], attempt),
        unread=True,
        unchanged_accepted=False,
        pending=_pending(verdict, consequence.follow),
    )
    failed = consequence.state is State.TARGET_FAILED
    over = failed and (end.stopped_for_good or attempts_left(kept, relay.round) == 0)
    return advance(
        stored,
        State.HOST_TAKEOVER if over else consequence.state,
        clock,
        through=(State.TARGET_FAILED,) if over else (),
        record=replace(kept, pending=None) if over else kept,
        pid=None,
        session_id=end.session_id,
        manual_attach=end.attach,
        result_subtype=verdict.outcome.value if failed else "success",
        last_output=end.output_at or relay.last_output,
        checkpoints=(*relay.checkpoints, *(_same_checkpoint(relay) if unchanged else ())),
        rounds=_rounds(relay, verdict, ended, end.exit),
    )


def attempts_left(record: Record, number: int) -> int:
    """How many attempts the round still has."""
    return max(0, ATTEMPTS - sum(attempt.spent for attempt in record.of_round(number)))


def _is_spent(spends: Spends, attempt: Attempt) -> bool:
    """SAME: the new session that replaces a lost one is part of this attempt; it is not replaced again."""
    return spends is Spends.YES or (spends is Spends.SAME and not attempt.session)


def _same_checkpoint(relay: Relay) -> tuple[Checkpoint, ...]:
    """Nothing was changed, so the round's checkpoint is the commit that it began with."""
    base = relay.checkpoint(f"C{relay.round}") or ""
    return (Checkpoint(relay.to_review, base, f"Round {relay.round} changed nothing"),)


def _rounds(relay: Relay, verdict: Verdict, ended: str, exit: int | None) -> tuple[RoundRow, ...]:
    result = verdict.outcome.value + (f": {verdict.reason}" if verdict.reason else "")
    shown = "—" if exit is None else str(exit)
    row = replace(relay.rounds[-1], ended=ended, exit=shown, result=result[:_RESULT_LENGTH])
    return (*relay.rounds[:-1], row)


def _pending(verdict: Verdict, follow: Follow) -> Pending | None:
    """The decision that is due after a failure that a retry alone does not mend."""
    about, said = verdict.outcome.value, f"{verdict.reason} {verdict.remedy}".strip()
    if follow is Follow.ASK:
        resets = f" It resets at {verdict.resets_at}." if verdict.resets_at else ""
        return Pending(about, ("retry", "native"), f"{said}{resets} Done, so that the leg can go on?")
    if follow in (Follow.CHANGE, Follow.WAIT, Follow.REPAIR):
        return Pending(about, ("retry", "takeover"), f"{said} Done, so that the leg can go on?")
    return None
