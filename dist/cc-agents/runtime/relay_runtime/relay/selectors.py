"""`progress`, `complete`, `session`, `result`: one fact about the present leg each, without waiting."""

from __future__ import annotations

from relay_runtime.answer import Answer
from relay_runtime.context import Context
from relay_runtime.errors import Exit
from relay_runtime.relay.poll import look, progress_now, supervised
from relay_runtime.relay.report import report
from relay_runtime.relay.tell import exit_of
from relay_runtime.state.outcome import CONSEQUENCES, Outcome
from relay_runtime.state.values import State


def progress(context: Context, wgid: str | None) -> Answer:
    """The bounded lines about a leg, as poll prints them when they are due."""
    settled = look(context, wgid)
    return report(settled.stored, context, progress_now(settled) or ("[RELAY-PROGRESS] events: 0",))


def complete(context: Context, wgid: str | None) -> Answer:
    """Exit 0 when the present leg has ended with success, else that of its outcome, and 1 while it lives."""
    stored = look(context, wgid).stored
    attempts = stored.record.of_round(stored.relay.round)
    outcome = attempts[-1].outcome if attempts else None
    if outcome is None:
        return report(stored, context, ("[RELAY-COMPLETE] no",), exit=Exit.FAILED)
    done = CONSEQUENCES[Outcome(outcome)].state is State.TARGET_DONE
    said = f"[RELAY-COMPLETE] {'yes' if done else 'no'}: {outcome}"
    return report(stored, context, (said,), exit=Exit.DONE if done else exit_of(stored) or Exit.FAILED)


def session(context: Context, wgid: str | None) -> Answer:
    """The id of the target's session; exit 1 while it is not known."""
    stored = look(context, wgid).stored
    known = stored.relay.session_id
    line = f"[RELAY-SESSION] {known or 'pending'}"
    return report(stored, context, (line,), exit=Exit.DONE if known else Exit.FAILED)


def result(context: Context, wgid: str | None) -> Answer:
    """How the leg ended, and the last terminal event of its stream, `unknown` while or where it has none."""
    stored = look(context, wgid).stored
    record = supervised(stored)
    terminal = (record.facts.terminal if record is not None else "") or "unknown"
    subtype = stored.relay.result_subtype or "pending"
    line = f"[RELAY-RESULT] {subtype}; last terminal event: {terminal}"
    return report(stored, context, (line,), data={"result_subtype": subtype, "terminal": terminal})
