"""`relay.json`: what must be kept of a relay and is not told by its state file."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from relay_runtime.config import Settings
from relay_runtime.errors import Exit, RelayError
from relay_runtime.fields import Fields
from relay_runtime.gitrepo import snapshot
from relay_runtime.gitrepo.snapshot import Snapshot
from relay_runtime.inputs import plan as plans
from relay_runtime.inputs import schema
from relay_runtime.inputs.plan import Plan

SCHEMA = 1


@dataclass(frozen=True)
class Attempt:
    """One process of a leg, found again by `id`. `spent`: it is one of the two that its round has.

    `session` is the one that it was asked to resume, empty for a new one. `reason` may quote the target.
    """

    id: str
    round: int
    number: int
    session: str
    started: str
    ended: str | None = None
    outcome: str | None = None
    reason: str = ""
    spent: bool = False


@dataclass(frozen=True)
class Pending:
    """A decision that is due: what it is about, the words on offer now, and the question for the user."""

    about: str
    offers: tuple[str, ...]
    question: str


@dataclass(frozen=True)
class Told:
    """What polls have told: events of the present round; of its attempt the last message and time checks."""

    events: int = 0
    at: str = ""
    checks: int = 0


NOTHING_TOLD = Told()


@dataclass(frozen=True)
class Record:
    """`findings` holds the identities of each review's gaps, oldest first.

    `unread`: an outcome that no verb has told yet. `attach_shown`: the takeover command was echoed.
    `committing`: the checkpoint whose commit is about to be made, so that it is known again after a crash.
    """

    plan: Plan
    settings: Settings
    baseline: Snapshot
    autonomous: bool
    accepted_settings: str | None
    attempts: tuple[Attempt, ...] = ()
    pending: Pending | None = None
    findings: tuple[tuple[str, ...], ...] = ()
    unchanged_accepted: bool = False
    unread: bool = False
    attach_shown: bool = False
    told: Told = NOTHING_TOLD
    committing: str | None = None

    def of_round(self, number: int) -> tuple[Attempt, ...]:
        """The attempts of one round, oldest first."""
        return tuple(attempt for attempt in self.attempts if attempt.round == number)


def render(record: Record) -> str:
    """The whole file."""
    return json.dumps({"schema": SCHEMA, **asdict(record)}, indent=1) + "\n"


def parse(text: str, path: Path) -> Record:
    """The record of a schema 1 file. `path` is only named in refusals."""
    try:
        fields = Fields(schema.parse(text), "relay.json")
        number = fields.number("schema")
        if number == SCHEMA:
            return _read(fields)
    except ValueError as error:
        raise RelayError(
            "record.damaged",
            f"{path} is damaged: {error}." if text.strip() else f"{path} is empty.",
            exit=Exit.HALT,
            hint=f"Restore it from a copy, or move {path.parent.name} aside.",
        ) from error
    raise RelayError(
        "record.schema",
        f"{path} has schema {number}; this version reads schema {SCHEMA}.",
        exit=Exit.HALT,
        hint="Use the version of knowzcode-relay that wrote it, or run: knowzcode-relay upgrade",
    )


def _read(fields: Fields) -> Record:
    pending = fields.optional("pending")
    return Record(
        plan=plans.read(fields.one("plan")),
        settings=_settings(fields.one("settings")),
        baseline=snapshot.read(fields.one("baseline")),
        autonomous=fields.flag("autonomous"),
        accepted_settings=fields.optional_text("accepted_settings"),
        attempts=tuple(_attempt(one) for one in fields.each("attempts")),
        pending=None
        if pending is None
        else Pending(pending.text("about"), pending.texts("offers"), pending.text("question")),
        findings=fields.text_lists("findings"),
        unchanged_accepted=fields.flag("unchanged_accepted"),
        unread=fields.flag("unread"),
        attach_shown=fields.flag("attach_shown"),
        told=_told(fields.one("told")),
        committing=fields.optional_text("committing"),
    )


def _attempt(fields: Fields) -> Attempt:
    return Attempt(
        id=fields.text("id"),
        round=fields.number("round"),
        number=fields.number("number"),
        session=fields.text("session"),
        started=fields.text("started"),
        ended=fields.optional_text("ended"),
        outcome=fields.optional_text("outcome"),
        reason=fields.text("reason"),
        spent=fields.flag("spent"),
    )


def _told(fields: Fields) -> Told:
    return Told(fields.number("events"), fields.text("at"), fields.number("checks"))


def _settings(fields: Fields) -> Settings:
    return Settings(
        transport=fields.text("transport"),
        max_fix_rounds=fields.number("max_fix_rounds"),
        timeout_minutes=fields.number("timeout_minutes"),
        model=fields.text("model"),
        effort=fields.text("effort"),
        fix_effort=fields.text("fix_effort"),
        sandbox=fields.text("sandbox"),
        permission_mode=fields.text("permission_mode"),
        max_budget_usd=fields.optional_decimal("max_budget_usd"),
        profile=fields.text("profile"),
        execute_on_fable=fields.flag("execute_on_fable"),
        max_builders=fields.optional_number("max_builders"),
        sources=fields.text_map("sources"),
        keys=fields.text_map("keys"),
        warnings=fields.texts("warnings"),
    )
