"""Which host this copy of the runtime was rendered for: a file beside it says so, no flag or variable."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from relay_runtime.errors import Exit, RelayError

RUNTIME_FILE = Path(__file__).resolve().parent.parent / "relay.py"
INDEX_FILE = RUNTIME_FILE.parent.parent / "relay-package.json"

HOSTS = ("claude", "codex")


class Package(NamedTuple):
    """`host` is `claude` or `codex`; `version` the package's; `call` how its commands are spelled.

    `runtime` is the relay.py by which our own child processes are started.
    """

    host: str
    version: str
    call: tuple[str, ...]
    runtime: Path = RUNTIME_FILE


def load(index: Path = INDEX_FILE) -> Package:
    """Read the package index; a missing or damaged one is RelayError (exit 3)."""
    try:
        record = json.loads(index.read_bytes())
        host, version, command = str(record["host"]), str(record["version"]), record["command"]
    except FileNotFoundError as error:
        raise _unusable("package.missing", f"{index} is missing; it says which host this is.") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _unusable("package.damaged", f"{index} is damaged; it says which host this is.") from error
    if host not in HOSTS:
        raise _unusable("package.host", f"{index} names the host {host!r}, which is none of ours.")
    call = (str(command),) if command else (_python(), str(RUNTIME_FILE))
    return Package(host=host, version=version, call=call)


@dataclass(frozen=True)
class Plugin:
    """`skills` are the names by which the host calls the package's skills, such as `knowzcode:relay`."""

    name: str
    skills: frozenset[str]


def plugin(index: Path = INDEX_FILE) -> Plugin:
    """The package as a plugin of its host; a damaged index is RelayError (exit 3)."""
    try:
        record = json.loads(index.read_bytes())
        name, files = str(record["name"]), [str(file).split("/") for file in record["files"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _unusable(
            "package.damaged", f"{index} is damaged; it lists what this package holds."
        ) from error
    folders = [file[1] for file in files if file[0] == "skills" and file[2:] == ["SKILL.md"]]
    return Plugin(name, frozenset(f"{name}:{folder}" for folder in folders))


def _unusable(problem: str, message: str) -> RelayError:
    return RelayError(problem, message, exit=Exit.HALT, hint="Run: knowzcode-relay upgrade")


def _python() -> str:
    return "python3" if sys.platform != "win32" else "python"
