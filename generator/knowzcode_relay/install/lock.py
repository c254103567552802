"""One change at a time. The kernel holds the lock, so a dead holder leaves none."""

import contextlib
import json
import os
from collections.abc import Generator
from pathlib import Path
from typing import IO

from knowzcode_relay.errors import Exit, RelayError

NAME = "lock"

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
def exclusive(data: Path, verb: str) -> Generator[None]:
    """Hold our data folder for one change; a living holder makes it RelayError (exit 7)."""
    path = data / NAME
    with _held(path) as handle:
        handle.seek(0)
        handle.truncate()
        handle.write(json.dumps({"pid": os.getpid(), "verb": verb}).encode())
        handle.flush()
        try:
            yield
        finally:
            # Gone before it is let go, and `_held` looks again: the file never outlives a change.
            path.unlink(missing_ok=True)


def _held(path: Path) -> IO[bytes]:
    while True:
        handle = _opened(path)
        try:
            _take(handle)
        except OSError as error:
            handle.close()
            raise RelayError(
                "lock.held",
                f"{path} is held by {_holder(path)}.",
                exit=Exit.BUSY,
                hint="Wait for it, then try again.",
            ) from error
        if _is_there(path, handle):
            return handle
        handle.close()  # the last holder removed the file after we had opened it


def _opened(path: Path) -> IO[bytes]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return open(path, "a+b")
    except OSError as error:
        raise RelayError(
            "data.unwritable",
            f"{path.parent} cannot be written: {error.strerror or error}.",
            exit=Exit.HALT,
            hint="Make it writable, or set XDG_DATA_HOME to a folder that is.",
        ) from error


def _is_there(path: Path, handle: IO[bytes]) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(handle.fileno()))
    except OSError:
        return False


def _holder(path: Path) -> str:
    try:
        record = json.loads(path.read_bytes())
        return f"process {int(record['pid'])} ({record['verb']})"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"
