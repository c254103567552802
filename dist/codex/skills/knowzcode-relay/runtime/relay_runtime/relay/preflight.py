"""What must hold before a relay touches the tree. Only looked at here; the first thing amiss is a refusal."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from relay_runtime.adapters import LEGS
from relay_runtime.answer import Answer, Next
from relay_runtime.context import Context
from relay_runtime.errors import Exit, RelayError, UsageError
from relay_runtime.gitrepo.branch import check_free
from relay_runtime.gitrepo.changes import Change, Kind, changes, ignored
from relay_runtime.gitrepo.repository import Repository, default_branches, inspect
from relay_runtime.gitrepo.run import Git
from relay_runtime.inputs.plan import Plan
from relay_runtime.paths import KNOWZCODE, Project
from relay_runtime.project.files import as_written
from relay_runtime.state.files import RelayFiles

TRACKER = f"{KNOWZCODE}/knowzcode_tracker.md"
_SHOWN = 50


@dataclass(frozen=True)
class Prepared:
    """`branch` is to be worked on, new unless it is the present one; `paths` make the Gate #2 checkpoint."""

    repository: Repository
    branch: str
    paths: tuple[str, ...]

    @property
    def new_branch(self) -> bool:
        return self.branch != self.repository.branch


def check_folders(project: Project) -> None:
    """A relay keeps its state in the project's own folder, so it must be there (exit 3).

    `workgroups/` in it is ignored by git, so a new clone or worktree has none until a relay writes there.
    """
    if not project.knowzcode.is_dir():
        raise RelayError(
            "preflight.not-set-up",
            f"{project.knowzcode} does not exist.",
            exit=Exit.HALT,
            hint="Set the project up with the verb setup.",
        )


def check_repository(git: Git, files: RelayFiles) -> Repository:
    """The repository, if a checkpoint is possible in it and git ignores what a relay writes (else exit 3)."""
    repository = inspect(git)
    state_file = files.relative(files.state)
    if state_file not in ignored(git, (state_file,)):
        raise RelayError(
            "preflight.not-ignored",
            f"git does not ignore {files.relative(files.folder)}/, where relay state and logs are kept.",
            exit=Exit.HALT,
            hint="Let setup write the rule, or add it: knowzcode/workgroups/",
        )
    return repository


def prepare(git: Git, files: RelayFiles, plan: Plan, approved: str | None) -> Prepared:
    """Look at repository, ignore rules, branch and tree, in this order."""
    repository = check_repository(git, files)
    branch = _branch(git, repository, files.wgid, approved)
    return Prepared(repository, branch, _baseline(git, files, plan))


def widened(target: str, version: str, accepted: str | None, context: Context) -> Answer | None:
    """The pause (exit 4) when settings files widen a leg and nobody accepted exactly these."""
    project = context.project()
    found = LEGS[target].widenings(project.root, version, context.environ)
    digest = hashlib.sha256(
        "\n".join(f"{one.file} {one.key} {one.digest}" for one in found).encode()
    ).hexdigest()
    if not found or accepted == digest:
        return None
    lines = tuple(
        f"[RELAY-SETTINGS] {one.file}: {one.key} reaches the target past the relay's limits." for one in found
    )
    return Answer(
        message=f"{len(found)} settings would widen what the target may do.",
        exit=Exit.PAUSE,
        lines=lines,
        next=Next(
            question="Remove these keys, or accept these files as they are with: "
            f"--accept-project-settings {digest}"
        ),
        data={
            "problem": "preflight.settings",
            "sha256": digest,
            "settings": [{"file": one.file, "key": one.key} for one in found],
        },
    )


def _branch(git: Git, repository: Repository, wgid: str, approved: str | None) -> str:
    if approved is None:
        branch = f"kc-relay/{wgid}"
        check_free(git, branch)
        return branch
    if approved != repository.branch:
        raise UsageError(
            "preflight.branch",
            f"--approve-branch {approved} is not the present branch, which is {repository.branch or 'none'}.",
            hint="Switch to it first, or leave the flag out: a branch is made then.",
        )
    if approved in default_branches(git):
        raise RelayError(
            "preflight.default-branch",
            f"{approved} is the default branch, and a relay never works on it.",
            exit=Exit.HALT,
            hint="Leave --approve-branch out: a branch is made then.",
        )
    return approved


def _baseline(git: Git, files: RelayFiles, plan: Plan) -> tuple[str, ...]:
    """The changed paths that Gate #2 approved; anything else that is changed is a refusal that names it."""
    project = files.project
    reviewed = {f"{KNOWZCODE}/workgroups/{files.wgid}.md", TRACKER, *(spec.path for spec in plan.specs)}
    found = changes(git)
    foreign = [one for one in found if not _is_reviewed(one, reviewed, project)]
    if not foreign:
        return tuple(one.path for one in found)
    names = ", ".join(one.shown() for one in foreign[:_SHOWN])
    more = f" and {len(foreign) - _SHOWN} more" if len(foreign) > _SHOWN else ""
    raise RelayError(
        "preflight.dirty",
        f"{len(foreign)} changed paths are not part of the approved work: {names}{more}.",
        exit=Exit.HALT,
        hint="Commit or move them yourself, or relay from a clean worktree; nothing was touched.",
        data={"paths": [one.path for one in foreign]},
    )


def _is_reviewed(change: Change, reviewed: set[str], project: Project) -> bool:
    if change.kind in (Kind.SUBMODULE, Kind.REPOSITORY):
        return False
    return change.path in reviewed or as_written(project, change.path)
