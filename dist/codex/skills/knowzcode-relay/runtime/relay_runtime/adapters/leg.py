"""What a target must offer to be run: how it is called, what its stream says, what its end means."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Protocol

from relay_runtime.attempts.events import Event
from relay_runtime.attempts.facts import Facts, redacted
from relay_runtime.state.outcome import Cause, Outcome, Verdict


@dataclass(frozen=True)
class LegRequest:
    """One run that is wanted. Every path is absolute.

    `prompt` is the file whose bytes the target reads, `last` where its final message goes, `folder` where the
    target's own small files lie. What a target has no use for, it leaves unread. `endpoint` is the address
    of a rehearsal's own model; empty, the target asks its service.
    """

    binary: str
    cwd: Path
    prompt: Path
    last: Path
    folder: Path
    model: str
    effort: str
    sandbox: str = ""
    permission_mode: str = ""
    max_budget_usd: float | None = None
    endpoint: str = ""


@dataclass(frozen=True)
class Invocation:
    """A process to start: `argv` as a list, `stdin` a regular file, `cwd` set at spawn.

    `environ` is added to the child's environment; `remove` are files that would be old evidence.
    """

    argv: tuple[str, ...]
    stdin: Path
    cwd: Path
    environ: Mapping[str, str] = field(default_factory=dict[str, str])
    remove: tuple[Path, ...] = ()

    def as_shell(self, log: Path, err: Path) -> str:
        """The same as one line for a person to read or to run by hand."""
        settings = [f"{name}={shlex.quote(value)}" for name, value in sorted(self.environ.items())]
        command = " ".join(["env", *settings, shlex.join(self.argv)] if settings else [shlex.join(self.argv)])
        streams = f"< {shlex.quote(str(self.stdin))} > {shlex.quote(str(log))} 2> {shlex.quote(str(err))}"
        return f"cd {shlex.quote(str(self.cwd))} && {command} {streams}"


@dataclass(frozen=True)
class Evidence:
    """All that is known of a leg that has ended.

    `exit` is the number in the exit marker (127 not started, 128+n by signal), None when there is no marker
    and the process is gone. `stderr` is the end of that file, `last_message` what the final message's file
    holds. `asked_session` is the id given to a resume. `tree_changed` is git's answer, None if not asked.
    """

    facts: Facts
    exit: int | None
    stderr: str = ""
    last_message: str = ""
    cause: Cause = Cause.NONE
    asked_session: str = ""
    tree_changed: bool | None = None


@dataclass(frozen=True)
class Widening:
    """A key in a settings file that lets a leg do more than we allow; `digest` is of the whole file."""

    file: str
    key: str
    digest: str


class Target(Protocol):
    """What every headless target offers: what its stream says, and what its end means. Plain functions."""

    BRIEF: Mapping[bytes, Event]  # starts of lines that need no parsing -> the event they stand for
    KEEPS_LAST: bool  # the client writes `last` itself

    def read(self, facts: Facts, event: Event) -> Facts:
        """`facts` after one more event. Unknown events are only counted."""
        ...

    def effective_exit(self, exit: int, facts: Facts) -> int:
        """The number for the exit marker, where the client's own says too little."""
        ...

    def failure(self, evidence: Evidence) -> tuple[Outcome, str]:
        """What a leg without success ended of, from error events and stderr only; with the reason."""
        ...

    def remedy(self, outcome: Outcome) -> str:
        """What a person does about it, one sentence; empty when there is nothing to do."""
        ...


class Leg(Target, Protocol):
    """What a target offers that a relay can go to."""

    USAGE_OF_SESSION: bool  # tokens are counted over the whole session, earlier legs included
    OVER_MCP: bool  # it can also be reached as a server registered with the host
    RESIDUE: frozenset[str]  # paths of empty files that the client leaves in the repository when it is killed

    def files(self) -> Mapping[str, bytes]:
        """The target's own small files that must lie in the relay's folder, by name."""
        ...

    def widenings(self, project: Path, version: str, environ: Mapping[str, str]) -> tuple[Widening, ...]:
        """What settings of the project or the user widen a leg in spite of our own."""
        ...

    def invocation(self, leg: LegRequest) -> Invocation:
        """How a fresh session is started."""
        ...

    def resume_invocation(self, leg: LegRequest, session_id: str) -> Invocation:
        """How the session goes on in a new process, with every setting given again."""
        ...

    def session_fallback(
        self, cwd: Path, since: datetime, environ: Mapping[str, str], known: Collection[str]
    ) -> str:
        """The session id from the client's own files when the stream has none; empty when none fits.

        It must have begun in `cwd`, not before `since`, and not be one of the `known` ids.
        """
        ...

    def attach(self, session_id: str) -> tuple[str, ...]:
        """How a person takes the session over by hand, after the leg."""
        ...


def verdict(leg: Target, evidence: Evidence) -> Verdict:
    """How the leg ended. Success needs exit 0, a session id, a successful last event and a final message."""
    facts = evidence.facts
    outcome, reason = _success(evidence) if _complete(evidence) else _failure(leg, evidence)
    return Verdict(
        outcome,
        reason=reason,
        remedy=leg.remedy(outcome),
        resets_at=facts.resets_at if outcome is Outcome.QUOTA else "",
    )


