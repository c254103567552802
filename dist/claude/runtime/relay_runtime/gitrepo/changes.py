"""What differs from HEAD, path by path."""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import Enum

from relay_runtime.errors import RelayError
from relay_runtime.gitrepo.run import Git, last_line


class Kind(Enum):
    TRACKED = "changed"
    UNTRACKED = "untracked"
    SUBMODULE = "submodule"
    REPOSITORY = "repository of its own"


@dataclass(frozen=True)
class Change:
    """`staged`: the index differs from HEAD."""

    path: str
    kind: Kind
    staged: bool = False

    def shown(self) -> str:
        """The path with its kind, where that is not plain."""
        return self.path if self.kind is Kind.TRACKED else f"{self.path} ({self.kind.value})"


def changes(git: Git) -> tuple[Change, ...]:
    """Every tracked, staged and untracked path that is not ignored; a rename is two paths."""
    data = git.ask(
        "status", "--porcelain=v2", "-z", "--untracked-files=all", "--ignore-submodules=none", "--no-renames"
    )
    return tuple(sorted((_change(entry) for entry in data.split(b"\0") if entry), key=lambda one: one.path))


def ignored(git: Git, paths: tuple[str, ...]) -> frozenset[str]:
    """Those of `paths` that git ignores."""
    given = b"".join(os.fsencode(f"./{path}") + b"\0" for path in paths)
    # check-ignore knows no literal pathspecs; with "./" in front nothing is taken for magic.
    ended = git.run("--no-literal-pathspecs", "check-ignore", "-z", "--stdin", stdin=given)
    if ended.code not in (0, 1):
        raise RelayError("git.failed", f"git check-ignore failed: {last_line(ended)}.")
    return frozenset(os.fsdecode(path)[2:] for path in ended.out.split(b"\0") if path)


def _change(entry: bytes) -> Change:
    mark = entry[:1]
    if mark == b"?":
        path = os.fsdecode(entry[2:])
        return Change(path, Kind.REPOSITORY if path.endswith("/") else Kind.UNTRACKED)
    fields = entry.split(b" ", 10 if mark == b"u" else 8)
    kind = Kind.SUBMODULE if fields[2].startswith(b"S") else Kind.TRACKED
    return Change(os.fsdecode(fields[-1]), kind, staged=fields[1][:1] != b".")
