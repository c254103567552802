"""Run git: an argument list, an end in time, no prompt, no variable that points it at another repository."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from relay_runtime.errors import Exit, RelayError

SECONDS = 60.0
_KEEP = 64 * 1024 * 1024
_GRACE = 5.0

# A host that runs inside a git hook has these set, for its own repository.
_REDIRECTING = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_CEILING_DIRECTORIES",
)


@dataclass(frozen=True)
class Ended:
    """`code` is None when git was stopped because its time was over."""

    code: int | None
    out: bytes
    err: str

    @property
    def ok(self) -> bool:
        return self.code == 0


@dataclass(frozen=True)
class Git:
    """git in one folder."""

    folder: Path
    environ: Mapping[str, str]

    def run(
        self,
        *words: str,
        stdin: bytes = b"",
        seconds: float = SECONDS,
        variables: Mapping[str, str] | None = None,
    ) -> Ended:
        """Run one command. Output goes to files, so a background child of a hook cannot hold us."""
        binary = shutil.which("git", path=self.environ.get("PATH", os.defpath))
        if binary is None:
            raise RelayError("git.missing", "git is not on PATH.", exit=Exit.HALT, hint="Install git.")
        # A file system monitor is a program that a target could have configured.
        argv = [binary, "-c", "core.quotePath=false", "-c", "core.fsmonitor=false", *words]
        with (
            tempfile.TemporaryFile() as given,
            tempfile.TemporaryFile() as out,
            tempfile.TemporaryFile() as err,
        ):
            given.write(stdin)
            given.seek(0)
            process = subprocess.Popen(
                argv,
                cwd=self.folder,
                env={**self._environment(), **(variables or {})},
                stdin=given,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )
            try:
                code: int | None = process.wait(seconds)
            except subprocess.TimeoutExpired:
                code = None
                _stop(process)
            out.seek(0)
            err.seek(0)
            return Ended(code, out.read(_KEEP), err.read(_KEEP).decode("utf-8", "replace"))

    def ask(self, *words: str) -> bytes:
        """The output of a command that must work; RelayError with git's own words when it does not."""
        ended = self.run(*words)
        if ended.ok:
            return ended.out
        raise RelayError("git.failed", f"git {words[0]} failed: {last_line(ended)}.", exit=Exit.FAILED)

    def line(self, *words: str) -> str | None:
        """One line of output, or None when the command says no."""
        ended = self.run(*words)
        return os.fsdecode(ended.out).rstrip("\n") if ended.ok else None

    def _environment(self) -> dict[str, str]:
        kept = {name: value for name, value in self.environ.items() if name not in _REDIRECTING}
        return {**kept, "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "GIT_EDITOR": "true"}


def last_line(ended: Ended) -> str:
    """What git said last, for a sentence."""
    if ended.code is None:
        return "it did not end in time"
    lines = [line.strip() for line in ended.err.splitlines() if line.strip()]
    return lines[-1][:300].rstrip(".") if lines else f"exit {ended.code}"


def split_paths(data: bytes) -> tuple[str, ...]:
    """NUL-separated paths, bytes that are no UTF-8 kept as surrogates."""
    return tuple(os.fsdecode(path) for path in data.split(b"\0") if path)


def join_paths(paths: tuple[str, ...]) -> bytes:
    """The reverse of `split_paths`."""
    return b"".join(os.fsencode(path) + b"\0" for path in paths)


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End git and its hooks; asked first, so that git removes its own lock files."""
    for number in (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
        try:
            if os.name == "posix":
                os.killpg(process.pid, number)
            else:
                process.terminate()
            process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            continue
        except OSError:
            break
    # The leader may be gone while a hook's child lives on in the group.
    if os.name == "posix":
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except OSError:
            return
