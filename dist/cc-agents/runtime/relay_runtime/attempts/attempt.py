"""One process of a leg on disk: what to start, what became of it, and what was asked of its supervisor.

The launcher writes the Spec before anything starts, the supervisor alone writes the Record, verbs write the
Ask. The environment is in none of them: it may hold keys, and passes from process to process.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

from relay_runtime.attempts import facts as facts_of
from relay_runtime.attempts.facts import Facts
from relay_runtime.attempts.process import Identity, alive, judgeable
from relay_runtime.attempts.timebudget import Budget, Word
from relay_runtime.clock import Clock
from relay_runtime.errors import Exit, RelayError
from relay_runtime.fields import Fields
from relay_runtime.fsio import write_atomic
from relay_runtime.inputs import schema
from relay_runtime.state.outcome import Cause

SCHEMA = 1

NETWORK_SECONDS = 300
"""How long a target may do nothing but try again, where the network may come back."""

_NAMES = ("log", "err", "last", "exit", "base")
_START_LIMIT = 60.0  # seconds within which a supervisor has written its first record, or never will


@dataclass(frozen=True)
class Files:
    """Where an attempt's files are, all absolute. `base` is the stem of the three files that only we read."""

    log: Path
    err: Path
    last: Path
    exit: Path
    base: Path

    @property
    def spec(self) -> Path:
        return self.base.with_name(self.base.name + ".spec.json")

    @property
    def record(self) -> Path:
        return self.base.with_name(self.base.name + ".json")

    @property
    def ask(self) -> Path:
        return self.base.with_name(self.base.name + ".ask.json")

    def each(self) -> Iterator[Path]:
        yield from (self.log, self.err, self.last, self.exit, self.spec, self.record, self.ask)

    def set_aside(self, number: int) -> None:
        """Rename what is there to `….a{number}`, so that old evidence never proves a new attempt."""
        for path in self.each():
            if path.exists():
                path.replace(self.aside(path, number))

    def aside(self, path: Path, number: int) -> Path:
        """Where a file of the attempt `number` of this round lies once a later one has begun."""
        return path.with_name(f"{path.stem}.a{number}{path.suffix}")


@dataclass(frozen=True)
class Spec:
    """Everything a supervisor needs to know.

    `id` marks every process of the attempt. `environ` is added to the inherited environment, without secrets.
    `remove` are files of old evidence, `asked_session` is the session that a resume asks for, `minutes` the
    time budget, `network_seconds` how long nothing but retries may last: 0 where no network can come back,
    `idle_seconds` how long it may be silent: 0 where silence is no reason to end it.
    """

    id: str
    target: str
    argv: tuple[str, ...]
    cwd: Path
    stdin: Path
    files: Files
    environ: dict[str, str]
    remove: tuple[Path, ...]
    minutes: int
    asked_session: str = ""
    network_seconds: int = NETWORK_SECONDS
    idle_seconds: int = 0


@dataclass(frozen=True)
class Record:
    """What the supervisor knows, rewritten as a whole whenever it changes.

    `offset` is where reading the log goes on, `output_at` when the log grew last. `note` says what could not
    be started, or what went wrong with the supervisor. `exit` (the target's own) and `ended` are None while
    the leg lives. `survivors` could not be ended.
    """

    id: str
    supervisor: Identity
    started: str
    budget: Budget
    target: Identity | None = None
    output_at: str = ""
    ended: str | None = None
    exit: int | None = None
    cause: Cause = Cause.NONE
    note: str = ""
    offset: int = 0
    junk: int = 0
    facts: Facts = field(default_factory=Facts)
    survivors: tuple[Identity, ...] = ()

    def but(self, **changes: Any) -> Record:
        return dataclasses.replace(self, **changes)


class Request(Enum):
    """What a verb may ask of a supervisor: the three replies to a time check, or to end the leg for good."""

    CONTINUE = Word.CONTINUE.value
    INTERRUPT = Word.INTERRUPT.value
    STOP = Word.STOP.value
    CANCEL = "cancel"


@dataclass(frozen=True)
class Ask:
    """`number` grows with each request; the supervisor answers each number once."""

    number: int
    request: Request


class Life(Enum):
    """How an attempt stands, judged from its files and from the processes themselves.

    STARTING: the launcher has not heard of a process yet. UNSUPERVISED: the target lives, its supervisor does
    not. LOST: both are gone without an exit marker. UNSEEN: recorded in a pid namespace we cannot look into.
    """

    STARTING = "starting"
    RUNNING = "running"
    UNSUPERVISED = "unsupervised"
    ENDED = "ended"
    LOST = "lost"
    UNSEEN = "unseen"


