"""End a job on disk: report, outcome, and last the block, in whose presence the job has ended."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from relay_runtime.adapters import TARGETS
from relay_runtime.attempts.events import LogReader
from relay_runtime.attempts.facts import Facts
from relay_runtime.attempts.process import Identity
from relay_runtime.clock import Clock, iso
from relay_runtime.errors import Exit
from relay_runtime.fsio import write_atomic
from relay_runtime.jobs import record as records
from relay_runtime.jobs.backends import BACKENDS
from relay_runtime.jobs.block import Block, Ended
from relay_runtime.jobs.folder import JobFolder
from relay_runtime.jobs.header import Header, parse, split
from relay_runtime.jobs.record import Record
from relay_runtime.state.outcome import Cause, Outcome, Verdict

REFUSED = "refused"
CANCELLED = "cancelled"
COMPLETED = "completed"

_GOOD = frozenset({Outcome.DONE, Outcome.DONE_NO_CHANGE})
_PAUSING = frozenset({Outcome.AUTH, Outcome.QUOTA})


@dataclass(frozen=True)
class End:
    """`word` is the outcome, `error` says more of any but success, a `report` of None is looked for."""

    word: str
    state: Ended
    exit: Exit
    error: str = ""
    report: bytes | None = None


def of_verdict(verdict: Verdict, cause: Cause, survivors: tuple[Identity, ...]) -> End:
    if cause is Cause.CANCEL:
        return cancelled(survivors)
    if verdict.outcome in _GOOD:
        return End(COMPLETED, Ended.COMPLETED, Exit.DONE)
    reset = f"It resets at {verdict.resets_at}." if verdict.resets_at else ""
    words = (f"{verdict.outcome.value}: {verdict.reason}", reset, verdict.remedy, _left(survivors))
    exit = Exit.PAUSE if verdict.outcome in _PAUSING else Exit.FAILED
    return End(verdict.outcome.value, Ended.FAILED, exit, " ".join(filter(None, words)))


def cancelled(survivors: tuple[Identity, ...] = ()) -> End:
    words = filter(None, ("It was cancelled.", _left(survivors)))
    return End(CANCELLED, Ended.CANCELLED, Exit.PAUSE, " ".join(words))


def refused(sentence: str) -> End:
    return End(REFUSED, Ended.FAILED, Exit.USAGE, sentence, report=(sentence + "\n").encode())


def failed(word: str, sentence: str) -> End:
    return End(word, Ended.FAILED, Exit.FAILED, sentence)


def conclude(
    folder: JobFolder,
    record: Record,
    end: End,
    clock: Clock,
    *,
    thread: str = "",
    notes: tuple[str, ...] = (),
) -> None:
    """Write the files of an ended job. `thread` is the continued one; `notes` join the header's."""
    report = _report(folder, record, end) if end.report is None else end.report
    write_atomic(folder.report, report, mode=0o600)
    now = clock.now()
    begun = datetime.fromisoformat(record.begun.replace("Z", "+00:00"))
    block = Block(
        state=end.state,
        job=record.id,
        backend=record.backend,
        model=record.model,
        effort=record.effort,
        mode=record.mode,
        seconds=int((now - begun).total_seconds()),
        report=folder.report,
        error=end.error,
        thread=thread,
        notes=(*(() if end.word == REFUSED else _header(folder).notes), *notes),
    )
    records.write_outcome(folder, records.Outcome(end.word, end.exit, iso(now)))
    write_atomic(folder.block, block.as_bytes(), mode=0o600)


def _header(folder: JobFolder) -> Header:
    return parse(split(folder.asked.read_bytes())[0])


def _report(folder: JobFolder, record: Record, end: End) -> bytes:
    """The target's last words, byte for byte; without any, a failed job's report says that there are none."""
    last = folder.attempt.last
    said = last.read_bytes() if last.is_file() else _said(folder, record)
    if said.strip() or end.state is Ended.COMPLETED:
        return said
    return f"The harness produced no answer. {end.error}\n".encode("utf-8", "backslashreplace")


def _said(folder: JobFolder, record: Record) -> bytes:
    """What an interrupted target had said last, from its stream."""
    backend = BACKENDS.get(record.backend)
    if backend is None:
        return b""
    target = TARGETS[backend.target]
    facts = Facts()
    for event in LogReader(folder.attempt.log, brief=target.BRIEF).rest():
        facts = target.read(facts, event)
    return facts.final_message.encode("utf-8", "replace")


def _left(survivors: tuple[Identity, ...]) -> str:
    if not survivors:
        return ""
    count = f"{len(survivors)} process{'es' if len(survivors) > 1 else ''} survived"
    return f"{count}: pid {', '.join(str(one.pid) for one in survivors)}."
