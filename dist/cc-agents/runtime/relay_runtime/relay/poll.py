"""`poll`: wait a bounded time for news of a leg. The only way to wait for one."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from relay_runtime.adapters import LEGS
from relay_runtime.answer import Answer
from relay_runtime.attempts import progress
from relay_runtime.attempts.attempt import Files, Life, Record, read_record
from relay_runtime.clock import Clock, iso
from relay_runtime.context import Context
from relay_runtime.relay.current import current
from relay_runtime.relay.leg_files import attempt_files
from relay_runtime.relay.report import report
from relay_runtime.relay.settle import Settled, settle
from relay_runtime.relay.tell import tell
from relay_runtime.relay.transition import keep
from relay_runtime.state.record import Told
from relay_runtime.state.store import Stored, load, locked
from relay_runtime.state.values import State

_FIRST_LOOK = 0.1  # seconds; then longer and longer
_LONGEST_LOOK = 1.0
_GLANCE = 0.05  # between two looks, only at whether the leg has ended


def poll(context: Context, wgid: str | None, wait: float) -> Answer:
    """Return with the outcome at once, with a time check or progress when due, else after `wait` seconds."""
    stored = current(context, wgid)
    until = context.clock.monotonic() + wait
    pause = _FIRST_LOOK
    while True:
        settled = settle(stored, context)
        stored = settled.stored
        if stored.relay.state is not State.TARGET_IMPLEMENTING:
            return tell(settled, context)
        news = _news(settled, context)
        left = until - context.clock.monotonic()
        if news or left <= 0:
            return report(stored, context, news or (running_line(settled),))
        _rest(stored, min(pause, left), context.clock)
        pause = min(pause * 1.5, _LONGEST_LOOK)


def _rest(stored: Stored, seconds: float, clock: Clock) -> None:
    """Wait, but not on after the leg's end. A marker that is there already was no end."""
    marker = attempt_files(stored.files, stored.relay.target, stored.relay.round).exit
    until, before = clock.monotonic() + seconds, marker.exists()
    left = seconds
    while left > 0 and marker.exists() == before:
        clock.sleep(min(_GLANCE, left))
        left = until - clock.monotonic()


def look(context: Context, wgid: str | None) -> Settled:
    """The relay as it is now, without waiting."""
    return settle(current(context, wgid), context)


def progress_now(settled: Settled) -> tuple[str, ...]:
    """The progress lines of the present attempt, due or not."""
    record = supervised(settled.stored)
    return progress.lines(record.facts) if record is not None else ()


def supervised(stored: Stored) -> Record | None:
    """What the supervisor of the present round's last attempt has written, and what the log got since."""
    relay = stored.relay
    files = attempt_files(stored.files, relay.target, relay.round)
    record = read_record(files.record)
    if record is None:
        return None
    facts = progress.latest(record, files, LEGS[relay.target])
    return record.but(facts=facts.but(events=facts.events + _events_before(stored, files)))


def _events_before(stored: Stored, files: Files) -> int:
    """The events of this round's earlier attempts: the count does not fall where a leg is resumed."""
    relay, events = stored.relay, 0
    for attempt in stored.record.of_round(relay.round)[:-1]:
        record = read_record(files.aside(files.record, attempt.number))
        if record is not None:
            log = replace(files, log=files.aside(files.log, attempt.number))
            events += progress.latest(record, log, LEGS[relay.target]).events
    return events


def _news(settled: Settled, context: Context) -> tuple[str, ...]:
    """The lines that are due, after they have been noted as told."""
    stored, record = settled.stored, supervised(settled.stored)
    if record is None:
        return ()
    told, now = stored.record.told, context.clock.now()
    if record.budget.noticed > told.checks:
        lines = (progress.time_check(record, context.clock, running=settled.life is Life.RUNNING),)
    else:
        silent = (now - _moment(told.at or record.started)).total_seconds()
        lines = progress.report(record, told.events, silent)
    if lines:
        _note(stored, Told(record.facts.events, iso(now), record.budget.noticed), context)
    return lines


def _note(stored: Stored, told: Told, context: Context) -> None:
    with locked(stored.files, "poll", context.clock):
        fresh = load(stored.files)
        keep(fresh, context.clock, record=replace(fresh.record, told=told))


def running_line(settled: Settled) -> str:
    """One line about a leg that has not ended."""
    relay = settled.stored.relay
    how: dict[Life | None, str] = {
        Life.STARTING: "starting",
        Life.UNSUPERVISED: "alive, but its supervisor is gone",
        Life.UNSEEN: "in another process namespace, so nobody here can see it",
    }
    what = how.get(settled.life, "running")
    return f"[RELAY-POLL] {relay.target} round {relay.round} is {what}; session " + (
        "present" if relay.session_id else "not known yet"
    )


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))
