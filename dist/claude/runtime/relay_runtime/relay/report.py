"""What every verb about a relay answers in JSON, and how it words its state."""

from __future__ import annotations

from relay_runtime.answer import Answer
from relay_runtime.context import Context
from relay_runtime.errors import Exit
from relay_runtime.relay.next_step import next_step
from relay_runtime.state.store import Stored


def report(
    stored: Stored,
    context: Context,
    lines: tuple[str, ...],
    *,
    exit: Exit = Exit.DONE,
    hint: str = "",
    data: dict[str, object] | None = None,
) -> Answer:
    """The answer of a verb that has left the relay as `stored`. The first line is also the message."""
    return Answer(
        message=lines[0].partition("] ")[2] or lines[0],
        exit=exit,
        lines=lines,
        hint=hint,
        next=next_step(stored, context),
        data={**as_data(stored), **(data or {})},
    )


def as_data(stored: Stored) -> dict[str, object]:
    """The keys that all verbs about a relay share; `checkpoint` is the newest commit."""
    relay = stored.relay
    attempts = stored.record.of_round(relay.round)
    newest = relay.checkpoints[-1] if relay.checkpoints else None
    return {
        "wgid": relay.wgid,
        "state": relay.state.value,
        "round": relay.round,
        "attempt": attempts[-1].number if attempts else None,
        "outcome": attempts[-1].outcome if attempts else None,
        "session_id": relay.session_id,
        "pid": relay.pid,
        "checkpoint": newest.sha if newest else None,
        "checkpoint_label": newest.label if newest else None,
    }
