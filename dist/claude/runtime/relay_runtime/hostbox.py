"""What the host's own sandbox allows this process, found out by trying and leaving nothing behind."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from relay_runtime.errors import Exit, RelayError
from relay_runtime.paths import Project

# What a host sets in sandboxed commands. Not enough to rely on: Codex sets none when its sandbox has network.
_MARKS = {"codex": ("CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_SANDBOX"), "claude": ("SANDBOX_RUNTIME",)}


@dataclass(frozen=True)
class HostBox:
    """`network` and `git` are what was tried; `told` is that the host says it sandboxes this command."""

    host: str
    network: bool
    git: bool
    told: bool

    @property
    def boxed(self) -> bool:
        return self.told or not self.network or not self.git

    def outside(self, argv: Sequence[str]) -> str:
        """How to run `argv` outside the sandbox; empty when there is none around us."""
        return _OUTSIDE[self.host](argv) if self.boxed else ""

    def require_outside(self, argv: Sequence[str]) -> None:
        """Refuse (exit 3) what needs network and `.git` where our own trial of one failed."""
        lacking = [
            words
            for words, there in (("no network", self.network), ("a read-only .git", self.git))
            if not there
        ]
        if lacking:
            raise RelayError(
                "host.sandboxed",
                f"The host's sandbox leaves this command {' and '.join(lacking)}.",
                exit=Exit.HALT,
                hint=self.outside(argv),
            )

    def as_data(self) -> dict[str, object]:
        return {"sandboxed": self.boxed, "network": self.network, "git_writable": self.git}


def _outside_codex(argv: Sequence[str]) -> str:
    call = {
        "cmd": shlex.join(argv),
        "sandbox_permissions": "require_escalated",
        "justification": "The relay needs network, .git and processes that last.",
    }
    words = json.dumps(call, ensure_ascii=False)
    return f"Run it outside the sandbox, with the user's approval: exec_command {words}"


def _outside_claude(argv: Sequence[str]) -> str:
    return (
        f'Let the user add "{argv[0]} *" to sandbox.excludedCommands in the user settings, or switch the '
        f"sandbox off with /sandbox; then run: {shlex.join(argv)}"
    )


_OUTSIDE: dict[str, Callable[[Sequence[str]], str]] = {"codex": _outside_codex, "claude": _outside_claude}


def look(host: str, project: Project, environ: Mapping[str, str]) -> HostBox:
    """Try a socket, and look at the mount where git keeps the repository."""
    return HostBox(
        host=host,
        network=_socket_allowed(),
        git=not read_only(_git_folder(project.root)),
        told=any(environ.get(name) for name in _MARKS[host]),
    )


def read_only(path: Path) -> bool:
    """Whether `path`, or the nearest folder above it that exists, lies on a read-only mount.

    Not the same as a lack of permission: a sandbox mounts, and root is refused too.
    """
    if os.name != "posix":
        return False
    for place in (path, *path.parents):
        try:
            return bool(os.statvfs(place).f_flag & os.ST_RDONLY)
        except OSError:
            continue
    return False


def _git_folder(root: Path) -> Path:
    """`.git`, or where the file of that name in a linked worktree points."""
    path = root / ".git"
    try:
        link = path.read_text("utf-8").partition("gitdir:")[2].strip()
    except (OSError, ValueError):
        return path  # a folder, as in most repositories, or none
    return root / link


def _socket_allowed() -> bool:
    """A sandbox without network refuses the socket or its binding; a machine that is offline does not."""
    import socket  # only detection needs it, and resolve must not pay for it

    try:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as trial:
            trial.bind(("127.0.0.1", 0))
    except PermissionError:
        return False
    except OSError:
        return True  # no loopback, no IPv4: not a refusal
    return True
