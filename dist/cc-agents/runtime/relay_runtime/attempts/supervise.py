"""Watch one process of a leg from its start to its exit marker."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterable, Mapping
from typing import Protocol

from relay_runtime.attempts import timebudget
from relay_runtime.attempts.attempt import Record, Request, Spec, read_ask, write_record
from relay_runtime.attempts.events import Event, LogReader
from relay_runtime.attempts.facts import Facts
from relay_runtime.attempts.process import ATTEMPT, Waits, end_strays, identify_child, stop_tree
from relay_runtime.attempts.timebudget import Action, Budget, Word
from relay_runtime.attempts.wake import Wake
from relay_runtime.clock import Clock, iso
from relay_runtime.errors import RelayError
from relay_runtime.fsio import write_atomic
from relay_runtime.state.outcome import Cause

NOT_STARTED = 127
FAULT = 70

SAME_DENIAL_LIMIT = 20
PERMISSION_WAIT = 120.0  # seconds

_FIRST_LOOK = 0.1  # seconds; then longer and longer while nothing happens
_LONGEST_LOOK = 2.0
_RECORD_EVERY = 2.0
_REAP_SECONDS = 5.0
_AFTER_THE_END = Waits(terminate=2.0, kill=3.0)

_WORDS: dict[Request | None, Word] = {
    Request.CONTINUE: Word.CONTINUE,
    Request.INTERRUPT: Word.INTERRUPT,
    Request.STOP: Word.STOP,
}
_CAUSES = {Action.INTERRUPT: Cause.TIME_INTERRUPT, Action.STOP: Cause.TIME_STOP}


class Stream(Protocol):
    """What a supervisor needs of an adapter."""

    BRIEF: Mapping[bytes, Event]
    KEEPS_LAST: bool

    def read(self, facts: Facts, event: Event) -> Facts: ...
    def effective_exit(self, exit: int, facts: Facts) -> int: ...


def early_stop(facts: Facts, retry_age: float, output_age: float, network_seconds: float) -> Cause:
    """Why a living leg is ended before its time: what waiting cannot mend. Silence alone is no reason."""
    if facts.retry and facts.retry_kind == "auth":
        return Cause.AUTH
    if facts.retry and retry_age >= network_seconds:
        return Cause.NETWORK
    if facts.same_denial >= SAME_DENIAL_LIMIT or (facts.waiting and output_age >= PERMISSION_WAIT):
        return Cause.PERMISSION
    return Cause.NONE


def supervise(spec: Spec, stream: Stream, environ: Mapping[str, str], clock: Clock, wake: Wake) -> int:
    """Run the target of `spec` and give the number that the exit marker got.

    The marker is written in every case and after everything else: 127 not started, 128+n by signal n.
    """
    return _Supervisor(spec, stream, environ, clock, wake).run()


class _Supervisor:
    def __init__(
        self, spec: Spec, stream: Stream, environ: Mapping[str, str], clock: Clock, wake: Wake
    ) -> None:
        self.spec, self.stream, self.environ, self.clock, self.wake = spec, stream, environ, clock, wake
        self.log = LogReader(spec.files.log, brief=stream.BRIEF)
        self.begun = self.output = self.written = clock.monotonic()
        self.retrying: float | None = None
        self.answered = 0
        self.unwritten = False
        self.record = Record(
            id=spec.id,
            supervisor=identify_child(os.getpid()),
            started=iso(clock.now()),
            output_at=iso(clock.now()),
            budget=Budget(spec.minutes),
        )

    def run(self) -> int:
        marker = FAULT
        try:
            marker = self._leg()
        except BaseException as error:
            self.record = self.record.but(note=f"The supervisor failed: {error!r}", cause=Cause.FAULT)
            self._end_target()
            raise
        finally:
            with contextlib.suppress(RelayError):  # a full disk: the marker is tried all the same
                self._keep(ended=iso(self.clock.now()))
            write_atomic(self.spec.files.exit, f"{marker}\n".encode())
        return marker

    def _leg(self) -> int:
        self._keep()
        for path in self.spec.remove:
            path.unlink(missing_ok=True)
        if self._requested() is Request.CANCEL:
            self._keep(cause=Cause.CANCEL, note="It was cancelled before it started.")
            return NOT_STARTED
        try:
            child = self._spawn()
        except OSError as error:
            return self._not_started(error)
        self._keep(target=identify_child(child.pid))
        cause = self._watch(child)
        if cause is not Cause.NONE:
            self._keep(cause=cause)
            self._end_target()
        number = _number(child, 128 + self.wake.signalled if cause is Cause.SIGNAL else None)
        self._read(self.log.rest())
        if not self.stream.KEEPS_LAST and self.record.facts.final_message:
            write_atomic(self.spec.files.last, self.record.facts.final_message.encode("utf-8", "replace"))
        self._keep(exit=number, survivors=end_strays(self.spec.id, self.clock, _AFTER_THE_END))
        return self.stream.effective_exit(number, self.record.facts)

    def _spawn(self) -> subprocess.Popen[bytes]:
        """Streams are regular files: on a pipe, clients lose output and still end with 0.

        They are new ones, since an earlier leg may have put a link to somewhere else in their place.
        """
        files = self.spec.files
        for path in (files.log, files.err):
            path.unlink(missing_ok=True)
        with self.spec.stdin.open("rb") as stdin, files.log.open("xb") as log, files.err.open("xb") as err:
            return subprocess.Popen(
                self.spec.argv,
                stdin=stdin,
                stdout=log,
                stderr=err,
                cwd=self.spec.cwd,
                env={**self.environ, **self.spec.environ, ATTEMPT: self.spec.id},
                start_new_session=True,
            )

    def _not_started(self, error: OSError) -> int:
        what = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        with contextlib.suppress(OSError):
            self.spec.files.err.write_text(what + "\n", encoding="utf-8", errors="replace")
        self._keep(note=what, exit=NOT_STARTED)
        return NOT_STARTED

    def _watch(self, child: subprocess.Popen[bytes]) -> Cause:
        """Follow the target until it ends by itself (NONE) or has to be ended."""
        pause = _FIRST_LOOK
        while child.poll() is None:
            pause = min(pause * 1.5, _LONGEST_LOOK)
            if self.log.grew():
                pause = _FIRST_LOOK
                self.output = self.clock.monotonic()
            self._read(self.log.news())
            cause = self._cause()
            if cause is not Cause.NONE:
                return cause
            self.wake.wait(pause)
        return Cause.NONE

    def _read(self, events: Iterable[Event]) -> None:
        """Fold the log's news into the record."""
        now = self.clock.monotonic()
        facts, session = self.record.facts, self.record.facts.session_id
        offset = self.log.offset
        for event in events:
            facts = self.stream.read(facts, event)
            if not facts.retry:
                self.retrying = None
            elif self.retrying is None:
                self.retrying = now
        if self.log.offset != offset:
            self.record = self.record.but(
                facts=facts, offset=self.log.offset, junk=self.log.junk, output_at=iso(self.clock.now())
            )
            self.unwritten = True
        if facts.session_id != session or (self.unwritten and now - self.written >= _RECORD_EVERY):
            self._keep()

    def _cause(self) -> Cause:
        """Whether something now ends the leg: a signal, a request, its own stream, or the time."""
        if not self.spec.files.record.exists():
            raise RelayError("attempt.removed", f"{self.spec.files.record} was removed while the leg ran.")
        request = self._requested()
        if self.wake.signalled:
            return Cause.SIGNAL
        if request is Request.CANCEL:
            return Cause.CANCEL
        now = self.clock.monotonic()
        facts, output_age = self.record.facts, now - self.output
        retry_age = 0.0 if self.retrying is None else now - self.retrying
        cause = early_stop(facts, retry_age, output_age, self.spec.network_seconds)
        if cause is not Cause.NONE:
            return cause
        if self.spec.idle_seconds and output_age >= self.spec.idle_seconds:
            return Cause.IDLE
        resumable = bool(facts.session_id or self.spec.asked_session)
        evidence = timebudget.Evidence(now - self.begun, output_age, resumable)
        action = timebudget.decide(self.record.budget, evidence, _WORDS.get(request))
        budget = self.record.budget.after(action)
        if budget != self.record.budget:
            self._keep(budget=budget)
        return _CAUSES.get(action, Cause.NONE)

    def _requested(self) -> Request | None:
        """A request that was not answered yet; each is given once. One that cannot be read is none."""
        with contextlib.suppress(RelayError):
            asked = read_ask(self.spec.files)
            if asked is not None and asked.number > self.answered:
                self.answered = asked.number
                return asked.request
        return None

    def _end_target(self) -> None:
        if self.record.target is not None:
            stop_tree(self.record.target, self.spec.id, self.clock)

    def _keep(self, **changes: object) -> None:
        """Change the record and write it."""
        self.record = self.record.but(**changes)
        self.written = self.clock.monotonic()
        self.unwritten = False
        write_record(self.spec.files.record, self.record)


def _number(child: subprocess.Popen[bytes], instead: int | None) -> int:
    """The exit status as a shell would say it."""
    try:
        code = child.wait(timeout=_REAP_SECONDS)
    except subprocess.TimeoutExpired:  # not even SIGKILL ended it; it is named among the survivors
        code = -9
    if instead is not None:
        return instead
    return 128 - code if code < 0 else code
