"""Run a client's own command with a bound on its time; its whole process group ends with it."""

import contextlib
import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

SECONDS = 60.0
_GRACE = 2.0
_KEPT = 1 << 20


@dataclass(frozen=True)
class Completed:
    """`code` is None when the command did not start or did not end in time; `err` then says which."""

    code: int | None
    out: str
    err: str

    @property
    def last_words(self) -> str:
        """The last line that the command printed, for a message."""
        lines = [line.strip() for line in f"{self.out}\n{self.err}".splitlines() if line.strip()]
        return lines[-1][:300] if lines else "it printed nothing"


def run(
    argv: Sequence[str | Path],
    *,
    env: Mapping[str, str],
    cwd: Path,
    stdin: bytes = b"",
    seconds: float = SECONDS,
) -> Completed:
    """Run `argv` with these bytes as its stdin and collect what it prints, at most a megabyte a stream."""
    words = [str(word) for word in argv]
    try:
        # Files, not pipes: a client that ends early loses nothing, and what it leaves behind blocks nobody.
        with (
            tempfile.TemporaryFile() as given,
            tempfile.TemporaryFile() as out,
            tempfile.TemporaryFile() as err,
        ):
            given.write(stdin)
            given.seek(0)
            child = subprocess.Popen(
                words, env=dict(env), cwd=cwd, stdin=given, stdout=out, stderr=err, start_new_session=True
            )
            if not _ended(child, seconds):
                return Completed(None, "", f"{words[0]} did not end within {seconds:.0f} seconds")
            return Completed(child.returncode, _text(out), _text(err))
    except OSError as error:
        return Completed(None, "", f"{words[0]} cannot be started: {error.strerror or error}")


def _ended(child: subprocess.Popen[bytes], seconds: float) -> bool:
    try:
        _wait(child, seconds)
    except subprocess.TimeoutExpired:
        _end(child)
        return False
    except BaseException:
        _end(child)
        raise
    return True


def _wait(child: subprocess.Popen[bytes], seconds: float) -> None:
    """`Popen.wait` looks twenty times a second; where the system tells of the end, no time is lost."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):  # a kernel before 5.3
            handle = os.pidfd_open(child.pid)
            try:
                end = select.poll()
                end.register(handle, select.POLLIN)
                end.poll(seconds * 1000)
            finally:
                os.close(handle)
            seconds = 0
    child.wait(timeout=seconds)


def _text(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read(_KEPT).decode("utf-8", "replace")


def _end(child: subprocess.Popen[bytes]) -> None:
    for step in (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
        with contextlib.suppress(OSError):
            if os.name == "posix":
                os.killpg(child.pid, step)
            else:
                child.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(timeout=_GRACE)
