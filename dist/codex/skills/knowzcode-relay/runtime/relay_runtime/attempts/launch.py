"""Start an attempt: under a supervisor that outlives us, or under our own eyes."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from relay_runtime.attempts.attempt import Record, Spec, read_record, write_spec
from relay_runtime.attempts.supervise import NOT_STARTED, Stream, supervise
from relay_runtime.attempts.wake import SignalWake
from relay_runtime.clock import Clock
from relay_runtime.errors import RelayError
from relay_runtime.fsio import write_atomic
from relay_runtime.package import RUNTIME_FILE

_START_SECONDS = 30.0
_LOOK_EVERY = 0.02


def new_id() -> str:
    """An id that no other attempt on this machine has."""
    return os.urandom(12).hex()


def launch(spec: Spec, environ: Mapping[str, str], clock: Clock, runtime: Path = RUNTIME_FILE) -> Record:
    """Start the supervisor in a session of its own; return once the target runs, or could not be started.

    Then `target` is None and `note` says why. A supervisor that does not come up is a RelayError.
    `environ` is what the target inherits, `runtime` the relay.py that watches it.
    """
    write_spec(spec)
    command = [sys.executable, "-I", str(runtime), "supervise", str(spec.files.spec)]
    supervisor = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=dict(environ),
        cwd=spec.files.spec.parent,
        start_new_session=True,
    )
    until = clock.monotonic() + _START_SECONDS
    while True:
        gone = supervisor.poll() is not None
        record = read_record(spec.files.record)
        if record is not None and (record.target is not None or record.ended is not None):
            return record
        if gone or clock.monotonic() >= until:
            raise _no_supervisor(spec, supervisor, command)
        clock.sleep(_LOOK_EVERY)


def launch_in_foreground(spec: Spec, stream: Stream, environ: Mapping[str, str], clock: Clock) -> int:
    """Supervise in this process, for a host that keeps it alive itself; the number of the exit marker."""
    with SignalWake() as wake:
        return supervise(spec, stream, environ, clock, wake)


def _no_supervisor(spec: Spec, supervisor: subprocess.Popen[bytes], command: list[str]) -> RelayError:
    supervisor.kill()
    supervisor.wait()
    if not spec.files.exit.exists():
        write_atomic(spec.files.exit, f"{NOT_STARTED}\n".encode())
    return RelayError(
        "launch.supervisor",
        f"The supervisor of {spec.target} did not come up (status {supervisor.returncode}).",
        hint=f"Try it by hand: {shlex.join(command)}",
    )
