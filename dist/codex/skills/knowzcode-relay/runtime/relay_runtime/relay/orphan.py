"""A leg whose supervisor is gone: whoever looks does what the supervisor would do at this moment."""

from __future__ import annotations

import dataclasses

from relay_runtime.attempts import progress, timebudget
from relay_runtime.attempts.attempt import Files, Record, Request, read_ask, write_record
from relay_runtime.attempts.events import LogReader
from relay_runtime.attempts.facts import Facts
from relay_runtime.attempts.process import stop_tree
from relay_runtime.attempts.supervise import Stream
from relay_runtime.attempts.timebudget import Action, Word
from relay_runtime.clock import Clock, iso
from relay_runtime.fsio import write_atomic
from relay_runtime.state.outcome import Cause

_WORDS = {Request.CONTINUE: Word.CONTINUE, Request.INTERRUPT: Word.INTERRUPT, Request.STOP: Word.STOP}
_CAUSES = {Action.INTERRUPT: Cause.TIME_INTERRUPT, Action.STOP: Cause.TIME_STOP}
_ENDED = 130  # as a shell says it of a process that was interrupted; its own number only its parent can know


def caught_up(record: Record, files: Files, stream: Stream, clock: Clock, *, ended: bool) -> Record:
    """The record with what the log got since; `ended`: also its last line without a newline."""
    log = LogReader(files.log, record.offset, brief=stream.BRIEF)
    facts = record.facts
    for event in log.rest() if ended else log.news():
        facts = stream.read(facts, event)
    if log.offset == record.offset:
        return record
    return record.but(facts=facts, offset=log.offset, junk=record.junk + log.junk, output_at=iso(clock.now()))


def all_of(files: Files, stream: Stream) -> Facts:
    """What the whole log shows, for an attempt that has no record."""
    facts = Facts()
    for event in LogReader(files.log, brief=stream.BRIEF).rest():
        facts = stream.read(facts, event)
    return facts


def tend(record: Record, files: Files, stream: Stream, clock: Clock) -> Record:
    """Read the news, answer what was asked, keep the time budget; the record as it is on disk now.

    When this ends the leg, the exit marker is there afterwards. Needs the lock: there is one stand-in.
    """
    seen = caught_up(record, files, stream, clock, ended=False)
    asked = read_ask(files)
    request = asked.request if asked is not None else None
    cause = Cause.CANCEL if request is Request.CANCEL else Cause.NONE
    if cause is Cause.NONE:
        word = _WORDS.get(request) if request is not None else None
        action = timebudget.decide(seen.budget, progress.evidence_of(seen, clock), word)
        seen = seen.but(budget=seen.budget.after(action))
        cause = _CAUSES.get(action, Cause.NONE)
    files.ask.unlink(missing_ok=True)
    if cause is not Cause.NONE:
        return _end(seen.but(cause=cause), files, stream, clock)
    if seen != record:
        write_record(files.record, seen)
    return seen


def _end(record: Record, files: Files, stream: Stream, clock: Clock) -> Record:
    assert record.target is not None  # noqa: S101  only a living target is an orphan
    survivors = stop_tree(record.target, record.id, clock)
    seen = caught_up(record, files, stream, clock, ended=True)
    ended = dataclasses.replace(seen, survivors=survivors, ended=iso(clock.now()), exit=_ENDED)
    write_record(files.record, ended)
    write_atomic(files.exit, f"{_ENDED}\n".encode())
    return ended
