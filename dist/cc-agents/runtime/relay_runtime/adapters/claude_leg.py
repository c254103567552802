"""A leg of Claude Code: `claude -p` with a strict sandbox and a closed set of tools."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from datetime import datetime
from pathlib import Path

from relay_runtime.adapters import claude_failure, claude_project, claude_stream
from relay_runtime.adapters.leg import Invocation, LegRequest
from relay_runtime.attempts.events import Event
from relay_runtime.attempts.facts import Facts

BRIEF: Mapping[bytes, Event] = claude_stream.BRIEF
KEEPS_LAST: bool = False
USAGE_OF_SESSION: bool = False
OVER_MCP: bool = False

# What its sandbox mounts over. The releases differ in which of them stay behind.
_AT_THE_TOP = (
    ".bash_profile .bashrc .gitconfig .gitmodules .idea .mcp.json .profile .ripgreprc .vscode .zprofile"
    " .zshrc"
)
_IN_ITS_FOLDER = (
    "agents commands hooks launch.json loop.md output-styles routines scheduled_tasks.json settings.json"
    " settings.local.json skills workflows"
)
RESIDUE: frozenset[str] = frozenset(
    {*_AT_THE_TOP.split(), *(f".claude/{name}" for name in _IN_ITS_FOLDER.split())}
)

SETTINGS_NAME = "claude-settings.json"
MCP_NAME = "claude-mcp.json"
SETTINGS = {"sandbox": {"enabled": True, "failIfUnavailable": True, "allowUnsandboxedCommands": False}}
MCP: dict[str, object] = {"mcpServers": {}}

_TOOLS = "Bash,Read,Edit,Write,Glob,Grep"
_ALLOWED = "Bash Edit(./**) Write(./**)"  # newer releases refuse every Bash that is not in this list
_ENVIRON = {
    # Without it a command in the background outlives the answer, and the client with it.
    "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": "1",
    # Without it `Edit(./**)` means the folder of the last `cd`.
    "CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR": "1",
}

read = claude_stream.read
widenings = claude_project.widenings
failure = claude_failure.failure
remedy = claude_failure.remedy


def files() -> Mapping[str, bytes]:
    """The client ignores a settings file with a fault in it, so whoever writes these reads them back."""
    return {SETTINGS_NAME: _json(SETTINGS), MCP_NAME: _json(MCP)}


def invocation(leg: LegRequest) -> Invocation:
    return _invocation(leg, ())


def resume_invocation(leg: LegRequest, session_id: str) -> Invocation:
    """The session keeps only its model: effort, tools and sandbox are given again."""
    return _invocation(leg, ("--resume", session_id))


def effective_exit(exit: int, facts: Facts) -> int:
    """Claude ends with 0 after an interrupt and with its output cut: without a success record that is a 1."""
    return 1 if exit == 0 and not (facts.completed and facts.session_id) else exit


def session_fallback(cwd: Path, since: datetime, environ: Mapping[str, str], known: Collection[str]) -> str:
    """Every record of the stream carries the id: a stream without one has no session."""
    del cwd, since, environ, known
    return ""


def attach(session_id: str) -> tuple[str, ...]:
    return ("claude", "--resume", session_id)


def _invocation(leg: LegRequest, session: tuple[str, ...]) -> Invocation:
    budget = () if leg.max_budget_usd is None else ("--max-budget-usd", f"{leg.max_budget_usd:g}")
    argv = (
        leg.binary,
        "-p",
        *session,
        "--verbose",
        "--output-format",
        "stream-json",
        "--include-partial-messages",
        "--permission-mode",
        leg.permission_mode,
        "--tools",
        _TOOLS,
        "--allowedTools",
        _ALLOWED,
        "--model",
        leg.model,
        "--effort",
        leg.effort,
        *budget,
        "--settings",
        str(leg.folder / SETTINGS_NAME),
        "--mcp-config",
        str(leg.folder / MCP_NAME),
        "--strict-mcp-config",
        "--no-chrome",
    )
    environ = {**_ENVIRON, **({"ANTHROPIC_BASE_URL": leg.endpoint} if leg.endpoint else {})}
    return Invocation(argv=argv, stdin=leg.prompt, cwd=leg.cwd, environ=environ, remove=(leg.last,))


def _json(value: object) -> bytes:
    return (json.dumps(value, indent=2) + "\n").encode()
