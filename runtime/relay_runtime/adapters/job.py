"""What a target offers that can run jobs: one run by itself, with the user's own settings of the client."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Protocol

from relay_runtime.adapters.base import Client
from relay_runtime.adapters.leg import Invocation, Target


class Mode(Enum):
    """What a job may do. YOLO: everything, without a sandbox."""

    READ_ONLY = "read-only"
    WRITE = "write"
    YOLO = "yolo"


@dataclass(frozen=True)
class JobRequest:
    """One run that is wanted. Every path is absolute.

    `id` is the attempt's own. `prompt` is the file whose bytes the target reads, `last` where its final
    message goes. `model` and `effort` are empty, and the switches None, where the client decides.
    """

    id: str
    binary: str
    cwd: Path
    prompt: Path
    last: Path
    mode: Mode
    model: str = ""
    effort: str = ""
    network: bool | None = None
    web_search: bool | None = None
    add_dirs: tuple[str, ...] = ()


class JobTarget(Target, Protocol):
    """The job half of a target. Plain functions, no state."""

    CLIENT: Client

    def job_invocation(self, job: JobRequest, session_id: str) -> Invocation:
        """How the job is started; with a session id, how that session goes on, every setting given again."""
        ...

    def job_environment(self, job: JobRequest, environ: Mapping[str, str]) -> dict[str, str]:
        """What the target inherits, from what it would inherit anyway. It may hold keys: no file."""
        ...

    def job_notes(self, job: JobRequest, session_id: str, environ: Mapping[str, str]) -> tuple[str, ...]:
        """What the user's own settings, or the release of the client, decided where the header did not."""
        ...
