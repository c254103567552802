"""Move a relay on: check the table, write it down, and only then let the caller act."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from relay_runtime.clock import Clock, stamp
from relay_runtime.relay import machine
from relay_runtime.state.record import Record
from relay_runtime.state.store import Stored, save
from relay_runtime.state.values import State


def advance(
    stored: Stored,
    wanted: State,
    clock: Clock,
    *,
    through: tuple[State, ...] = (),
    record: Record | None = None,
    **changes: Any,
) -> Stored:
    """Go to `wanted` with `changes` of the relay's values, in one write. A refusal changes nothing.

    `through` are states that are passed at once: nothing happens in them, and a crash cannot stop there.
    """
    current, number = stored.relay.state, stored.relay.round
    for state in (*through, wanted):
        machine.check(current, state)
        number = machine.round_after(current, state, number)
        current = state
    return keep(stored, clock, record=record, state=wanted, round=number, **changes)


def keep(stored: Stored, clock: Clock, *, record: Record | None = None, **changes: Any) -> Stored:
    """Write changed values of relay and record without asking the table."""
    # A clock that was set back does not make `Updated` go back.
    updated = max(stamp(clock.now()), stored.relay.updated)
    relay = replace(stored.relay, updated=updated, **changes)
    after = Stored(stored.files, relay, record or stored.record)
    save(after)
    return after
