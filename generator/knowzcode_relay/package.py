"""A package: files with their modes, and the index that names each of them with its hash."""

import json
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, cast

from knowzcode_relay.errors import Exit, RelayError
from knowzcode_relay.fs import digest

SCHEMA = 1
PLAIN = 0o644
PROGRAM = 0o755

_MODES = {"644": PLAIN, "755": PROGRAM}


@dataclass(frozen=True, order=True)
class File:
    """`path` is relative and POSIX; `mode` is PLAIN or PROGRAM."""

    path: str
    data: bytes
    mode: int = PLAIN


@dataclass(frozen=True)
class Package:
    """What one host gets. Paths start where the index's paths start; `files` is sorted, without the index."""

    name: str
    host: str
    version: str
    command: str
    index_path: str
    files: tuple[File, ...]

    @property
    def index(self) -> File:
        """The index as a file: the host, the version, and every other file with hash and mode."""
        record = {
            "schema": SCHEMA,
            "name": self.name,
            "host": self.host,
            "version": self.version,
            "command": self.command,
            "files": {
                file.path: {"sha256": digest(file.data), "mode": f"{file.mode:o}"} for file in self.files
            },
        }
        return File(self.index_path, (json.dumps(record, indent=2) + "\n").encode())

    @property
    def all_files(self) -> tuple[File, ...]:
        """The files and the index."""
        return tuple(sorted((*self.files, self.index)))


def load(root: Path, index_path: str) -> Package:
    """The package below `root` as its index describes it.

    No index is RelayError `package.missing`; an unreadable one or a file that does not match its hash
    `package.damaged`; one of a newer schema `package.newer`.
    """
    index = root / index_path
    try:
        record = cast("dict[str, Any]", json.loads(index.read_bytes()))
    except FileNotFoundError as error:
        raise _problem("missing", f"{index} does not exist.") from error
    except (OSError, ValueError) as error:
        raise _problem("damaged", f"{index} cannot be read: {error}.") from error
    try:
        schema = int(record["schema"])
        if schema > SCHEMA:
            raise _problem(
                "newer",
                f"{index} has schema {schema}; this program knows {SCHEMA}.",
                "Upgrade knowzcode-relay.",
            )
        return Package(
            name=str(record["name"]),
            host=str(record["host"]),
            version=str(record["version"]),
            command=str(record["command"]),
            index_path=index_path,
            files=tuple(sorted(_file(root, path, entry) for path, entry in record["files"].items())),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _problem("damaged", f"{index} is not a package index: {error!r}.") from error


def _file(root: Path, path: str, entry: dict[str, str]) -> File:
    parts = PurePosixPath(path)
    if parts.is_absolute() or ".." in parts.parts or "\\" in path or str(parts) != path:
        raise _problem(
            "damaged", f"The package index below {root} names {path!r}, which is no relative path."
        )
    place = root / path
    try:
        if place.is_symlink():
            raise _problem("damaged", f"{place} is a link, not a file.")
        data = place.read_bytes()
    except OSError as error:
        raise _problem("damaged", f"{place} cannot be read: {error.strerror or error}.") from error
    if digest(data) != entry["sha256"]:
        raise _problem("damaged", f"{place} is not what the package index says.")
    return File(path, data, _MODES[entry["mode"]])


def _problem(kind: str, message: str, hint: str = "Install knowzcode-relay again.") -> RelayError:
    return RelayError(f"package.{kind}", message, exit=Exit.HALT, hint=hint)
