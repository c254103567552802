"""What a target must offer. One module per target fulfils this with plain functions and constants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Protocol


class Status(Enum):
    """What a look at a target's installation found."""

    READY = "ready"
    UNAUTHED = "installed-unauthed"
    MISSING = "not-installed"
    BROKEN = "broken-install"
    TOO_OLD = "too-old"


@dataclass(frozen=True)
class Login:
    """What the login probe proved. `method` is the client's own word for how, kept in memory only."""

    logged_in: bool
    method: str = ""


@dataclass(frozen=True)
class Note:
    """A fact beside the readiness line. `blocks` means that a leg would fail because of it."""

    tag: str
    text: str
    blocks: bool = False

    def line(self) -> str:
        return f"[{self.tag}] {self.text}"


@dataclass(frozen=True)
class Client:
    """Facts about a target's program that are data."""

    title: str  # its name in a sentence
    program: str  # what it is called on PATH
    minimum: tuple[int, int, int]  # the oldest release whose flags mean what we send
    missing_below: str  # what older releases lack, as a clause
    version_arguments: tuple[str, ...]
    login_arguments: tuple[str, ...]
    login_command: str  # what a person runs to log in
    remedies: Mapping[Status, str]  # what a person does about each status but ready
    sandbox_programs: tuple[str, ...]  # what its sandbox needs on PATH (Linux)
    sandbox_flags: tuple[str, ...]  # what its sandbox asks of bwrap (Linux), without the paths


class Adapter(Protocol):
    """A module of relay_runtime.adapters."""

    CLIENT: Client

    def read_login(self, exit: int, output: str) -> Login:
        """What the login probe's exit status and standard output prove."""
        ...

    def payer(self, login: Login, environ: Mapping[str, str]) -> str:
        """The kind of credential that a leg would use, never its value."""
        ...

    def credential_notes(self, login: Login, environ: Mapping[str, str]) -> tuple[Note, ...]:
        """What may surprise about that credential."""
        ...

    def home(self, environ: Mapping[str, str]) -> Path:
        """The folder where the client keeps its login and sessions."""
        ...

    def home_notes(self, environ: Mapping[str, str]) -> tuple[Note, ...]:
        """What is wrong with that folder for a leg."""
        ...


def user_home(environ: Mapping[str, str]) -> Path:
    """The home folder that a client started with `environ` would take."""
    return Path(environ.get("HOME") or environ.get("USERPROFILE") or "~").expanduser()
