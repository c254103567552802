"""What the host's own sandbox allows this process, found out by trying and leaving nothing behind."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from relay_runtime.paths import Project

# What a host sets in sandboxed commands. Not enough to rely on: Codex sets none when its sandbox has network.
_MARKS = {"codex": ("CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_SANDBOX"), "claude": ("SANDBOX_RUNTIME",)}

OUTSIDE = {
    "codex": (
        "Run the relay's commands outside the sandbox: call exec_command with sandbox_permissions "
        '"require_escalated" and a justification; the user approves it.'
    ),
    "claude": (
        "Run the relay's commands outside the sandbox: let the user switch it off with /sandbox, or add "
        "kc-relay to sandbox.excludedCommands in the user's settings."
    ),
}


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

    @property
    def outside(self) -> str:
        """How to run outside the sandbox; empty when we are."""
        return OUTSIDE[self.host] if self.boxed else ""

    def as_data(self) -> dict[str, object]:
        return {
            "sandboxed": self.boxed,
            "network": self.network,
            "git_writable": self.git,
            "remediation": self.outside,
        }


def look(host: str, project: Project, environ: Mapping[str, str]) -> HostBox:
    """Try a socket and look at the mount of the repository's own folder."""
    return HostBox(
        host=host,
        network=_socket_allowed(),
        git=not read_only(project.root / ".git"),
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
