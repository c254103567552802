"""Reading with a bound and writing all or nothing."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

from relay_runtime.errors import Exit, RelayError


def write_atomic(path: Path, data: bytes, *, mode: int = 0o644) -> None:
    """Replace `path` by `data` in one step: temporary file in the same folder, fsync, rename.

    `mode` is for a new file, within the umask; a file that exists keeps its own.
    """
    staging = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        descriptor = os.open(
            str(staging), os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), mode
        )
        with open(descriptor, "wb") as handle:
            handle.write(data)
            handle.flush()
            if path.exists():
                staging.chmod(stat.S_IMODE(path.stat().st_mode))
            os.fsync(handle.fileno())
        staging.replace(path)
    except OSError as error:
        raise RelayError(
            "file.unwritable", f"{path} cannot be written: {error.strerror or error}.", exit=Exit.HALT
        ) from error
    finally:
        with contextlib.suppress(OSError):
            staging.unlink()


def read_bounded(path: Path, limit: int, *, exit: Exit = Exit.USAGE) -> bytes:
    """The bytes of a regular file of at most `limit` bytes; anything else is a RelayError naming it."""
    if not path.is_file():
        what = "is not a regular file" if path.exists() else "does not exist"
        raise RelayError("file.missing", f"{path} {what}.", exit=exit)
    try:
        with path.open("rb") as handle:
            data = handle.read(limit + 1)
    except OSError as error:
        raise RelayError(
            "file.unreadable", f"{path} cannot be read: {error.strerror or error}.", exit=exit
        ) from error
    if len(data) > limit:
        raise RelayError("file.too-large", f"{path} is larger than {limit} bytes.", exit=exit)
    return data


def read_tail(path: Path, limit: int) -> str:
    """The last `limit` bytes as text, its bad bytes replaced; empty when there is no such file."""
    try:
        with path.open("rb") as handle:
            handle.seek(max(0, os.fstat(handle.fileno()).st_size - limit))
            return handle.read(limit).decode("utf-8", "replace")
    except FileNotFoundError:
        return ""