def life(files: Files, clock: Clock) -> Life:
    """How the attempt stands now. A record alone never proves that something runs.

    Nor does a marker prove that nothing does: the target may write in the folder, and the supervisor writes
    the marker after it has noted the end.
    """
    record = read_record(files.record)
    if record is None:
        if files.exit.exists():
            return Life.ENDED
        return Life.STARTING if _age(files.spec, clock) < _START_LIMIT else Life.LOST
    seen = judgeable(record.supervisor)
    if files.exit.exists() and (record.ended is not None or not seen):
        return Life.ENDED
    if not seen:
        return Life.UNSEEN
    if alive(record.supervisor):
        return Life.RUNNING
    if record.target is not None and alive(record.target):
        return Life.UNSUPERVISED
    return Life.ENDED if files.exit.exists() else Life.LOST


def read_exit(files: Files) -> int | None:
    """The number in the exit marker; None when there is no marker, or one that holds no number."""
    try:
        return int(files.exit.read_text(encoding="ascii").strip())
    except (OSError, ValueError):
        return None


def write_spec(spec: Spec) -> None:
    files = spec.files
    record: dict[str, object] = {
        "schema": SCHEMA,
        "id": spec.id,
        "target": spec.target,
        "argv": list(spec.argv),
        "cwd": str(spec.cwd),
        "stdin": str(spec.stdin),
        "files": {name: str(getattr(files, name)) for name in _NAMES},
        "environ": dict(spec.environ),
        "remove": [str(path) for path in spec.remove],
        "minutes": spec.minutes,
        "asked_session": spec.asked_session,
        "network_seconds": spec.network_seconds,
        "idle_seconds": spec.idle_seconds,
    }
    write_atomic(files.spec, _bytes(record), mode=0o600)


def read_spec(path: Path) -> Spec:
    """The spec in `path`; RelayError when it is missing or damaged."""
    try:
        fields = _fields(path)
    except FileNotFoundError as error:
        raise RelayError("attempt.missing", f"{path} does not exist.", exit=Exit.HALT) from error
    except ValueError as error:
        raise _damaged(path, error) from error
    try:
        files = fields.one("files")
        return Spec(
            id=fields.text("id"),
            target=fields.text("target"),
            argv=fields.texts("argv"),
            cwd=Path(fields.text("cwd")),
            stdin=Path(fields.text("stdin")),
            files=Files(*(Path(files.text(name)) for name in _NAMES)),
            environ=fields.text_map("environ"),
            remove=tuple(map(Path, fields.texts("remove"))),
            minutes=fields.number("minutes"),
            asked_session=fields.text("asked_session"),
            network_seconds=fields.number("network_seconds"),
            idle_seconds=fields.number("idle_seconds"),
        )
    except ValueError as error:
        raise _damaged(path, error) from error


def write_record(path: Path, record: Record) -> None:
    values = dataclasses.asdict(record)
    values["facts"] = record.facts.as_record()
    values["cause"] = record.cause.value
    write_atomic(path, _bytes({"schema": SCHEMA, **values}))


def read_record(path: Path) -> Record | None:
    """The record in `path`, None when there is none yet; RelayError when it is damaged."""
    try:
        fields = _fields(path)
        budget = fields.one("budget")
        target = fields.optional("target")
        return Record(
            id=fields.text("id"),
            supervisor=_identity(fields.one("supervisor")),
            started=fields.text("started"),
            budget=Budget(
                minutes=budget.number("minutes"),
                extensions=budget.number("extensions"),
                automatic=budget.flag("automatic"),
                noticed=budget.number("noticed"),
            ),
            target=None if target is None else _identity(target),
            output_at=fields.text("output_at"),
            ended=fields.optional_text("ended"),
            exit=fields.optional_number("exit"),
            cause=Cause(fields.text("cause")),
            note=fields.text("note"),
            offset=fields.number("offset"),
            junk=fields.number("junk"),
            facts=facts_of.from_record(fields.one("facts")),
            survivors=tuple(_identity(one) for one in fields.each("survivors")),
        )
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise _damaged(path, error) from error


def ask(files: Files, request: Request) -> None:
    """Ask the attempt's supervisor for something; it answers at its next look, within two seconds."""
    before = read_ask(files)
    number = before.number + 1 if before is not None else 1
    write_atomic(files.ask, _bytes({"schema": SCHEMA, "number": number, "request": request.value}))


def read_ask(files: Files) -> Ask | None:
    """The last request, None when there was none."""
    try:
        fields = _fields(files.ask)
        return Ask(fields.number("number"), Request(fields.text("request")))
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise _damaged(files.ask, error) from error


def _age(path: Path, clock: Clock) -> float:
    try:
        return clock.now().timestamp() - path.stat().st_mtime
    except FileNotFoundError:
        return float("inf")


def _identity(fields: Fields) -> Identity:
    return Identity(fields.number("pid"), fields.text("start"))


def _fields(path: Path) -> Fields:
    fields = Fields(schema.parse(path.read_text(encoding="utf-8")), path.name)
    if fields.number("schema") != SCHEMA:
        raise ValueError(f"{path.name} has schema {fields.number('schema')}")
    return fields


def _bytes(record: object) -> bytes:
    return (json.dumps(record, indent=1) + "\n").encode()


def _damaged(path: Path, error: Exception) -> RelayError:
    return RelayError("attempt.damaged", f"{path} is damaged: {error}.", exit=Exit.HALT)
