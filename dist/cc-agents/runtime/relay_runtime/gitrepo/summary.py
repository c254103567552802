"""What changed between two points, in bounded lines: paths and counts, never content."""

from __future__ import annotations

from relay_runtime.gitrepo.changes import Kind, changes
from relay_runtime.gitrepo.run import Git

_LINES = 60


def between(git: Git, base: str, head: str) -> tuple[str, ...]:
    """From commit to commit."""
    return _stat(git, "--end-of-options", base, head)


def since(git: Git, base: str) -> tuple[str, ...]:
    """From a commit to the working tree, new files by name."""
    new = [f"{one.path} (new)" for one in changes(git) if one.kind is Kind.UNTRACKED]
    return (*_stat(git, "--end-of-options", base), *_bounded(new))


def _stat(git: Git, *words: str) -> tuple[str, ...]:
    data = git.ask("diff", "--stat=100", "--no-renames", "--no-ext-diff", "--no-textconv", *words)
    return _bounded(data.decode("utf-8", "replace").splitlines())


def _bounded(lines: list[str]) -> tuple[str, ...]:
    if len(lines) <= _LINES:
        return tuple(lines)
    return (*lines[: _LINES - 1], f"… {len(lines) - _LINES} more paths", lines[-1])
