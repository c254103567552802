"""One writer at a time. The kernel holds the lock: a dead holder leaves none, the file names a living one."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Generator
from pathlib import Path
from typing import IO

from relay_runtime.clock import Clock
from relay_runtime.errors import Exit, RelayError

_LOOK_EVERY = 0.05

if os.name == "posix":
    import fcntl

    def _take(handle: IO[bytes]) -> None:
        fcntl.flock(handle.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
else:
    import msvcrt

    def _take(handle: IO[bytes]) -> None:
        handle.seek(1 << 20)  # far behind the holder's name, which others must be able to read
        msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)


@contextlib.contextmanager
def exclusive(path: Path, purpose: str) -> Generator[None, None, None]:
    """Hold `path` as a lock for the length of the block; a living holder makes it RelayError (exit 7)."""
    with _opened(path) as handle:
        try:
            _take(handle)
        except OSError as error:
            raise RelayError(
                "lock.held",
                f"{path} is held by {_holder(path)}.",
                exit=Exit.BUSY,
                hint="Wait for it, then try again.",
            ) from error
        handle.seek(0)
        handle.truncate()
        handle.write(json.dumps({"pid": os.getpid(), "purpose": purpose}).encode())
        handle.flush()
        yield


@contextlib.contextmanager
def patient(path: Path, purpose: str, clock: Clock, seconds: float) -> Generator[None, None, None]:
    """The same, where others hold the lock for moments only: they are waited for, up to `seconds`."""
    until = clock.monotonic() + seconds
    with contextlib.ExitStack() as held:
        while True:
            try:
                held.enter_context(exclusive(path, purpose))
                break
            except RelayError as error:
                if error.exit != Exit.BUSY or clock.monotonic() >= until:
                    raise
            clock.sleep(_LOOK_EVERY)
        yield


def _opened(path: Path) -> IO[bytes]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return open(path, "a+b")
    except OSError as error:
        raise RelayError(
            "lock.unwritable", f"{path} cannot be opened: {error.strerror or error}.", exit=Exit.HALT
        ) from error


def _holder(path: Path) -> str:
    try:
        record = json.loads(path.read_bytes())
        return f"process {int(record['pid'])} ({record['purpose']})"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"
