"""Writing all or nothing, and reading back what is there."""

import contextlib
import hashlib
import os
from pathlib import Path

from knowzcode_relay.errors import Exit, RelayError

_NEW = os.O_WRONLY | os.O_CREAT | os.O_TRUNC


def write_atomic(path: Path, data: bytes, *, mode: int = 0o644, flush: bool = True) -> None:
    """Replace `path` by `data` in one step: temporary file in the same folder, fsync, rename.

    Without `flush` the fsync is the caller's to do.
    """
    staging = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        try:
            descriptor = os.open(staging, _NEW, mode)
        except FileNotFoundError:
            path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(staging, _NEW, mode)
        with open(descriptor, "wb") as handle:
            handle.write(data)
            handle.flush()
            os.fchmod(handle.fileno(), mode)
            if flush:
                os.fsync(handle.fileno())
        staging.replace(path)
    except OSError as error:
        raise RelayError(
            "file.unwritable", f"{path} cannot be written: {error.strerror or error}.", exit=Exit.HALT
        ) from error
    finally:
        with contextlib.suppress(OSError):
            staging.unlink()


def digest(data: bytes) -> str:
    """The SHA-256 of `data`, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()
