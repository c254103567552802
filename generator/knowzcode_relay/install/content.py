"""Read, write and remove one file or link, so that a fingerprint stands for all there is to know of it."""

import contextlib
import os
from pathlib import Path

from knowzcode_relay.errors import Exit, RelayError
from knowzcode_relay.fs import write_atomic
from knowzcode_relay.install.plan import Kind, Print


def read(path: Path, kind: Kind) -> bytes:
    """The bytes of a file, or of a link's target."""
    try:
        return os.fsencode(path.readlink()) if kind is Kind.LINK else path.read_bytes()
    except OSError as error:
        raise _problem(path, "read", error) from error


def write(path: Path, data: bytes, look: Print) -> None:
    """Replace `path` in one step by what `look` and `data` describe."""
    if look.kind is not Kind.LINK:
        write_atomic(path, data, mode=look.mode)
        return
    staging = temporary(path, os.getpid())
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        staging.symlink_to(os.fsdecode(data))
        staging.replace(path)
    except OSError as error:
        raise _problem(path, "written", error) from error
    finally:
        with contextlib.suppress(OSError):
            staging.unlink()


def remove(path: Path) -> None:
    """Remove a file or link; one that is gone already is fine."""
    try:
        path.unlink(missing_ok=True)
    except NotADirectoryError:
        return
    except OSError as error:
        raise _problem(path, "removed", error) from error


def temporary(path: Path, pid: int) -> Path:
    """The name under which process `pid` stages `path`; a killed one leaves it behind."""
    return path.with_name(f".{path.name}.{pid}.tmp")


def remove_empty(folders: tuple[str, ...]) -> tuple[str, ...]:
    """Remove those of `folders` that are empty, the deepest first, and give those that remain."""
    left: list[str] = []
    for folder in sorted(folders, key=len, reverse=True):
        try:
            Path(folder).rmdir()
        except FileNotFoundError:
            continue
        except OSError:
            left.append(folder)
    return tuple(sorted(left))


def missing_parents(path: Path) -> tuple[str, ...]:
    """The folders that writing `path` would create."""
    return tuple(str(folder) for folder in path.parents if not os.path.lexists(folder))


def _problem(path: Path, what: str, error: OSError) -> RelayError:
    return RelayError(
        "file.unwritable", f"{path} cannot be {what}: {error.strerror or error}.", exit=Exit.HALT
    )
