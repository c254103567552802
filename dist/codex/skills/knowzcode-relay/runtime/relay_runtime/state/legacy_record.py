"""The record that a schema 1 relay never had, made from its state, its brief and the project's settings."""

from __future__ import annotations

import re
from dataclasses import replace

from relay_runtime import config
from relay_runtime.config import Settings
from relay_runtime.fsio import read_tail
from relay_runtime.gitrepo.snapshot import Snapshot
from relay_runtime.inputs.plan import Change, Plan, Spec
from relay_runtime.state.files import RelayFiles
from relay_runtime.state.outcome import Outcome
from relay_runtime.state.record import Attempt, Record
from relay_runtime.state.relay import Relay
from relay_runtime.state.values import State

_LIMIT = 1024 * 1024
_AFTER = {State.TARGET_IMPLEMENTING: None, State.TARGET_FAILED: Outcome.FAILED}


def record_of(relay: Relay, files: RelayFiles) -> Record:
    """What is known. What is not: the digests of the repository, and the paths that the plan owns."""
    return Record(
        plan=_plan(read_tail(files.brief(), _LIMIT), relay.wgid),
        settings=_settings(relay, files),
        baseline=_baseline(relay),
        autonomous=False,
        accepted_settings=None,
        attempts=_attempts(relay),
        attach_shown=True,
    )


def _settings(relay: Relay, files: RelayFiles) -> Settings:
    """The recorded model and effort; for the rest the project's keys, the legacy ones too."""
    found = config.effective(config.load(files.project), relay.target)
    return replace(
        found,
        max_fix_rounds=relay.max_fix_rounds,
        model=relay.model or found.model,
        effort=relay.effort or found.effort,
        sandbox=relay.isolation.partition(" ")[2] or found.sandbox,
    )


def _baseline(relay: Relay) -> Snapshot:
    """HEAD is at the newest checkpoint; empty values were never taken."""
    head = relay.checkpoints[-1].sha if relay.checkpoints else ""
    return Snapshot(head, relay.branch, index="", stash="", hooks="", knowzcode="", untracked=())


def _attempts(relay: Relay) -> tuple[Attempt, ...]:
    """One for each leg of the present round that the log tells of, at least one once a leg was due."""
    if relay.state in (State.INIT, State.PLANNED, State.FIX_ROUND):
        return ()
    legs = [row for row in relay.rounds if row.round == relay.round and "review" not in row.leg]
    last = _AFTER.get(relay.state, Outcome.DONE)
    count = max(1, len(legs))
    started = [row.started for row in legs] or [""]
    return tuple(
        _attempt(relay, number, started[number - 1], last if number == count else Outcome.FAILED)
        for number in range(1, count + 1)
    )


def _attempt(relay: Relay, number: int, started: str, outcome: Outcome | None) -> Attempt:
    return Attempt(
        id="",
        round=relay.round,
        number=number,
        session="",
        started=_moment(started) or _moment(relay.updated) or "1970-01-01T00:00:00Z",
        outcome=outcome.value if outcome else None,
        spent=outcome is Outcome.FAILED,
    )


def _moment(text: str) -> str:
    """An ISO moment with a zone, or nothing."""
    return text if re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)", text) else ""


def _plan(brief: str, wgid: str) -> Plan:
    """Goal, changes and specs as the brief lists them. It names no owned paths: all but ours counts."""
    goal = _section(brief, "Goal") or _section(brief, "Mission") or f"Complete {wgid}."
    listed = re.findall(r"^[-*]\s+`?([^\s`:]+\.md)`?(.*)$", _section(brief, "Specifications"), re.MULTILINE)
    specs = [Spec(re.sub(r".*/|\.md$", "", path), path, said.strip(" —:-") or path) for path, said in listed]
    tasks = re.findall(r"^(?:[-*]|\d+\.)\s+(.+)$", _section(brief, "Change Set"), re.MULTILINE)
    changes = [Change(f"C{number}", text.strip(), ()) for number, text in enumerate(tasks, 1)]
    return Plan(
        type="feat",
        slug=wgid,
        goal=goal,
        change_set=tuple(changes),
        specs=tuple(specs),
        test_commands=("as the specs and the brief say",),
        owned_paths=(".",),
    )


def _section(brief: str, name: str) -> str:
    found = re.search(rf"^## {name}\s*\n(.*?)(?=^## |\Z)", brief, re.MULTILINE | re.DOTALL)
    return found.group(1).strip() if found else ""
