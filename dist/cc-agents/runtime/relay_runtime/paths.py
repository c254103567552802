"""Where a project's relay files are."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from relay_runtime.errors import Exit, RelayError, UsageError

KNOWZCODE = "knowzcode"
CONFIG_NAME = "knowzcode_orchestration.md"


class Project(NamedTuple):
    """`root` is absolute and free of symlinks; `knowzcode/` in it may not exist yet."""

    root: Path

    @property
    def knowzcode(self) -> Path:
        return self.root / KNOWZCODE

    @property
    def config(self) -> Path:
        return self.knowzcode / CONFIG_NAME

    @property
    def workgroups(self) -> Path:
        return self.knowzcode / "workgroups"

    @property
    def specs(self) -> Path:
        return self.knowzcode / "specs"


def find_project(cwd: Path, named: str | None) -> Project:
    """The project `named`, else the nearest folder upward with `knowzcode/` or `.git`, else `cwd`."""
    if named is not None:
        root = (cwd / named).resolve()
        if not root.is_dir():
            raise UsageError("project.missing", f"--project {named} is not a folder.")
        return Project(root)
    start = cwd.resolve()
    for folder in (start, *start.parents):
        if (folder / KNOWZCODE).is_dir() or (folder / ".git").exists():
            return Project(folder)
    return Project(start)


def inside(folder: Path, relative: str, *, exit: Exit = Exit.FAILED) -> Path:
    """`relative` as a path below `folder`; absolute, climbing or link-escaping ones are RelayError."""
    path = (folder / relative).resolve()
    if folder.resolve() not in path.parents:
        raise RelayError("path.outside", f"{relative} is not inside {folder}.", exit=exit)
    return path
