"""Who a process is, and how a whole tree of them is ended. A pid alone is never trusted."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from relay_runtime.attempts.proctable import TABLE, Entry
from relay_runtime.clock import Clock

ATTEMPT = "KNOWZCODE_RELAY_ATTEMPT"
"""The variable by which every process of an attempt is found again, whatever session it moved to."""

_LOOK_EVERY = 0.05
_KILL = getattr(signal, "SIGKILL", signal.SIGTERM)  # Windows has only the latter, and it ends at once


@dataclass(frozen=True)
class Identity:
    """A process by pid and start; `start` is opaque and differs when the pid is used again."""

    pid: int
    start: str


@dataclass(frozen=True)
class Waits:
    """Seconds that a tree gets after each signal before the next one follows."""

    interrupt: float = 10.0
    terminate: float = 5.0
    kill: float = 5.0


def identify(pid: int) -> Identity | None:
    """The process that has `pid` now, or None (also when it only waits to be reaped)."""
    entry = TABLE.one(pid)
    return None if entry is None or entry.ended else _identity(entry)


def identify_child(pid: int) -> Identity:
    """Our own child, which holds its pid until we wait for it, even when it has ended."""
    entry = TABLE.one(pid)
    return Identity(pid, "") if entry is None else _identity(entry)


def alive(identity: Identity) -> bool:
    """Whether exactly this process still runs."""
    return identify(identity.pid) == identity


def judgeable(identity: Identity) -> bool:
    """False when the process was recorded in another pid namespace of this boot: unseen is not ended then."""
    return TABLE.same_view(identity.start)


def strays(attempt: str) -> tuple[Identity, ...]:
    """Every running process that carries the attempt's id in its environment."""
    carriers = TABLE.carriers(ATTEMPT, attempt) - {os.getpid()}
    return tuple(found for found in map(identify, sorted(carriers)) if found is not None)


def tree(leader: Identity, attempt: str) -> tuple[Identity, ...]:
    """The leader first, then its descendants, the members of its group, and the attempt's strays."""
    entries = {entry.pid: entry for entry in TABLE.all() if not entry.ended and entry.pid != os.getpid()}
    holder = entries.get(leader.pid)
    # Once the leader is gone, its pid and group may be a stranger's: then only the attempt's id counts.
    ours = _family(holder, entries) if holder is not None and _identity(holder) == leader else []
    return tuple(dict.fromkeys([*map(_identity, ours), *strays(attempt)]))


def stop_tree(
    leader: Identity, attempt: str, clock: Clock, waits: Waits | None = None
) -> tuple[Identity, ...]:
    """Interrupt the leader's group, then terminate, then kill what is left of the whole tree.

    Returns as soon as nothing is left, else the survivors. What is born meanwhile is found by the next look.
    """
    waits = waits or Waits()
    if alive(leader):
        _send_all((one for one in tree(leader, attempt) if _same_group(one, leader)), signal.SIGINT)
        until = clock.monotonic() + waits.interrupt
        while alive(leader) and clock.monotonic() < until:
            clock.sleep(_LOOK_EVERY)
    return _end(lambda: tree(leader, attempt), clock, waits)


def end_strays(attempt: str, clock: Clock, waits: Waits | None = None) -> tuple[Identity, ...]:
    """Terminate, then kill, what an ended attempt left behind; the survivors."""
    return _end(lambda: strays(attempt), clock, waits or Waits())


def send(identity: Identity, number: int) -> bool:
    """Signal exactly this process; False when it is gone or may not be signalled."""
    if not hasattr(os, "pidfd_open"):
        return alive(identity) and _kill(identity.pid, number)
    try:
        descriptor = os.pidfd_open(identity.pid)
    except ProcessLookupError:
        return False
    except OSError:  # an old kernel, or a sandbox that forbids it
        return alive(identity) and _kill(identity.pid, number)
    try:  # while the descriptor is open the pid cannot be used again
        if not alive(identity):
            return False
        signal.pidfd_send_signal(descriptor, number)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True


def nudge(identity: Identity) -> None:
    """Wake a supervisor that sleeps: a signal that means nothing to it but that something happened."""
    if hasattr(signal, "SIGCHLD"):
        send(identity, signal.SIGCHLD)


def _end(look: Callable[[], tuple[Identity, ...]], clock: Clock, waits: Waits) -> tuple[Identity, ...]:
    left = look()
    for number, seconds in ((signal.SIGTERM, waits.terminate), (_KILL, waits.kill)):
        told: set[Identity] = set()
        until = clock.monotonic() + seconds
        while left:
            _send_all((one for one in left if one not in told), number)
            told.update(left)
            if clock.monotonic() >= until:
                break
            clock.sleep(_LOOK_EVERY)
            left = look()
    return left


def _family(leader: Entry, entries: dict[int, Entry]) -> list[Entry]:
    found = [leader]
    found += [entry for entry in entries.values() if entry.pgid == leader.pid and entry is not leader]
    seen = {entry.pid for entry in found}
    while fresh := [entry for entry in entries.values() if entry.ppid in seen and entry.pid not in seen]:
        seen.update(entry.pid for entry in fresh)
        found += fresh
    return found


def _identity(entry: Entry) -> Identity:
    return Identity(entry.pid, entry.start)


def _same_group(one: Identity, leader: Identity) -> bool:
    entry = TABLE.one(one.pid)
    return one == leader or (entry is not None and entry.pgid == leader.pid)


def _send_all(found: Iterable[Identity], number: int) -> None:
    for one in found:
        send(one, number)


def _kill(pid: int, number: int) -> bool:
    try:
        os.kill(pid, number)
    except OSError:
        return False
    return True
