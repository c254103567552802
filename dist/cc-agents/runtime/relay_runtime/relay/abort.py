"""`abort`: end the leg and the relay; keep everything that it made."""

from __future__ import annotations

from dataclasses import replace

from relay_runtime.answer import Answer, Next
from relay_runtime.attempts.attempt import Life, Request, ask, life, read_record
from relay_runtime.attempts.process import Identity, end_strays, stop_tree
from relay_runtime.clock import iso
from relay_runtime.context import Context
from relay_runtime.errors import Exit
from relay_runtime.gitrepo.changes import changes
from relay_runtime.gitrepo.run import Git
from relay_runtime.mcp import server as mcp_server
from relay_runtime.relay import machine, waiting_start
from relay_runtime.relay.current import check_host, find
from relay_runtime.relay.leg_files import attempt_files
from relay_runtime.relay.report import report
from relay_runtime.relay.transition import advance
from relay_runtime.state.relay import Relay, RoundRow
from relay_runtime.state.store import Stored, load, locked
from relay_runtime.state.values import State

_END_SECONDS = 45.0
_LOOK_EVERY = 0.2
_LIVING = (Life.STARTING, Life.RUNNING)
_SHOWN = 20


def abort(context: Context, wgid: str | None) -> Answer:
    """End the leg with its whole tree, then the relay. Nothing is reverted, no evidence is deleted."""
    waiting = waiting_start.waiting(context.project()) if wgid is None else None
    if waiting is not None:
        waiting_start.forget(context.project())
        return Answer(
            message="The start that waited for a login is dropped.",
            lines=("[RELAY-ABORT] The start that waited for a login is dropped.",),
            next=Next(step="nothing; no relay was made"),
        )
    files = find(context, wgid)
    stored = load(files)
    check_host(stored.relay, context)
    machine.check(stored.relay.state, State.ABORTED)
    unstarted = stored.relay.state is State.INIT
    stored, survivors = _abort(stored, context)
    pids = [one.pid for one in survivors]
    answer = report(
        stored,
        context,
        _abandoned(stored, context, pids),
        exit=Exit.FAILED if pids else Exit.DONE,
        data={"survivors": pids},
    )
    return replace(answer, next=Next(step="resolve the request and start anew")) if unstarted else answer


def _abort(stored: Stored, context: Context) -> tuple[Stored, tuple[Identity, ...]]:
    """End the leg, then the relay; a leg that was started meanwhile is ended too."""
    while True:
        survivors = (*_end_leg(stored, context), *mcp_server.close(stored.files.folder, context.clock))
        with locked(stored.files, "abort", context.clock):
            fresh = load(stored.files)
            machine.check(fresh.relay.state, State.ABORTED)
            if _implements(fresh) and fresh.record.attempts[-1:] != stored.record.attempts[-1:]:
                stored = fresh
                continue
            return (
                advance(
                    fresh,
                    State.ABORTED,
                    context.clock,
                    record=replace(fresh.record, pending=None, unread=False),
                    pid=None,
                    rounds=_closed(fresh.relay, iso(context.clock.now())),
                ),
                survivors,
            )


def _implements(stored: Stored) -> bool:
    return stored.relay.state is State.TARGET_IMPLEMENTING


def _end_leg(stored: Stored, context: Context) -> tuple[Identity, ...]:
    """Cancel through the supervisor; end the tree ourselves where there is none. The survivors."""
    relay, clock = stored.relay, context.clock
    if not _implements(stored):
        return ()
    files = attempt_files(stored.files, relay.target, relay.round)
    if life(files, clock) in _LIVING:
        ask(files, Request.CANCEL)
    until = clock.monotonic() + _END_SECONDS
    while life(files, clock) in _LIVING and clock.monotonic() < until:
        clock.sleep(_LOOK_EVERY)
    record = read_record(files.record)
    if record is None:
        attempt = stored.record.attempts[-1]
        return end_strays(attempt.id, clock) if attempt.id else ()
    how = life(files, clock)
    if how is Life.ENDED:
        return record.survivors
    if how is Life.UNSEEN:
        return (record.target or record.supervisor,)
    return stop_tree(record.target or record.supervisor, record.id, clock)


def _closed(relay: Relay, now: str) -> tuple[RoundRow, ...]:
    """The round log, with the leg that was running marked as cancelled."""
    if relay.state is not State.TARGET_IMPLEMENTING:
        return relay.rounds
    return (*relay.rounds[:-1], replace(relay.rounds[-1], ended=now, result="cancelled"))


def _abandoned(stored: Stored, context: Context, pids: list[int]) -> tuple[str, ...]:
    """What is left for the user to decide."""
    relay = stored.relay
    left = [one.shown() for one in changes(Git(stored.files.project.root, context.environ))]
    lines = [f"[RELAY-ABORT] {relay.wgid} is ABORTED; its evidence stays in {stored.files.folder}"]
    if pids:
        lines.append(f"[RELAY-ABORT] {len(pids)} processes survived: pid {', '.join(map(str, pids))}")
    shown = f"{', '.join(left[:_SHOWN])}" if left else "none"
    lines.append(f"[RELAY-ABORT] Kept for you: branch {relay.branch}, uncommitted paths: {shown}")
    return tuple(lines)
