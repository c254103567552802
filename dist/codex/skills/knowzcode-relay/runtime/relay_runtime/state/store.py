"""Read and write a relay on disk, under one lock for the checkout."""

from __future__ import annotations

import contextlib
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

from relay_runtime import workgroup
from relay_runtime.clock import Clock
from relay_runtime.errors import Exit, RelayError
from relay_runtime.fsio import read_bounded, write_atomic
from relay_runtime.lock import patient
from relay_runtime.state import record as records
from relay_runtime.state import text
from relay_runtime.state.files import RelayFiles
from relay_runtime.state.record import Record
from relay_runtime.state.relay import Relay

_LIMIT = 16 * 1024 * 1024
_PATIENCE = 10.0


@dataclass(frozen=True)
class Stored:
    """A relay as it lies on disk."""

    files: RelayFiles
    relay: Relay
    record: Record


@contextlib.contextmanager
def locked(files: RelayFiles, purpose: str, clock: Clock) -> Generator[None, None, None]:
    """Be the only writer of the checkout. Others write for moments only, so they are waited for a little."""
    with patient(files.lock, purpose, clock, _PATIENCE):
        yield


def read_relay(files: RelayFiles) -> Relay:
    """The state file alone. Missing, empty, damaged and newer are different RelayErrors."""
    return text.parse(_text(files.state), files.state)


def load(files: RelayFiles) -> Stored:
    """State and record. Nothing is repaired or defaulted."""
    relay = read_relay(files)
    if relay.wgid != files.wgid:
        raise RelayError(
            "state.damaged",
            f"{files.state} is the state of {relay.wgid}, not of {files.wgid}.",
            exit=Exit.HALT,
        )
    return Stored(files, relay, records.parse(_text(files.record), files.record))


def save(stored: Stored) -> None:
    """Write the record, then the state, then the WorkGroup's note. Call it before the act it announces."""
    files, relay = stored.files, stored.relay
    files.folder.mkdir(parents=True, exist_ok=True)
    write_atomic(files.record, records.render(stored.record).encode())
    write_atomic(files.state, text.render(relay).encode())
    workgroup.snapshot(
        files.project,
        files.wgid,
        host=relay.host,
        target=relay.target,
        state=relay.state.value,
        round=relay.round,
        session=relay.session_id or "pending",
    )


def _text(path: Path) -> str:
    if not path.exists():
        raise RelayError("state.missing", f"{path} does not exist.", exit=Exit.HALT)
    try:
        return read_bounded(path, _LIMIT).decode("utf-8")
    except UnicodeDecodeError as error:
        raise RelayError("state.damaged", f"{path} is no UTF-8 text.", exit=Exit.HALT) from error
