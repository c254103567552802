"""What kind of repository this is, and why a relay cannot run in it. Each reason has its own sentence."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from relay_runtime.errors import Exit, RelayError
from relay_runtime.gitrepo.run import Git, last_line

# A file or folder of the git folder that exists only while something is under way.
_UNDER_WAY = (
    ("rebase-merge", "A rebase", "git rebase --abort"),
    ("rebase-apply", "A rebase or git am", "git rebase --abort"),
    ("MERGE_HEAD", "A merge", "git merge --abort"),
    ("CHERRY_PICK_HEAD", "A cherry-pick", "git cherry-pick --abort"),
    ("REVERT_HEAD", "A revert", "git revert --abort"),
    ("sequencer", "A sequence of picks", "git cherry-pick --abort"),
    ("BISECT_LOG", "A bisect", "git bisect reset"),
)
_NAMED_BY_HABIT = ("main", "master", "trunk")


@dataclass(frozen=True)
class Repository:
    """`branch` is None while HEAD is detached. `notes` are allowed conditions worth a sentence."""

    top: Path
    git_dir: Path
    head: str
    branch: str | None
    notes: tuple[str, ...] = ()


def inspect(git: Git) -> Repository:
    """The repository of `git.folder`, or RelayError (exit 3) when a checkpoint is impossible in it."""
    top = _top(git)
    if top != git.folder.resolve():
        raise _refusal(
            "git.subfolder",
            f"The project is {git.folder}, but its repository starts at {top}.",
            "Relay needs knowzcode/ in the top folder of the repository.",
        )
    git_dir = Path(str(git.line("rev-parse", "--absolute-git-dir")))
    head = git.line("rev-parse", "--quiet", "--verify", "HEAD^{commit}")
    branch = git.line("symbolic-ref", "--quiet", "HEAD")
    branch = branch[len("refs/heads/") :] if branch and branch.startswith("refs/heads/") else None
    if head is None:
        where = f"The branch {branch}" if branch else "The repository"
        raise _refusal("git.unborn", f"{where} has no commit yet.", "Make a first commit.")
    for name, what, remedy in _UNDER_WAY:
        if (git_dir / name).exists():
            raise _refusal("git.under-way", f"{what} is under way in {top}.", f"Finish it, or run: {remedy}")
    if git.ask("ls-files", "--unmerged", "-z"):
        raise _refusal("git.unmerged", f"{top} has unmerged files.", "Resolve them and commit.")
    if (git_dir / "index.lock").exists():
        raise _refusal(
            "git.locked",
            f"{git_dir / 'index.lock'} exists, so another git command runs or was killed.",
            "Wait for it; if none runs, delete that file.",
        )
    for role in ("AUTHOR", "COMMITTER"):
        if not git.run("var", f"GIT_{role}_IDENT").ok:
            raise _refusal(
                "git.identity",
                f"git has no {role.lower()} name and e-mail for commits in {top}.",
                "Set them: git config user.name NAME, git config user.email ADDRESS",
            )
    return Repository(top, git_dir, head, branch, _notes(git, git_dir, head, branch))


def default_branches(git: Git) -> tuple[str, ...]:
    """Branches that no relay works on: the remote's default, else the configured, else the usual names."""
    remote = git.line("symbolic-ref", "--quiet", "refs/remotes/origin/HEAD")
    prefix = "refs/remotes/origin/"
    if remote and remote.startswith(prefix):
        return (remote[len(prefix) :],)
    configured = git.line("config", "--get", "init.defaultBranch")
    if configured and branch_exists(git, configured):
        return (configured,)
    return tuple(name for name in _NAMED_BY_HABIT if branch_exists(git, name))


def branch_exists(git: Git, name: str) -> bool:
    return git.run("show-ref", "--verify", "--quiet", f"refs/heads/{name}").ok


def _top(git: Git) -> Path:
    if git.line("rev-parse", "--is-bare-repository") == "true":
        raise _refusal(
            "git.bare", f"{git.folder} is a bare repository without a working tree.", "Work in a clone of it."
        )
    asked = git.run("rev-parse", "--show-toplevel")
    if asked.ok:
        return Path(asked.out.decode("utf-8", "surrogateescape").rstrip("\n")).resolve()
    if "dubious ownership" in asked.err:
        raise _refusal(
            "git.owner",
            f"git refuses {git.folder}, since another user owns it.",
            f"Trust it: git config --global --add safe.directory {git.folder}",
        )
    if "not a git repository" in asked.err.lower():
        raise _refusal(
            "git.none",
            f"{git.folder} is not in a git repository.",
            "Relay commits checkpoints: run git init and commit.",
        )
    raise _refusal("git.unusable", f"git cannot use {git.folder}: {last_line(asked)}.", "See: git status")


def _notes(git: Git, git_dir: Path, head: str, branch: str | None) -> tuple[str, ...]:
    notes: list[str] = []
    if branch is None:
        notes.append(f"HEAD is detached at {head[:12]}; the relay branch starts there.")
    if git.line("rev-parse", "--is-shallow-repository") == "true":
        notes.append("The clone is shallow; checkpoints work, older history is not there.")
    if git_dir != Path(str(git.line("rev-parse", "--path-format=absolute", "--git-common-dir") or git_dir)):
        notes.append(f"This is a linked worktree; the relay stays in {git.folder}.")
    return tuple(notes)


def _refusal(problem: str, message: str, hint: str) -> RelayError:
    return RelayError(problem, message, exit=Exit.HALT, hint=hint)
