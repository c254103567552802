"""Whether the client answers the job agent itself, and so byte for byte, or leaves it to its model."""

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from knowzcode_relay.errors import RelayError
from knowzcode_relay.hosts import claude_jobs
from knowzcode_relay.hosts.client import run
from knowzcode_relay.hosts.settings import table
from knowzcode_relay.hosts.surroundings import Surroundings

_SHELL = "From a shell jobs run all the same: knowzcode-relay job run < header"


@dataclass(frozen=True)
class Exactness:
    """`exact` is None while nothing proves it either way."""

    exact: bool | None
    text: str
    remedy: str = ""

    def as_data(self) -> dict[str, object]:
        return {"exact": self.exact, "text": self.text, "remedy": self.remedy}


def judge(runtime: Path, version: str, project: Path, around: Surroundings) -> Exactness:
    """Ask the marks that the plugin's hooks leave in every session; `version` is the client's, or empty."""
    try:
        switched_off = claude_jobs.hooks_off(project, around)
    except RelayError as error:
        return Exactness(None, f"unknown; {error.message}", error.hint)
    if switched_off:
        return Exactness(
            False,
            f"no exact answers: {switched_off} disables all hooks, so a model answers the agent",
            f"Remove disableAllHooks from it. {_SHELL}",
        )
    if claude_jobs.too_old(version):
        floor = ".".join(map(str, claude_jobs.FLOOR))
        return Exactness(
            False,
            f"no exact answers: Claude Code {version} is older than {floor}, so a model answers the agent",
            f"Update it with: claude update. {_SHELL}",
        )
    newest = _newest_session(runtime, around)
    if newest is None:
        return Exactness(
            None,
            "exact answers are not proven yet: no session of Claude Code began since the install",
            "Start Claude Code once, then ask again.",
        )
    if newest["hooked"] is not True:
        return Exactness(
            False,
            f"no exact answers: in the session of {newest['noted']} Claude Code did not run the plugin's "
            "code hook, so a model answers the agent",
            f"Look whether its code hooks (mods) are switched off. {_SHELL}",
        )
    return Exactness(
        True, f"exact answers: Claude Code {newest['client']} ran the code hook at {newest['noted']}"
    )


def _newest_session(runtime: Path, around: Surroundings) -> Mapping[str, object] | None:
    answer = run(
        [sys.executable, "-I", "-S", runtime, "job", "seen", "--json"], env=around.environ, cwd=around.home
    )
    try:
        sessions = cast("list[object]", table(json.loads(answer.out)["data"])["sessions"])
    except (ValueError, KeyError, TypeError):
        return None
    return table(sessions[0]) if sessions else None
