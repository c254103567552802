"""The processes that belong to one rehearsal: its folder's name is in their command or environment."""

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path

_PROC = Path("/proc")
_GRACE = 4.0  # seconds; all that a process could still save lies in the disposable folder
_LOOK_EVERY = 0.05


def living(root: Path) -> tuple[int, ...]:
    """The ids of all processes that name `root`, ourselves left out."""
    found = _by_proc(str(root)) if (_PROC / "self" / "cmdline").exists() else _by_ps(str(root))
    return tuple(pid for pid in found if pid != os.getpid())


def gone(root: Path, seconds: float) -> bool:
    """Whether no process of `root` is left, at the latest after `seconds`."""
    until = time.monotonic() + seconds
    while living(root):
        if time.monotonic() >= until:
            return False
        time.sleep(_LOOK_EVERY)
    return True


def end(root: Path) -> tuple[int, ...]:
    """Ask every process of `root` to end, then make it; the ids of those that would not."""
    for step in (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
        for pid in living(root):
            with contextlib.suppress(OSError):  # it was faster
                os.kill(pid, step)
        if gone(root, _GRACE):
            return ()
    return living(root)


def _by_proc(name: str) -> list[int]:
    found: list[int] = []
    for folder in _PROC.iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):  # gone, or another user's
                if any(name.encode() in (folder / each).read_bytes() for each in ("cmdline", "environ")):
                    found.append(int(folder.name))
    return found


def _by_ps(name: str) -> list[int]:
    """Where there is no /proc. Commands only; the supervisor's names the folder, and it ends the rest."""
    listed = subprocess.run(
        ["ps", "-A", "-ww", "-o", "pid=,command="], capture_output=True, text=True, check=False
    )
    return [int(line.split(maxsplit=1)[0]) for line in listed.stdout.splitlines() if name in line]
