"""A job of OpenCode: `opencode run`. It has no sandbox, so rules about its tools are all that confines it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import cast

from relay_runtime.adapters import opencode, opencode_failure
from relay_runtime.adapters.job import JobRequest, Mode
from relay_runtime.adapters.leg import Invocation
from relay_runtime.attempts.events import Event
from relay_runtime.errors import Exit, RelayError

CLIENT = opencode.CLIENT
BRIEF: Mapping[bytes, Event] = opencode.BRIEF
KEEPS_LAST: bool = opencode.KEEPS_LAST

read = opencode.read
effective_exit = opencode.effective_exit
failure = opencode_failure.failure
remedy = opencode_failure.remedy

_CONTENT = "OPENCODE_CONFIG_CONTENT"
_RULES = "OPENCODE_PERMISSION"
_READING = ("read", "glob", "grep", "list", "lsp", "todoread", "todowrite")
_ALLOWED = {"edit": {"*": "allow"}, "bash": {"*": "allow"}}
_WEB = ("webfetch", "websearch", "codesearch")


def job_invocation(job: JobRequest, session_id: str) -> Invocation:
    words = [job.binary, "run", "--format", "json", "--dir", str(job.cwd)]
    if session_id:
        words += ["--session", session_id]
    words += ["--agent", _agent(job)]
    if job.model:
        words += ["--model", job.model]
    if job.effort:
        words += ["--variant", job.effort]
    return Invocation(argv=tuple(words), stdin=job.prompt, cwd=job.cwd, remove=(job.last,))


def job_environment(job: JobRequest, environ: Mapping[str, str]) -> dict[str, str]:
    """A question would end the run, so whatever would be asked is allowed or refused beforehand.

    The limits are rules of an agent of our own, whose name no project can know: rules of an agent beat all
    others, and a project may set those of the usual one. What a job that writes is allowed joins the rules
    for all, so that what the user refuses in particular stays refused.
    """
    reading = job.mode is Mode.READ_ONLY
    rules = _reading() if reading else _limits(job)
    content = _with_agent(environ.get(_CONTENT, ""), _agent(job), {**rules, **_web(job)})
    return {**environ, _CONTENT: content, **({} if reading else {_RULES: json.dumps(_ALLOWED)})}


def job_notes(job: JobRequest, session_id: str, environ: Mapping[str, str]) -> tuple[str, ...]:
    del job, session_id, environ
    return ()


def _agent(job: JobRequest) -> str:
    return f"job-{job.id}"


def _limits(job: JobRequest) -> dict[str, object]:
    inside = {f"{folder.rstrip('/')}/**": "allow" for folder in job.add_dirs}
    return {"external_directory": {"*": "deny", **inside}, "doom_loop": "deny"}


def _reading() -> dict[str, object]:
    return {"*": "deny", **dict.fromkeys(_READING, "allow")}


def _web(job: JobRequest) -> dict[str, object]:
    if job.web_search is None:
        return {}
    return dict.fromkeys(_WEB, "allow" if job.web_search else "deny")


def _with_agent(content: str, name: str, rules: dict[str, object]) -> str:
    """The user's own configuration by environment, with one agent more."""
    try:
        config: object = json.loads(content) if content.strip() else {}
    except ValueError as error:
        raise _unreadable() from error
    if not isinstance(config, dict):
        raise _unreadable()
    known = cast("dict[str, object]", config)
    agents = known.get("agent")
    others = cast("dict[str, object]", agents) if isinstance(agents, dict) else {}
    return json.dumps({**known, "agent": {**others, name: {"mode": "primary", "permission": rules}}})


def _unreadable() -> RelayError:
    return RelayError("job.opencode-config", f"{_CONTENT} is not plain JSON.", exit=Exit.HALT)
