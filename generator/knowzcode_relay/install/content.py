"""Read, write and remove one file or link, so that a fingerprint stands for all there is to know of it."""

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path
from threading import Thread

from knowzcode_relay.errors import Exit, RelayError
from knowzcode_relay.fs import write_atomic
from knowzcode_relay.install.plan import Kind, Print

_AT_ONCE = 16


def read(path: Path, kind: Kind) -> bytes:
    """The bytes of a file, or of a link's target."""
    try:
        return os.fsencode(path.readlink()) if kind is Kind.LINK else path.read_bytes()
    except OSError as error:
        raise _problem(path, "read", error) from error


def write(path: Path, data: bytes, look: Print, *, flush: bool = True) -> None:
    """Replace `path` in one step by what `look` and `data` describe."""
    if look.kind is not Kind.LINK:
        write_atomic(path, data, mode=look.mode, flush=flush)
        return
    staging = path.with_name(f".{path.name}.{os.getpid()}.tmp")
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


def remove_staged(path: Path) -> None:
    """Remove what a killed writer of `path` staged beside it."""
    before, after = f".{path.name}.", ".tmp"
    try:
        names = [entry.name for entry in os.scandir(path.parent)]
    except OSError:
        return
    for name in names:
        if name.startswith(before) and name.endswith(after) and name[len(before) : -len(after)].isdigit():
            remove(path.with_name(name))


def flush(paths: Iterable[Path]) -> None:
    """See to it that files which `write` left to the system are on the disk; many at once is much faster."""
    every = list(paths)
    threads = [Thread(target=_flush, args=(every[number::_AT_ONCE],)) for number in range(_AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _flush(paths: list[Path]) -> None:
    for path in paths:
        _flush_one(path)


def _flush_one(path: Path) -> None:
    with contextlib.suppress(OSError):  # gone meanwhile, or a link: there is nothing of ours to lose
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


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


def missing_parents(paths: Iterable[Path]) -> tuple[str, ...]:
    """The folders that writing these paths would create."""
    known: dict[Path, bool] = {}

    def missing(folder: Path) -> bool:
        if folder not in known:
            known[folder] = not os.path.lexists(folder)
            if known[folder] and folder.parent != folder:
                missing(folder.parent)
        return known[folder]

    for parent in {path.parent for path in paths}:
        missing(parent)
    return tuple(sorted(str(folder) for folder, gone in known.items() if gone))


def _problem(path: Path, what: str, error: OSError) -> RelayError:
    return RelayError(
        "file.unwritable", f"{path} cannot be {what}: {error.strerror or error}.", exit=Exit.HALT
    )
