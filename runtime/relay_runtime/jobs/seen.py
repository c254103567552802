"""Which sessions of the host began with the job plugin, and in which of them its code hook ran.

The plugin notes both at the start of a session: a classic hook that the session began, the code hook that it
ran. A session with the first mark and without the second is one whose client gave the agent to a model.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from relay_runtime.clock import Clock, iso
from relay_runtime.errors import UsageError
from relay_runtime.fields import Fields
from relay_runtime.fsio import write_atomic
from relay_runtime.jobs.folder import JobFolders, plain

SCHEMA = 1
_KEPT = 20


class By(Enum):
    """Who notes a session. The value is the ending of the mark's file name."""

    CLIENT = "client"
    HOOK = "hook"


@dataclass(frozen=True)
class Session:
    """`hooked`: the code hook ran in it. `client` is the release that the code hook found itself in."""

    id: str
    noted: str
    hooked: bool
    client: str

    def as_data(self) -> dict[str, object]:
        return {"session": self.id, "noted": self.noted, "hooked": self.hooked, "client": self.client}


def note(folders: JobFolders, by: By, session: str, client: str, clock: Clock) -> None:
    """Write one mark. Two sessions that begin at once do not touch each other's."""
    path = folders.sessions / f"{plain('session id', session)}.{by.value}"
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    value = {"schema": SCHEMA, "session": session, "noted": iso(clock.now()), "client": client}
    write_atomic(path, (json.dumps(value) + "\n").encode(), mode=0o600)
    for old in _newest_first(folders)[2 * _KEPT :]:
        old.unlink(missing_ok=True)


def forget(folders: JobFolders) -> None:
    """Remove every mark, and the folders that are empty then."""
    for path in _newest_first(folders):
        path.unlink(missing_ok=True)
    for folder in (folders.sessions, folders.root):
        with suppress(OSError):
            folder.rmdir()


def session_of(data: bytes) -> str:
    """The session id in what the host gives a classic hook on stdin."""
    try:
        return Fields(json.loads(data), "stdin").text("session_id")
    except (ValueError, RecursionError) as error:
        raise UsageError("job.session", f"stdin does not name a session: {error}.") from error


def sessions(folders: JobFolders) -> tuple[Session, ...]:
    """Those noted last, the newest first."""
    found: dict[str, Session] = {}
    for path, fields in _marks(folders):
        hooked = path.suffix == f".{By.HOOK.value}"
        before = found.get(path.stem)
        client = (before.client if before else "") or fields.text("client")
        noted = before.noted if before else fields.text("noted")
        found[path.stem] = Session(path.stem, noted, hooked or (before is not None and before.hooked), client)
    return tuple(found.values())


def _marks(folders: JobFolders) -> Iterator[tuple[Path, Fields]]:
    for path in _newest_first(folders):
        with suppress(OSError, ValueError):  # a mark is news and no state: an unreadable one is none
            fields = Fields(json.loads(path.read_text("utf-8")), path.name)
            if fields.number("schema") == SCHEMA:
                yield path, fields


def _newest_first(folders: JobFolders) -> list[Path]:
    found = list(folders.sessions.glob("*.*")) if folders.sessions.is_dir() else []
    endings = {f".{by.value}" for by in By}
    dated: list[tuple[float, Path]] = []
    for path in found:
        with suppress(FileNotFoundError):
            if path.suffix in endings:
                dated.append((path.stat().st_mtime, path))
    return [path for _, path in sorted(dated, reverse=True)]
