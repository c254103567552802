"""What the verb `job` does with each of its words, as answers."""

from __future__ import annotations

import json
import os
from pathlib import Path

from relay_runtime.answer import Answer
from relay_runtime.attempts.attempt import read_record
from relay_runtime.attempts.wake import SignalWake
from relay_runtime.context import Context, no_input
from relay_runtime.errors import Exit, UsageError
from relay_runtime.fields import Fields
from relay_runtime.jobs import listing, seen
from relay_runtime.jobs.begin import Begun, How, Wanted, begin
from relay_runtime.jobs.cancel import ask_end
from relay_runtime.jobs.cancel import cancel as cancel_job
from relay_runtime.jobs.folder import JobFolder, folders
from relay_runtime.jobs.listing import Listed, listed
from relay_runtime.jobs.wait import Ended, ended, find
from relay_runtime.jobs.wait import wait as wait_for

_PROGRESS_SECONDS = 5.0


def run(context: Context, prompt: bytes, *, name: str, run_id: str, index: int | None, owner: str) -> Answer:
    """Start a job from a shell, wait for it, and give its answer. A signal cancels it."""
    if not prompt.strip():
        raise no_input()
    if bool(run_id) != (index is not None):
        raise UsageError("job.workflow", "--workflow and --index belong together.")
    job_id = name or f"shell-{os.urandom(8).hex()}"
    wanted = Wanted(job_id, prompt, context.cwd, run_id, index or 0, owner)
    with SignalWake() as wake:
        folder = begin(wanted, context).folder
        watch = _Watch(folder, context, wake)
        found = wait_for(folder, context, watch.pause)
    return _answer(found, signalled=wake.signalled)


def start(context: Context, job_id: str, data: bytes) -> Answer:
    """Start a job for a caller that waits for it with another call."""
    begun = begin(_wanted(job_id, data), context)
    line = f"[RELAY-JOB] {begun.folder.id} {begun.how.value}"
    return Answer(message=line, data=_started(begun))


def wait(context: Context, job_id: str, owner: str | None) -> Answer:
    return _answer(wait_for(find(job_id, owner, context), context))


def cancel(context: Context, job_id: str, owner: str | None) -> Answer:
    """End one job. Without an id it is refused, for it would be somebody's guess."""
    if not job_id:
        running = [one for one in listed(context, owner) if one.living]
        raise UsageError(
            "job.which",
            f"Which job? {len(running)} are running"
            + (": " + ", ".join(one.folder.id for one in running) if running else "")
            + ".",
            hint="Name one: job cancel ID",
        )
    return _cancelled([find(job_id, owner, context)], context)


def cancel_all(context: Context, owner: str | None) -> Answer:
    if not owner:
        raise UsageError("job.owner", "--all needs --owner: nobody ends the jobs of others.")
    return _cancelled([one.folder for one in listed(context, owner) if one.living], context)


def list_all(context: Context, owner: str | None, *, running: bool) -> Answer:
    found = [one for one in listed(context, owner) if one.living or not running]
    return Answer(
        message=f"{len(found)} jobs.",
        lines=tuple(one.line for one in found),
        data={"jobs": [one.as_data() for one in found]},
    )


def show(context: Context, job_id: str, owner: str | None) -> Answer:
    """The block of a job that has ended, else how it stands."""
    folder = find(job_id, owner, context)
    if folder.block.exists():
        found = ended(folder)
        return Answer(message=f"{folder.id} {found.outcome}", exact=found.block, data=_data(found))
    (one,) = [one for one in listed(context) if one.folder.id == folder.id]
    return Answer(message=one.line, lines=(one.line, *_doing(folder, one)), data=one.as_data())


def prune(context: Context, keep: int) -> Answer:
    if keep < 0:
        raise UsageError("job.keep", "--keep must not be negative.")
    gone = listing.prune(context, keep)
    return Answer(message=f"[RELAY-JOB] {len(gone)} jobs deleted.", data={"deleted": gone})


