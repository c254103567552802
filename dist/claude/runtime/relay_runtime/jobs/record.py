"""What is kept about a job, beside its block and report."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from relay_runtime.attempts.process import Identity
from relay_runtime.errors import Exit, RelayError
from relay_runtime.fields import Fields
from relay_runtime.fsio import write_atomic
from relay_runtime.inputs import schema
from relay_runtime.jobs.folder import JobFolder

SCHEMA = 1


@dataclass(frozen=True)
class Record:
    """`job.json`, written by whoever begins the job.

    `run` and `index` are the Workflow's, empty and 0 outside of one. `attempt` is the id of the newest
    attempt's processes, `begun` its start, `session` the thread that it continues; `turns` counts attempts.
    """

    id: str
    owner: str
    run: str
    index: int
    prompt_sha256: str
    created: str
    begun: str
    cwd: str
    backend: str
    model: str
    effort: str
    mode: str
    attempt: str
    turns: int = 1
    session: str = ""

    def but(self, **changes: Any) -> Record:
        return dataclasses.replace(self, **changes)


@dataclass(frozen=True)
class Outcome:
    """`ended.json`: one word for how it ended, and the exit code that tells it."""

    word: str
    exit: Exit
    ended: str


def write(folder: JobFolder, record: Record) -> None:
    _write(folder.record, dataclasses.asdict(record))


def read(folder: JobFolder) -> Record:
    """RelayError (exit 3) when it is damaged or of a newer release."""
    fields = _fields(folder.record)
    try:
        return Record(
            **{name: fields.text(name) for name in _TEXTS},
            index=fields.number("index"),
            turns=fields.number("turns"),
        )
    except ValueError as error:
        raise _damaged(folder.record, error) from error


def write_outcome(folder: JobFolder, outcome: Outcome) -> None:
    _write(folder.outcome, {"outcome": outcome.word, "exit": int(outcome.exit), "ended": outcome.ended})


def read_outcome(folder: JobFolder) -> Outcome:
    fields = _fields(folder.outcome)
    try:
        return Outcome(fields.text("outcome"), Exit(fields.number("exit")), fields.text("ended"))
    except ValueError as error:
        raise _damaged(folder.outcome, error) from error


def write_worker(folder: JobFolder, worker: Identity) -> None:
    _write(folder.worker, {"pid": worker.pid, "start": worker.start})


def read_worker(folder: JobFolder) -> Identity | None:
    """None while no worker was started."""
    if not folder.worker.exists():
        return None
    fields = _fields(folder.worker)
    try:
        return Identity(fields.number("pid"), fields.text("start"))
    except ValueError as error:
        raise _damaged(folder.worker, error) from error


_TEXTS = tuple(field.name for field in dataclasses.fields(Record) if field.type == "str")


def _fields(path: Path) -> Fields:
    try:
        fields = Fields(schema.parse(path.read_text("utf-8")), path.name)
        number = fields.number("schema")
    except (OSError, ValueError) as error:
        raise _damaged(path, error) from error
    if number != SCHEMA:
        raise RelayError(
            "job.newer",
            f"{path} has schema {number}, and this release knows {SCHEMA}.",
            exit=Exit.HALT,
            hint="Run: knowzcode-relay upgrade",
        )
    return fields


def _write(path: Path, values: dict[str, Any]) -> None:
    write_atomic(path, (json.dumps({"schema": SCHEMA, **values}, indent=1) + "\n").encode(), mode=0o600)


def _damaged(path: Path, error: Exception) -> RelayError:
    return RelayError("job.damaged", f"{path} is damaged: {error}.", exit=Exit.HALT)
