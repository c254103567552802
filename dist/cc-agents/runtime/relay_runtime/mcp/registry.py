"""Which `codex` MCP server the host has registered. Read, never written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from relay_runtime.attempts.events import Event, child, text, texts

SERVER = "codex"


@dataclass(frozen=True)
class Registered:
    """How the host starts the server. `environ` may hold keys: it is passed on and kept nowhere."""

    argv: tuple[str, ...]
    environ: Mapping[str, str] = field(default_factory=dict[str, str])


def registered(environ: Mapping[str, str], project: Path) -> Registered | None:
    """The stdio server of that name: of this project for this user, of the project, or of the user."""
    users = _read(_home(environ) / ".claude.json")
    for servers in (
        child(child(child(users, "projects"), str(project)), "mcpServers"),
        child(_read(project / ".mcp.json"), "mcpServers"),
        child(users, "mcpServers"),
    ):
        entry = child(servers, SERVER)
        if text(entry, "command") and text(entry, "type") in ("", "stdio"):
            variables = child(entry, "env")
            return Registered(
                (text(entry, "command"), *texts(entry, "args")),
                {name: text(variables, name) for name in variables},
            )
    return None


def _home(environ: Mapping[str, str]) -> Path:
    named = environ.get("CLAUDE_CONFIG_DIR")
    return Path(named) if named else Path(environ.get("HOME", "~")).expanduser()


def _read(path: Path) -> Event:
    """A file that is missing or that the host could not read either registers nothing."""
    try:
        value: object = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return child({"": value}, "")
