"""What settings files outside our reach change about a Claude leg, whatever `--settings` says.

Hooks and the key helper run outside the sandbox, `env` moves the endpoint, `allowWrite` widens the sandbox.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

from relay_runtime.adapters import claude
from relay_runtime.adapters.leg import Widening

_PROJECT_FILES = (".claude/settings.json", ".claude/settings.local.json")
_ENVIRONMENT = ("ANTHROPIC_", "CLAUDE_")
_IGNORES_PROJECT_WRITE = (2, 1, 332)
"""From this release on a project's own `allowWrite` has no effect; the user's always has."""


def widenings(project: Path, version: str, environ: Mapping[str, str]) -> tuple[Widening, ...]:
    """The keys that widen a leg, in the project's files and the user's, each with its file's digest."""
    found: list[Widening] = []
    for name in _PROJECT_FILES:
        path = project / name
        found += _of(path, (*_keys(path), *(_allow_write(path) if _widens(version) else ())))
    user = claude.home(environ) / "settings.json"
    return (*found, *_of(user, tuple(_allow_write(user))))


def _of(path: Path, keys: tuple[str, ...]) -> list[Widening]:
    digest = hashlib.sha256(path.read_bytes()).hexdigest() if keys else ""
    return [Widening(str(path), key, digest) for key in keys]


def _keys(path: Path) -> Iterator[str]:
    settings = _settings(path)
    if settings is None:
        yield "(no JSON object, so nobody can tell)"
        return
    yield from (key for key in ("hooks", "apiKeyHelper") if settings.get(key))
    names = sorted(_child(settings, "env"))
    yield from (f"env.{name}" for name in names if name.startswith(_ENVIRONMENT))


def _allow_write(path: Path) -> Iterator[str]:
    filesystem = _child(_child(_settings(path) or {}, "sandbox"), "filesystem")
    if filesystem.get("allowWrite"):
        yield "sandbox.filesystem.allowWrite"


def _child(value: dict[str, object], key: str) -> dict[str, object]:
    inner = value.get(key)
    return cast("dict[str, object]", inner) if isinstance(inner, dict) else {}


def _settings(path: Path) -> dict[str, object] | None:
    """The file's object; a missing file has no keys, an unreadable one is None."""
    if not path.exists():
        return {}
    try:
        value: object = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return cast("dict[str, object]", value) if isinstance(value, dict) else None


def _widens(version: str) -> bool:
    parts = version.split("-")[0].split(".")
    numbers = tuple(int(part) for part in parts[:3] if part.isdigit())
    return numbers < _IGNORES_PROJECT_WRITE
