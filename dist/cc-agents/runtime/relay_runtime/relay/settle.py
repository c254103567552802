"""Bring a relay's state up to date with what became of its leg. Every reader does this first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from relay_runtime.adapters import LEGS
from relay_runtime.adapters.leg import Evidence, Leg, verdict
from relay_runtime.attempts import attempt as attempts
from relay_runtime.attempts.attempt import Life
from relay_runtime.attempts.facts import Facts
from relay_runtime.attempts.process import end_strays
from relay_runtime.context import Context
from relay_runtime.fsio import read_tail
from relay_runtime.gitrepo.changes import changes
from relay_runtime.gitrepo.run import Git
from relay_runtime.relay import orphan
from relay_runtime.relay.consequence import End, apply
from relay_runtime.relay.leg_files import attempt_files
from relay_runtime.relay.transition import keep
from relay_runtime.state.outcome import Cause, Verdict
from relay_runtime.state.store import Stored, load, locked
from relay_runtime.state.values import State

_OVER = (Life.ENDED, Life.LOST)
_STDERR_LIMIT = 64 * 1024
_MESSAGE_LIMIT = 4 * 1024 * 1024


@dataclass(frozen=True)
class Settled:
    """The relay now. `life` is None unless it was implementing; `ended` when this very look found the end."""

    stored: Stored
    life: Life | None = None
    ended: bool = False


def settle(stored: Stored, context: Context) -> Settled:
    """Take over what the supervisor has found out since the last look. Locks only when there is something."""
    if stored.relay.state is not State.TARGET_IMPLEMENTING:
        return Settled(stored)
    life, seen = _look(stored, context)
    if life not in (*_OVER, Life.UNSUPERVISED) and not seen:
        return Settled(stored, life)
    with locked(stored.files, "settle", context.clock):
        return settle_locked(load(stored.files), context)


def settle_locked(stored: Stored, context: Context) -> Settled:
    """The same for a caller that holds the lock and has just loaded the relay."""
    if stored.relay.state is not State.TARGET_IMPLEMENTING:
        return Settled(stored)
    life, seen = _look(stored, context)
    if life is Life.UNSUPERVISED:
        _tend(stored, context)
        life, seen = _look(stored, context)
    if life in _OVER:
        if life is Life.LOST:
            _end_leftovers(stored, context)
        found, end = judge(stored, context)
        return Settled(apply(stored, found, end, context.clock), life, ended=True)
    return Settled(keep(stored, context.clock, **seen) if seen else stored, life)


def _look(stored: Stored, context: Context) -> tuple[Life, dict[str, Any]]:
    """How the attempt stands, and which values of the state it has made old."""
    relay = stored.relay
    files = attempt_files(stored.files, relay.target, relay.round)
    life = attempts.life(files, context.clock)
    record = attempts.read_record(files.record)
    if record is None:
        return life, {}
    session = record.facts.session_id or relay.session_id
    seen: dict[str, Any] = {
        "pid": record.target.pid if record.target else None,
        "session_id": session,
        "manual_attach": attach_line(relay.target, session, relay.cwd) if session else None,
        "last_output": record.output_at or None,
    }
    return life, {name: value for name, value in seen.items() if getattr(relay, name) != value}


def _tend(stored: Stored, context: Context) -> None:
    """Stand in for a supervisor that was killed."""
    relay = stored.relay
    files = attempt_files(stored.files, relay.target, relay.round)
    record = attempts.read_record(files.record)
    if record is not None:
        orphan.tend(record, files, LEGS[relay.target], context.clock)


def attach_line(target: str, session: str, folder: str) -> str:
    """How a person takes the session over once the leg has ended."""
    return f"{' '.join(LEGS[target].attach(session))} (in {folder})"


def judge(stored: Stored, context: Context) -> tuple[Verdict, End]:
    """How the attempt has ended, from its files and from git."""
    relay = stored.relay
    files = attempt_files(stored.files, relay.target, relay.round)
    record = attempts.read_record(files.record)
    attempt = stored.record.attempts[-1]
    leg = LEGS[relay.target]
    facts = _facts(record, files, leg, context)
    if not facts.session_id:
        known = [one.session for one in stored.record.attempts if one.session]
        since = datetime.fromisoformat(attempt.started.replace("Z", "+00:00"))
        found = leg.session_fallback(stored.files.project.root, since, context.environ, known)
        facts = facts.but(session_id=found)
    marker = attempts.read_exit(files)
    own = record.exit if record else None
    cause = record.cause if record else Cause.NONE
    evidence = Evidence(
        facts=facts,
        exit=marker if own is None else own,
        stderr=read_tail(files.err, _STDERR_LIMIT),
        last_message=read_tail(files.last, _MESSAGE_LIMIT),
        cause=cause,
        asked_session=attempt.session,
        tree_changed=_tree_changed(stored, context),
    )
    session = facts.session_id or relay.session_id
    end = End(
        exit=marker,
        session_id=session,
        attach=attach_line(relay.target, session, relay.cwd) if session else None,
        output_at=record.output_at if record else "",
        started=record is not None or files.log.exists() or files.exit.exists(),
        stopped_for_good=cause is Cause.TIME_STOP,
    )
    return verdict(leg, evidence), end


def _facts(record: attempts.Record | None, files: attempts.Files, leg: Leg, context: Context) -> Facts:
    """What the whole stream shows; a supervisor that was killed has not read all of it."""
    if record is None:
        return orphan.all_of(files, leg)
    return orphan.caught_up(record, files, leg, context.clock, ended=True).facts


def _end_leftovers(stored: Stored, context: Context) -> None:
    """End what the target of a lost leg started: nobody else is left to do it."""
    attempt = stored.record.attempts[-1]
    if attempt.id:
        end_strays(attempt.id, context.clock)


def _tree_changed(stored: Stored, context: Context) -> bool:
    """Whether anything differs from the commit that the round began with, work in progress included."""
    git = Git(stored.files.project.root, context.environ)
    base = stored.relay.checkpoint(f"C{stored.relay.round}")
    return bool(changes(git)) or git.line("rev-parse", "HEAD") != base
