"""What a verb may know about the world around it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Callable, NamedTuple

from relay_runtime.clock import Clock
from relay_runtime.errors import RelayError, UsageError
from relay_runtime.fsio import read_bounded
from relay_runtime.package import Package
from relay_runtime.paths import Project, find_project

INPUT_LIMIT = 4 * 1024 * 1024


def _nobody_watches(line: str) -> None:
    del line


class Context(NamedTuple):
    """`read_stdin` gives at most the number of bytes asked for; `progress` tells a watching person a line."""

    package: Package
    environ: Mapping[str, str]
    cwd: Path
    clock: Clock
    read_stdin: Callable[[int], bytes]
    project_named: str | None = None
    progress: Callable[[str], None] = _nobody_watches

    def project(self) -> Project:
        return find_project(self.cwd, self.project_named)

    def read_input(self, file: str | None) -> str:
        """Free text or JSON from `--file FILE` or from stdin, as UTF-8 with its bad bytes replaced."""
        return self.read_bytes(file).decode("utf-8-sig", "replace")

    def read_bytes(self, file: str | None) -> bytes:
        """The same, byte for byte."""
        if file is not None:
            return read_bounded(self.cwd / file, INPUT_LIMIT)
        data = self.read_stdin(INPUT_LIMIT + 1)
        if len(data) > INPUT_LIMIT:
            raise RelayError("input.too-large", f"The text on stdin is larger than {INPUT_LIMIT} bytes.")
        return data

    def call(self, *words: str) -> tuple[str, ...]:
        """A command of this runtime as `next:` spells it, with the project it was asked about."""
        where = ("--project", self.project_named) if self.project_named is not None else ()
        return (*self.package.call, *words, *where)


def no_input() -> UsageError:
    return UsageError(
        "input.empty", "Nothing came on stdin.", hint="Send the text on stdin, or name a file: --file F"
    )
