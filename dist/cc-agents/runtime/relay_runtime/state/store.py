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
from relay_runtime.gitrepo import branch
from relay_runtime.lock import patient
from relay_runtime.state import legacy, text
from relay_runtime.state import record as records
from relay_runtime.state.files import RelayFiles
from relay_runtime.state.legacy_record import record_of
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
    """The state file alone, of either schema. Missing, empty, damaged and newer are different RelayErrors."""
    words = _text(files.state)
    if legacy.is_legacy(words):
        return legacy.parse(words, files, branch.present(files.project.root))
    return text.parse(words, files.state)


def load(files: RelayFiles) -> Stored:
    """State and record. Nothing is repaired, defaulted or written; schema 1 has no record of its own."""
    relay = read_relay(files)
    if legacy.is_legacy(_text(files.state)):
        return Stored(files, relay, record_of(relay, files))
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
    _keep_legacy(stored)
    note = workgroup.snapshot(
        files.project,
        files.wgid,
        host=relay.host,
        target=relay.target,
        state=relay.state.value,
        round=relay.round,
        session=relay.session_id or "pending",
    )
    files.folder.mkdir(parents=True, exist_ok=True)
    write_atomic(files.record, records.render(stored.record).encode())
    write_atomic(files.state, text.render(relay).encode())
    note.write()


def _keep_legacy(stored: Stored) -> None:
    """The state of schema 1 stays beside the new one, and its WorkGroup gets a file where it had none."""
    files, plan = stored.files, stored.record.plan
    if not files.state.exists() or not legacy.is_legacy(_text(files.state)):
        return
    write_atomic(files.legacy_state, files.state.read_bytes())
    changes = tuple(change.description for change in plan.change_set)
    workgroup.create(files.project, files.wgid, plan.goal, changes, stored.relay.updated)


def _text(path: Path) -> str:
    if not path.exists():
        raise RelayError("state.missing", f"{path} does not exist.", exit=Exit.HALT)
    try:
        return read_bounded(path, _LIMIT).decode("utf-8")
    except UnicodeDecodeError as error:
        raise RelayError("state.damaged", f"{path} is no UTF-8 text.", exit=Exit.HALT) from error
