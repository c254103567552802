"""A commit of exactly the named paths, bounded in time, proven to have happened, undone when it did not."""

from __future__ import annotations

from pathlib import Path

from relay_runtime.errors import Exit, RelayError
from relay_runtime.fsio import write_atomic
from relay_runtime.gitrepo.run import Ended, Git, join_paths, split_paths

SECONDS = 100.0
"""For hooks and signing: below the two minutes that a host gives a command by default."""

_SHOWN = 1500


def staged(git: Git) -> tuple[str, ...]:
    """The paths whose index entry differs from HEAD."""
    return split_paths(
        git.ask("diff", "--cached", "--name-only", "--no-renames", "-z", "--ignore-submodules=dirty")
    )


def commit_paths(git: Git, paths: tuple[str, ...], message: str, seconds: float = SECONDS) -> str:
    """Stage `paths`, check them, commit them, and give the new commit's id.

    Whatever is refused, the index is put back byte for byte and the files stay as they are.
    """
    index = Path(git.folder, str(git.line("rev-parse", "--git-path", "index")))
    before = index.read_bytes() if index.exists() else None
    head = git.ask("rev-parse", "HEAD").decode().strip()
    try:
        _stage(git, paths)
        return _commit(git, message, head, seconds)
    except RelayError:
        if git.line("rev-parse", "HEAD") == head and before is not None:
            write_atomic(index, before)
        raise


def _stage(git: Git, paths: tuple[str, ...]) -> None:
    added = git.run(
        "update-index", "-z", "--add", "--remove", "--replace", "--stdin", stdin=join_paths(paths)
    )
    if not added.ok:
        raise RelayError("commit.stage", f"git cannot stage the paths: {_words(added)}", exit=Exit.HALT)
    foreign = [path for path in staged(git) if path not in paths]
    if foreign:
        raise RelayError(
            "commit.foreign",
            f"Other paths are staged: {', '.join(foreign[:20])}.",
            exit=Exit.HALT,
            hint="Unstage them: git restore --staged PATH",
            data={"paths": foreign},
        )
    check = git.run("diff", "--cached", "--check", "--no-ext-diff", "--no-textconv")
    if not check.ok:
        raise RelayError(
            "commit.check",
            "git diff --cached --check objects: " + check.out.decode("utf-8", "replace").strip()[:_SHOWN],
            exit=Exit.HALT,
            hint="Correct these lines, then run checkpoint again.",
        )


def _commit(git: Git, message: str, head: str, seconds: float) -> str:
    ended = git.run("commit", "--quiet", "--file=-", stdin=message.encode() + b"\n", seconds=seconds)
    now = git.ask("rev-parse", "HEAD").decode().strip()
    if now == head:
        why = (
            f"did not end within {seconds:g} seconds (a hook or the signing program hangs)"
            if ended.code is None
            else "was refused"
        )
        raise RelayError(
            "commit.refused",
            f"The commit {why}; the work is still in the tree. {_words(ended)}".rstrip(),
            exit=Exit.HALT,
            hint="Mend the hook or the signing and run the same command again; hooks are never skipped.",
        )
    if git.line("rev-parse", "--quiet", "--verify", f"{now}^") != head:
        raise RelayError(
            "commit.moved",
            f"HEAD went from {head} to {now}, which is not our commit.",
            exit=Exit.HALT,
            hint=f"See: git log {head}..{now}",
        )
    return now


def _words(ended: Ended) -> str:
    """What git and the hooks said, their end first of all."""
    said = (ended.err + ended.out.decode("utf-8", "replace")).strip()
    return said if len(said) <= _SHOWN else "… " + said[-_SHOWN:]
