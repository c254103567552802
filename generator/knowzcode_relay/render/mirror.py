"""The rendered files in a checkout: where they differ from a fresh rendering, and making them equal."""

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from knowzcode_relay.errors import Exit, RelayError
from knowzcode_relay.fs import write_atomic
from knowzcode_relay.package import PROGRAM, File

# Everything below this folder is rendered. Other rendered files lie among files that are not ours.
OWNED = "dist"


class Kind(StrEnum):
    MISSING = "missing"
    EXTRA = "extra"
    BYTES = "bytes"
    MODE = "mode"


@dataclass(frozen=True, order=True)
class Difference:
    """`path` starts at the checkout."""

    path: str
    kind: Kind


def compare(checkout: Path, files: tuple[File, ...]) -> tuple[Difference, ...]:
    """How `checkout` differs from `files`, by path. Of a mode only the executable bit counts, as in git."""
    wanted = {file.path: file for file in files}
    found = [Difference(path, Kind.EXTRA) for path in _below(checkout, OWNED) if path not in wanted]
    for path, file in wanted.items():
        if (kind := _difference(checkout, path, file)) is not None:
            found.append(Difference(path, kind))
    return tuple(sorted(found))


def write(checkout: Path, files: tuple[File, ...]) -> tuple[Difference, ...]:
    """Make `checkout` equal to `files` and give what differed. What is equal is not touched."""
    differences = compare(checkout, files)
    wanted = {file.path: file for file in files}
    try:
        for extra in (each for each in differences if each.kind is Kind.EXTRA):
            _remove(checkout, extra.path)
    except OSError as error:
        raise RelayError(
            "mirror.unwritable", f"{error.filename} cannot be removed: {error.strerror}.", exit=Exit.HALT
        ) from error
    for each in differences:
        if each.kind is not Kind.EXTRA:
            file = wanted[each.path]
            write_atomic(checkout / file.path, file.data, mode=file.mode)
    return differences


def _difference(checkout: Path, path: str, file: File) -> Kind | None:
    place = checkout / path
    if _through_link(checkout, path) or not place.is_file():
        return Kind.MISSING
    if place.read_bytes() != file.data:
        return Kind.BYTES
    if os.name == "posix" and bool(place.stat().st_mode & 0o100) != (file.mode == PROGRAM):
        return Kind.MODE
    return None


def _through_link(checkout: Path, path: str) -> bool:
    place = checkout
    for part in Path(path).parts:
        place /= part
        if place.is_symlink():
            return True
    return False


def _below(checkout: Path, folder: str) -> Iterator[str]:
    """`folder`, or what lies below it, down to what is no folder; a link is such and is not followed."""
    place = checkout / folder
    if place.is_dir() and not place.is_symlink():
        for each in sorted(place.iterdir()):
            yield from _below(checkout, f"{folder}/{each.name}")
    elif place.is_symlink() or place.exists():
        yield folder


def _remove(checkout: Path, path: str) -> None:
    place = checkout / path
    place.unlink()
    with contextlib.suppress(OSError):  # a folder that still holds something stays
        for parent in place.parents:
            if parent in (checkout, checkout / OWNED):
                break
            parent.rmdir()