def note_session(context: Context, by: seen.By, session: str | None, client: str) -> Answer:
    """Note that a session of the host began. Without an id it is read from what a hook gets on stdin."""
    name = session if session is not None else seen.session_of(context.read_bytes(None))
    seen.note(folders(context.environ), by, name, client, context.clock)
    return Answer(message="")  # what a hook prints at the start of a session is told to the model


def forget_sessions(context: Context) -> Answer:
    seen.forget(folders(context.environ))
    return Answer(message="")


def sessions(context: Context) -> Answer:
    found = seen.sessions(folders(context.environ))
    return Answer(
        message=f"{len(found)} sessions.",
        lines=tuple(
            f"[RELAY-SESSION] {one.id} {one.noted} {'exact' if one.hooked else 'model'} {one.client or '-'}"
            for one in found
        ),
        data={"sessions": [one.as_data() for one in found]},
    )


class _Watch:
    """What `run` does between two looks: note a signal, and tell a watching person."""

    def __init__(self, folder: JobFolder, context: Context, wake: SignalWake) -> None:
        self.folder, self.context, self.wake = folder, context, wake
        self.asked = False
        self.told, self.told_at = -1, context.clock.monotonic()

    def pause(self, seconds: float) -> None:
        self.wake.wait(seconds)
        if self.wake.signalled and not self.asked:
            self.asked = True
            ask_end(self.folder)
        now = self.context.clock.monotonic()
        if now >= self.told_at + _PROGRESS_SECONDS:
            self.told_at = now
            self._tell()

    def _tell(self) -> None:
        record = read_record(self.folder.attempt.record)
        if record is not None and record.facts.events != self.told:
            self.told = record.facts.events
            doing = record.facts.operation or "working"
            self.context.progress(f"[RELAY-JOB] {self.folder.id} {doing}; events: {self.told}")


def _wanted(job_id: str, data: bytes) -> Wanted:
    try:
        fields = Fields(json.loads(data.decode("utf-8")), "stdin")
        run_id, index = fields.optional_text("run"), fields.optional_number("index")
        cwd = Path(fields.text("cwd"))
        if bool(run_id) != (index is not None):
            raise ValueError("run and index belong together")
        if not cwd.is_absolute():
            raise ValueError("cwd is not an absolute path")
        prompt = fields.text("prompt").encode("utf-8", "surrogatepass")
        return Wanted(job_id, prompt, cwd, run_id or "", index or 0, fields.optional_text("owner") or "")
    except (ValueError, RecursionError) as error:
        raise UsageError("job.request", f"stdin is not a job to start: {error}.") from error


def _started(begun: Begun) -> dict[str, object]:
    return {
        "job": begun.folder.id,
        "how": begun.how.value,
        "refused": begun.how is How.REFUSED,
        "dir": str(begun.folder.path),
        "report": str(begun.folder.report),
    }


def _answer(found: Ended, signalled: int = 0) -> Answer:
    return Answer(
        message=f"{found.record.id} {found.outcome}",
        exit=found.exit,
        exact=found.answer,
        data=_data(found),
        signalled=signalled,
    )


def _data(found: Ended) -> dict[str, object]:
    block = found.block.decode("utf-8", "replace")
    return {"job": found.record.id, "outcome": found.outcome, "exit": int(found.exit), "block": block}


def _cancelled(jobs: list[JobFolder], context: Context) -> Answer:
    for folder in jobs:  # all are told first, so that they end side by side
        if not folder.block.exists():
            ask_end(folder)
    done = [cancel_job(folder, context) for folder in jobs]
    survived = any(one.survivors for one in done)
    return Answer(
        message=f"{sum(one.changed for one in done)} jobs cancelled.",
        exit=Exit.FAILED if survived else Exit.DONE,
        lines=tuple(one.line for one in done),
        data={"jobs": [{"job": one.id, "outcome": one.outcome, "changed": one.changed} for one in done]},
    )


def _doing(folder: JobFolder, one: Listed) -> tuple[str, ...]:
    record = read_record(folder.attempt.record)
    if record is None or not one.living:
        return ()
    facts = record.facts
    return (f"[RELAY-JOB] {facts.operation or 'working'}; events: {facts.events}",)