def _complete(evidence: Evidence) -> bool:
    return (
        evidence.exit == 0
        and evidence.facts.completed
        and bool(evidence.facts.session_id or evidence.asked_session)
        and bool(evidence.last_message.strip())
    )


def _success(evidence: Evidence) -> tuple[Outcome, str]:
    facts, asked = evidence.facts, evidence.asked_session
    if asked and facts.session_id and facts.session_id != asked:
        return Outcome.SESSION_GONE, "The target answered in a new session instead of the one asked for."
    if facts.sandbox_broken:
        return Outcome.SANDBOX, f"No command could run: {facts.sandbox_error}"
    if facts.background:
        return Outcome.UNFINISHED_BACKGROUND, f"{len(facts.background)} background commands had not ended."
    if evidence.tree_changed is False:
        if facts.denied:
            return Outcome.PERMISSION, "Nothing changed, and these tools were refused: " + ", ".join(
                facts.denied
            )
        return Outcome.DONE_NO_CHANGE, "The target reports success, and no file changed."
    return Outcome.DONE, ""


_BY_CAUSE = {
    Cause.NETWORK: Outcome.NETWORK,
    Cause.AUTH: Outcome.AUTH,
    Cause.PERMISSION: Outcome.PERMISSION,
    Cause.IDLE: Outcome.TIMEOUT_STOPPED,
    Cause.TIME_INTERRUPT: Outcome.TIMEOUT_STOPPED,
    Cause.TIME_STOP: Outcome.TIMEOUT_STOPPED,
    Cause.CANCEL: Outcome.INTERRUPTED,
    Cause.SIGNAL: Outcome.INTERRUPTED,
    Cause.FAULT: Outcome.FAILED,
}


def _failure(leg: Target, evidence: Evidence) -> tuple[Outcome, str]:
    facts = evidence.facts
    if evidence.cause in _BY_CAUSE:
        return _BY_CAUSE[evidence.cause], _reason_of(evidence)
    if evidence.exit is None:
        return Outcome.LOST, "The process is gone and left no exit status."
    if evidence.exit == 127 and not facts.events:
        return Outcome.FAILED, f"The target could not be started: {last_words(evidence.stderr)}"
    if evidence.exit > 128 and not facts.error:
        return Outcome.INTERRUPTED, _signal_words(evidence.exit - 128)
    if evidence.exit and facts.completed:
        words = last_words(evidence.stderr)
        return Outcome.FAILED, f"The target reports success and ended with status {evidence.exit}: {words}"
    if evidence.exit == 0 and facts.completed:
        if not evidence.last_message.strip():
            return Outcome.FAILED, "The target reports success without a final message."
        return Outcome.STREAM_UNREADABLE, "The target reports success without a session id."
    if evidence.exit == 0 and not facts.terminal:
        return Outcome.STREAM_UNREADABLE, "The target ended with status 0, and its output holds no result."
    return leg.failure(evidence)


def _reason_of(evidence: Evidence) -> str:
    facts = evidence.facts
    if evidence.cause is Cause.PERMISSION:
        what = facts.waiting or ", ".join(facts.denied)
        return f"The target kept asking for what its rules refuse: {what}"
    if evidence.cause in (Cause.AUTH, Cause.NETWORK):
        return facts.retry or facts.error or last_words(evidence.stderr)
    if evidence.cause is Cause.IDLE:
        return "The target said nothing for longer than a job may be silent."
    if evidence.cause in (Cause.TIME_INTERRUPT, Cause.TIME_STOP):
        return "The time given to the leg was over."
    if evidence.cause is Cause.FAULT:
        return "The supervisor itself failed; the note in the attempt's record says why."
    if evidence.cause is Cause.CANCEL:
        return "The leg was stopped on request."
    return _signal_words((evidence.exit or 128) - 128)


def _signal_words(number: int) -> str:
    names = {1: "SIGHUP", 2: "SIGINT", 6: "SIGABRT", 9: "SIGKILL", 11: "SIGSEGV", 15: "SIGTERM"}
    name = names.get(number, f"signal {number}")
    hint = " (the system may have been out of memory)" if number == 9 else ""
    return f"The target was ended by {name}{hint}."


def first_match(table: Iterable[tuple[Outcome, re.Pattern[str]]], text: str) -> Outcome | None:
    """The outcome of the first row whose words occur in `text`."""
    return next((outcome for outcome, words in table if words.search(text)), None)


def error_line(stderr: str) -> str:
    """The last line on stderr that calls itself an error, with all that follows; empty without one."""
    lines = _lines(stderr)
    starts = [number for number, line in enumerate(lines) if _ERROR_LINE.match(line)]
    return "\n".join(lines[starts[-1] :])[:_REASON_LIMIT] if starts else ""


def last_words(stderr: str) -> str:
    """The reason on stderr: the last error line, else the last lines. Banners stand before it."""
    lines = _lines(stderr)
    words = ""
    for line in reversed(lines):
        if len(line) + len(words) >= _REASON_LIMIT:
            break
        words = f"{line}\n{words}" if words else line
    return (
        error_line(stderr) or words or (lines[-1][:_REASON_LIMIT] if lines else "nothing was said on stderr")
    )


_REASON_LIMIT = 1200
_ERROR_LINE = re.compile(r"(?:error|fatal|panic)\b", re.IGNORECASE)


def _lines(stderr: str) -> list[str]:
    return [line for line in (redacted(raw.strip()) for raw in stderr.splitlines()) if line]
