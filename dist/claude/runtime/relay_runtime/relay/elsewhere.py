"""Relays in the other worktrees of the repository: each checkout keeps its own state."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from relay_runtime.context import Context
from relay_runtime.errors import RelayError
from relay_runtime.gitrepo.run import Git
from relay_runtime.paths import Project
from relay_runtime.relay.current import unfinished


@dataclass(frozen=True)
class Found:
    """An unfinished relay of another checkout."""

    root: Path
    wgid: str


def elsewhere(context: Context) -> tuple[Found, ...]:
    """Those of every worktree but this one; none where git does not answer."""
    here = context.project().root
    return tuple(
        Found(root, wgid)
        for root in worktrees(Git(here, context.environ))
        if root != here
        for wgid in unfinished(Project(root))
    )


def worktrees(git: Git) -> tuple[Path, ...]:
    """The folders of all checkouts of the repository; none where git does not answer."""
    try:
        listed = git.run("worktree", "list", "--porcelain", "-z")
    except RelayError:
        return ()
    if not listed.ok:
        return ()
    mark = b"worktree "
    parts = [part[len(mark) :] for part in listed.out.split(b"\0") if part.startswith(mark)]
    return tuple(path.resolve() for path in map(Path, map(os.fsdecode, parts)) if path.is_dir())
