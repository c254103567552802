"""A start that waits for a login: kept outside every relay, since none exists yet."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from relay_runtime.errors import Exit, RelayError
from relay_runtime.fields import Fields
from relay_runtime.fsio import read_bounded, write_atomic
from relay_runtime.paths import Project

SCHEMA = 1
_LIMIT = 16 * 1024 * 1024


@dataclass(frozen=True)
class Request:
    """One call of `start`. `retried`: the login was confirmed once already."""

    tier: int
    gate2: bool
    token: str
    plan: str
    autonomous: bool = False
    approve_branch: str | None = None
    accept_settings: str | None = None
    wgid: str | None = None
    retried: bool = False

    def words(self) -> tuple[str, ...]:
        """The call's own words, to be typed again; the plan comes on stdin."""
        flags = ("--tier", str(self.tier), *(("--gate2-approved",) if self.gate2 else ()))
        named = (
            ("--approve-branch", self.approve_branch),
            ("--accept-project-settings", self.accept_settings),
            ("--wgid", self.wgid),
        )
        given = tuple(word for name, value in named if value is not None for word in (name, value))
        autonomous = ("--autonomous",) if self.autonomous else ()
        return ("start", *flags, "--resolution", self.token, *autonomous, *given)


def path(project: Project) -> Path:
    return project.workgroups / ".waiting-start.json"


def wait(project: Project, request: Request) -> None:
    """Keep the request until it is decided."""
    project.workgroups.mkdir(exist_ok=True)
    write_atomic(
        path(project), (json.dumps({"schema": SCHEMA, **asdict(request)}) + "\n").encode(), mode=0o600
    )


def waiting(project: Project) -> Request | None:
    """The request that waits, or None; a damaged file is RelayError (3) and stays."""
    if not path(project).exists():
        return None
    try:
        fields = Fields(json.loads(read_bounded(path(project), _LIMIT)), "request")
        if fields.number("schema") != SCHEMA:
            raise ValueError(f"its schema is {fields.number('schema')}, not {SCHEMA}")
        return Request(
            tier=fields.number("tier"),
            gate2=fields.flag("gate2"),
            token=fields.text("token"),
            plan=fields.text("plan"),
            autonomous=fields.flag("autonomous"),
            approve_branch=fields.optional_text("approve_branch"),
            accept_settings=fields.optional_text("accept_settings"),
            wgid=fields.optional_text("wgid"),
            retried=fields.flag("retried"),
        )
    except ValueError as error:
        raise RelayError(
            "start.waiting-damaged",
            f"{path(project)} is damaged: {error}.",
            exit=Exit.HALT,
            hint="Delete it and call start again.",
        ) from error


def forget(project: Project) -> None:
    """The waiting start is decided."""
    path(project).unlink(missing_ok=True)
