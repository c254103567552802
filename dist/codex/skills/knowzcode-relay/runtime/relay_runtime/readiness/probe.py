"""Ask a program one question: bounded in time and output, and nothing of it is left running."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from relay_runtime.attempts.process import ATTEMPT, Waits, end_strays
from relay_runtime.clock import SystemClock

OUTPUT_LIMIT = 64 * 1024  # bytes kept; what comes after them is read and forgotten
_GRACE = 1.0  # seconds for a killed process and its pipe to be gone
_WAITS = Waits(terminate=0.5, kill=1.0)


@dataclass(frozen=True)
class ProbeResult:
    """What a program answered: `output` is UTF-8 with its bad bytes replaced.

    `exit` is None when it could not be started (`error` says why) or gave no answer in time (`hung`), and
    the negative number of the signal that ended it.
    """

    exit: int | None
    output: str = ""
    hung: bool = False
    error: str = ""


def run_probe(
    argv: Sequence[str],
    env: Mapping[str, str],
    timeout: float,
    *,
    cwd: Path | None = None,
    with_stderr: bool = False,
) -> ProbeResult:
    """Run `argv` for at most `timeout` seconds in a session of its own and end whatever it leaves behind.

    Standard error is dropped unless asked for: clients write parts of keys there.
    """
    mark = os.urandom(8).hex()
    try:
        process = subprocess.Popen(
            list(argv),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if with_stderr else subprocess.DEVNULL,
            env={**env, ATTEMPT: mark},
            cwd=cwd,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        return ProbeResult(exit=None, error=getattr(error, "strerror", None) or str(error))
    assert process.stdout is not None  # noqa: S101  told to be a pipe above
    kept = bytearray()
    reader = threading.Thread(target=_drain, args=(process.stdout, kept), daemon=True)
    reader.start()
    code: int | None = None
    with contextlib.suppress(subprocess.TimeoutExpired):
        code = process.wait(timeout)
    # Also after an orderly end: a grandchild may live on, hold the pipe, and have left our session.
    _end(process, mark)
    reader.join(_GRACE)
    return ProbeResult(exit=code, output=bytes(kept).decode("utf-8", "replace"), hung=code is None)


def _drain(pipe: IO[bytes], kept: bytearray) -> None:
    """Read to the end, since a full pipe would block the program, and keep only the beginning."""
    with pipe, contextlib.suppress(OSError):
        while True:
            chunk = os.read(pipe.fileno(), OUTPUT_LIMIT)
            if not chunk:
                return
            kept += chunk[: OUTPUT_LIMIT - len(kept)]


def _end(process: subprocess.Popen[bytes], mark: str) -> None:
    end_strays(mark, SystemClock(), _WAITS)
    if sys.platform == "win32":
        process.kill()
    else:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_GRACE)
