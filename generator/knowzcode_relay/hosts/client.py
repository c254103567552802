"""Run a client's own command with a bound on its time; its whole process group ends with it."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

SECONDS = 60.0
_GRACE = 2.0


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
    """Run `argv` with these bytes as its stdin and collect what it prints."""
    try:
        child = subprocess.Popen(
            [str(word) for word in argv],
            env=dict(env),
            cwd=cwd,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        return Completed(None, "", f"{argv[0]} cannot be started: {error.strerror or error}")
    try:
        out, err = child.communicate(stdin, timeout=seconds)
    except subprocess.TimeoutExpired:
        _end(child)
        return Completed(None, "", f"{argv[0]} did not end within {seconds:.0f} seconds")
    except BaseException:
        _end(child)
        raise
    return Completed(child.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"))


def _end(child: subprocess.Popen[bytes]) -> None:
    for step in (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
        with contextlib.suppress(OSError):
            if os.name == "posix":
                os.killpg(child.pid, step)
            else:
                child.terminate()
        # A grandchild in a session of its own may hold the pipes open: wait for the child only.
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(timeout=_GRACE)
