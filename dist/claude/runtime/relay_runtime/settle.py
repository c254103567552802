"""Bring a relay's state up to date with what became of its leg. Every reader does this first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from relay_runtime import attempt as attempts
from relay_runtime import progress
from relay_runtime.adapters import LEGS
from relay_runtime.adapters.leg import Evidence, verdict
from relay_runtime.attempt import Life
from relay_runtime.consequence import End, apply
from relay_runtime.context import Context
from relay_runtime.facts import Facts
from relay_runtime.fsio import read_tail
from relay_runtime.gitrepo.changes import changes
from relay_runtime.gitrepo.run import Git
from relay_runtime.leg_files import attempt_files
from relay_runtime.outcome import Cause, Verdict
from relay_runtime.process import end_strays
from relay_runtime.state.store import Stored, load, locked
from relay_runtime.state.values import State
from relay_runtime.transition import keep

_STDERR_LIMIT = 64 * 1024
_MESSAGE_LIMIT = 4 * 1024 * 1024


@dataclass(frozen=True)
class Settled:
    """The relay now. `life` is None unless it was implementing; `ended` when this very look found the end."""

    stored: Stored
    life: Life | None = None
    ended: bool = False


def settle(stored: Stored, context: Context) -> Settled:
    """Take over what the supervisor has found out since the last look. Takes the lock for a moment."""
    if stored.relay.state is not State.TARGET_IMPLEMENTING:
        return Settled(stored)
    with locked(stored.files, "settle", context.clock):
        return settle_locked(load(stored.files), context)


def settle_locked(stored: Stored, context: Context) -> Settled:
    """The same for a caller that holds the lock and has just loaded the relay."""
    relay = stored.relay
    if relay.state is not State.TARGET_IMPLEMENTING:
        return Settled(stored)
    files = attempt_files(stored.files, relay.target, relay.round)
    life = attempts.life(files, context.clock)
    record = attempts.read_record(files.record)
    if life is Life.LOST and record is not None:
        end_strays(record.id, context.clock)  # nobody else is left to end what the target started
    if life in (Life.ENDED, Life.LOST):
        found, session = judge(stored, context)
        end = End(
            exit=attempts.read_exit(files),
            session_id=session or relay.session_id,
            attach=attach_line(relay.target, session, relay.cwd) if session else relay.manual_attach,
            output_at=record.output_at if record else "",
            stopped_for_good=record is not None and record.cause is Cause.TIME_STOP,
        )
        return Settled(apply(stored, found, end, context.clock), life, ended=True)
    if record is None:
        return Settled(stored, life)
    session = record.facts.session_id or relay.session_id
    seen: dict[str, Any] = {
        "pid": record.target.pid if record.target else None,
        "session_id": session,
        "manual_attach": attach_line(relay.target, session, relay.cwd) if session else None,
        "last_output": record.output_at or None,
    }
    if any(getattr(relay, name) != value for name, value in seen.items()):
        stored = keep(stored, context.clock, **seen)
    return Settled(stored, life)


def attach_line(target: str, session: str, folder: str) -> str:
    """How a person takes the session over once the leg has ended."""
    return f"{' '.join(LEGS[target].attach(session))} (in {folder})"


def judge(stored: Stored, context: Context) -> tuple[Verdict, str]:
    """The outcome of the attempt that has ended, from its files and from git; and its session, if any."""
    relay = stored.relay
    files = attempt_files(stored.files, relay.target, relay.round)
    record = attempts.read_record(files.record)
    attempt = stored.record.attempts[-1]
    leg = LEGS[relay.target]
    facts = progress.latest(record, files, leg) if record else Facts()
    if not facts.session_id:
        known = [one.session for one in stored.record.attempts if one.session]
        since = datetime.fromisoformat(attempt.started.replace("Z", "+00:00"))
        found = leg.session_fallback(stored.files.project.root, since, context.environ, known)
        facts = facts.but(session_id=found)
    own = record.exit if record else None
    return (
        verdict(
            leg,
            Evidence(
                facts=facts,
                exit=attempts.read_exit(files) if own is None else own,
                stderr=read_tail(files.err, _STDERR_LIMIT),
                last_message=read_tail(files.last, _MESSAGE_LIMIT),
                cause=record.cause if record else Cause.NONE,
                asked_session=attempt.session,
                tree_changed=_tree_changed(stored, context),
            ),
        ),
        facts.session_id,
    )


def _tree_changed(stored: Stored, context: Context) -> bool:
    """Whether anything differs from the commit that the round began with, work in progress included."""
    git = Git(stored.files.project.root, context.environ)
    base = stored.relay.checkpoint(f"C{stored.relay.round}")
    return bool(changes(git)) or git.line("rev-parse", "HEAD") != base
