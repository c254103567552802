"""The branch that a relay works on."""

from __future__ import annotations

from pathlib import Path

from relay_runtime.errors import Exit, RelayError
from relay_runtime.gitrepo.repository import Repository, branch_exists
from relay_runtime.gitrepo.run import Git, last_line


def present(root: Path) -> str:
    """The branch that HEAD names, by git's own file; empty when there is none."""
    git = root / ".git"
    try:
        if git.is_file():
            git = root / git.read_text("utf-8").partition("gitdir: ")[2].strip()
        return (git / "HEAD").read_text("utf-8").partition("ref: refs/heads/")[2].strip()
    except (OSError, UnicodeDecodeError):
        return ""


def check_free(git: Git, name: str) -> None:
    """Refuse (exit 3) a branch name that is taken, or that git cannot make."""
    if branch_exists(git, name):
        raise RelayError(
            "git.branch-exists",
            f"The branch {name} exists and no relay state names it.",
            exit=Exit.HALT,
            hint=f"Rename or delete it, or pass another WorkGroup: git branch -m {name} NEW-NAME",
        )
    parent = name.split("/", 1)[0]
    if branch_exists(git, parent):
        raise RelayError(
            "git.branch-name",
            f"The branch {parent} exists, so git cannot make {name}.",
            exit=Exit.HALT,
            hint=f"Rename it: git branch -m {parent} NEW-NAME",
        )


def create(git: Git, repository: Repository, name: str) -> None:
    """Make `name` at HEAD and put HEAD on it. No file, index entry or hook is involved."""
    made = git.run("update-ref", f"refs/heads/{name}", repository.head, "0" * len(repository.head))
    if not made.ok:
        raise RelayError("git.branch-create", f"git cannot create {name}: {last_line(made)}.", exit=Exit.HALT)
    _put_head(git, repository.branch or repository.head, name)


def undo(git: Git, repository: Repository, name: str) -> None:
    """Put HEAD back where `create` found it and drop `name`, which holds nothing of its own."""
    if repository.branch is not None:
        _put_head(git, name, repository.branch)
    else:
        git.ask("update-ref", "--no-deref", "-m", f"checkout: moving from {name}", "HEAD", repository.head)
    git.ask("update-ref", "-d", f"refs/heads/{name}", repository.head)


def _put_head(git: Git, origin: str, name: str) -> None:
    # Worded as git's own checkout, so that `git switch -` finds the way back.
    git.ask("symbolic-ref", "-m", f"checkout: moving from {origin} to {name}", "HEAD", f"refs/heads/{name}")
