"""What the host's own sandbox allows this process, found out by trying and leaving nothing behind."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from relay_runtime.answer import Answer, Next
from relay_runtime.errors import Exit
from relay_runtime.paths import Project

# What a host sets in sandboxed commands. Not enough to rely on: Codex sets none when its sandbox has network.
_MARKS = {"codex": ("CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_SANDBOX"), "claude": ("SANDBOX_RUNTIME",)}

# The program that is pid 1 in a host's sandbox and ends with the command that it was started for.
_HELPERS = {"codex": "codex-linux-sandbox"}


@dataclass(frozen=True)
class HostBox:
    """`network` and `git` are what was tried; `told` is that the host says it sandboxes this command.

    Not `lasting`: whatever this command starts ends with it, in a session of its own too.
    """

    host: str
    network: bool
    git: bool
    told: bool
    lasting: bool

    @property
    def boxed(self) -> bool:
        return self.told or not (self.network and self.git and self.lasting)

    def outside(self, argv: Sequence[str]) -> str:
        """How to run `argv` outside the sandbox; empty when there is none around us."""
        return _OUTSIDE[self.host](argv) if self.boxed else ""

    def stopped(self, argv: Sequence[str], input_schema: str = "", *, lasting: bool = True) -> Answer | None:
        """The halt (3) of a command that needs network, `.git` and, if `lasting`, children that outlive it.

        Its `next:` is the same command outside of the sandbox. Nothing was started and nothing touched.
        """
        lacking = [
            words
            for words, there in (
                ("no network", self.network),
                ("a read-only .git", self.git),
                ("no process that outlives it", self.lasting or not lasting),
            )
            if not there
        ]
        if not lacking:
            return None
        message = f"The host's sandbox leaves this command {', '.join(lacking)}."
        return Answer(
            message=message,
            exit=Exit.HALT,
            lines=(f"[RELAY-SANDBOX] {message}",),
            next=Next(argv=tuple(argv), step=self.outside(argv), input_schema=input_schema),
            data={"problem": "host.sandboxed", "host_sandbox": self.as_data()},
        )

    def as_data(self) -> dict[str, object]:
        return {
            "sandboxed": self.boxed,
            "network": self.network,
            "git_writable": self.git,
            "lasting": self.lasting,
        }


def _outside_codex(argv: Sequence[str]) -> str:
    call = {
        "cmd": shlex.join(argv),
        "sandbox_permissions": "require_escalated",
        "justification": "The relay needs network, .git and processes that last.",
    }
    words = json.dumps(call, ensure_ascii=False)
    return f"Outside the sandbox, which asks the user, and with the same input if any: exec_command {words}"


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
        lasting=_first_process() != _HELPERS.get(host),
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


def _first_process() -> str:
    """The name of the program that is pid 1 where we are; empty when that cannot be seen."""
    try:
        words = os.fsdecode(Path("/proc/1/cmdline").read_bytes())
    except OSError:
        return ""
    return words.partition("\0")[0].rpartition("/")[2]


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
