"""The worker of one job: it outlives whoever asked, runs the target to its end, and writes the block."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from relay_runtime.adapters import JOB_TARGETS
from relay_runtime.adapters.base import Status
from relay_runtime.adapters.job import JobRequest, JobTarget
from relay_runtime.adapters.leg import Evidence, verdict
from relay_runtime.attempts.attempt import Spec, read_record
from relay_runtime.attempts.environment import child_environment, leg_environment
from relay_runtime.attempts.facts import Facts
from relay_runtime.attempts.launch import new_id
from relay_runtime.attempts.process import identify_child
from relay_runtime.attempts.supervise import supervise
from relay_runtime.attempts.wake import SignalWake, Wake
from relay_runtime.context import Context
from relay_runtime.errors import RelayError
from relay_runtime.fsio import read_tail, write_atomic
from relay_runtime.jobs import record as records
from relay_runtime.jobs.conclude import End, cancelled, conclude, failed, of_verdict
from relay_runtime.jobs.folder import JobFolder, folders
from relay_runtime.jobs.header import Header, parse, split
from relay_runtime.jobs.record import Record
from relay_runtime.lock import exclusive
from relay_runtime.readiness import executable
from relay_runtime.state.outcome import Cause, Outcome

MINUTES = 24 * 60
IDLE_SECONDS = 30 * 60

_STDERR_LIMIT = 64 * 1024
_MESSAGE_LIMIT = 16 * 1024 * 1024
_CONTINUE = b"""The run that worked on this task was cut off before its end. Look first at what is there
already, then finish the task; what was in progress may have to be done again. Your last answer is the report.

The task was:

"""


@dataclass(frozen=True)
class _Turn:
    """One attempt: what it ended with, and its thread. `gone`: the thread asked for could not go on."""

    end: End
    session: str = ""
    gone: bool = False


def work(job_id: str, context: Context) -> None:
    """Carry the job out. A job that has ended is left alone; a second worker is refused (exit 7)."""
    folder = folders(context.environ).find(job_id)
    with exclusive(folder.work_lock, "job worker"), SignalWake() as wake:
        if folder.block.exists():
            return
        records.write_worker(folder, identify_child(os.getpid()))
        record = records.read(folder)
        try:
            _run(folder, record, context, wake)
        except Exception as error:
            conclude(folder, record, failed("fault", f"The worker failed: {error!r}"), context.clock)
            raise


def _run(folder: JobFolder, record: Record, context: Context, wake: Wake) -> None:
    header = parse(split(folder.asked.read_bytes())[0])
    target = JOB_TARGETS[header.backend.target]
    binary = executable.find(target.CLIENT.program, child_environment(context.environ))
    if binary is None:
        missing = f"{target.CLIENT.title} is not installed. {target.CLIENT.remedies[Status.MISSING]}"
        conclude(folder, record, failed("not-installed", missing), context.clock)
        return
    request = _request(folder, record, header, binary)
    notes: list[str] = []
    if record.turns > 1 and not record.session:
        notes.append("it was started again from its beginning, for no thread of the first run was kept")
    turn = _turn(folder, record, request, target, context, wake)
    thread = record.session
    if turn.gone:
        folder.attempt.set_aside(record.turns)
        notes.append(f"the thread {thread} could not be continued, so the task was started again")
        thread = ""
        record = record.but(attempt=new_id(), turns=record.turns + 1, session="")
        records.write(folder, record)
        turn = _turn(folder, record, _request(folder, record, header, binary), target, context, wake)
    notes += target.job_notes(request, turn.session, leg_environment(context.environ))
    conclude(folder, record, turn.end, context.clock, thread=thread, notes=tuple(notes))


def _turn(
    folder: JobFolder, record: Record, request: JobRequest, target: JobTarget, context: Context, wake: Wake
) -> _Turn:
    if folder.cancelled.exists():
        return _Turn(cancelled())
    if record.session:
        write_atomic(folder.again, _CONTINUE + folder.task.read_bytes(), mode=0o600)
    try:
        environ = target.job_environment(request, leg_environment(context.environ))
    except RelayError as error:
        return _Turn(failed("settings", error.message))
    supervise(_spec(folder, record, request, target), target, environ, context.clock, wake)
    supervised = read_record(folder.attempt.record)
    evidence = Evidence(
        facts=supervised.facts if supervised else Facts(),
        exit=supervised.exit if supervised else None,
        stderr=read_tail(folder.attempt.err, _STDERR_LIMIT),
        last_message=read_tail(folder.attempt.last, _MESSAGE_LIMIT),
        cause=supervised.cause if supervised else Cause.NONE,
        asked_session=record.session,
    )
    found = verdict(target, evidence)
    end = of_verdict(found, evidence.cause, supervised.survivors if supervised else ())
    gone = bool(record.session) and found.outcome is Outcome.SESSION_GONE
    return _Turn(end, evidence.facts.session_id, gone)


def _request(folder: JobFolder, record: Record, header: Header, binary: str) -> JobRequest:
    return JobRequest(
        id=record.attempt,
        binary=binary,
        cwd=Path(record.cwd),
        prompt=folder.again if record.session else folder.task,
        last=folder.attempt.last,
        mode=header.mode,
        model=header.model,
        effort=header.effort,
        network=header.network,
        web_search=header.web_search,
        add_dirs=header.add_dirs,
    )


def _spec(folder: JobFolder, record: Record, request: JobRequest, target: JobTarget) -> Spec:
    made = target.job_invocation(request, record.session)
    return Spec(
        id=record.attempt,
        target=target.CLIENT.program,
        argv=made.argv,
        cwd=made.cwd,
        stdin=made.stdin,
        files=folder.attempt,
        environ=dict(made.environ),
        remove=made.remove,
        minutes=MINUTES,
        asked_session=record.session,
        idle_seconds=IDLE_SECONDS,
    )
