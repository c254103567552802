"""What a target must leave alone in a repository, taken before a leg and compared after it."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from relay_runtime.fields import Fields
from relay_runtime.gitrepo.changes import Kind, changes
from relay_runtime.gitrepo.run import Git
from relay_runtime.paths import KNOWZCODE

# Settings by which git runs a program at a commit or checkout.
_RUNNING = r"^(core\.(hookspath|fsmonitor|attributesfile)|filter\..*|gpg\..*|include\..*|includeif\..*)$"


class Digest(Protocol):
    def update(self, data: bytes, /) -> None: ...


@dataclass(frozen=True)
class Snapshot:
    """Ids and digests; `branch` and `stash` are None when there is none. Empty: it was never taken."""

    head: str
    branch: str | None
    index: str
    stash: str | None
    hooks: str
    knowzcode: str
    untracked: tuple[str, ...]


@dataclass(frozen=True)
class Departure:
    """One thing that a target did against its orders. `recovery` is for a person; we never run it."""

    what: str
    sentence: str
    recovery: str = ""


def take(git: Git) -> Snapshot:
    """The present state of the repository in `git.folder`."""
    return Snapshot(
        head=git.ask("rev-parse", "--verify", "HEAD^{commit}").decode().strip(),
        branch=_branch(git),
        index=hashlib.sha256(git.ask("ls-files", "--stage", "-z")).hexdigest(),
        stash=git.line("rev-parse", "--quiet", "--verify", "refs/stash"),
        hooks=_hooks(git),
        knowzcode=_knowzcode(git.folder),
        untracked=tuple(one.path for one in changes(git) if one.kind in (Kind.UNTRACKED, Kind.REPOSITORY)),
    )


def read(fields: Fields) -> Snapshot:
    """A snapshot from the JSON that its fields make."""
    return Snapshot(
        head=fields.text("head"),
        branch=fields.optional_text("branch"),
        index=fields.text("index"),
        stash=fields.optional_text("stash"),
        hooks=fields.text("hooks"),
        knowzcode=fields.text("knowzcode"),
        untracked=fields.texts("untracked"),
    )


def compare(before: Snapshot, after: Snapshot) -> tuple[Departure, ...]:
    """What was moved, stashed, removed or edited in between. Edits of ordinary files are none."""
    found: list[Departure] = []
    if after.branch != before.branch:
        found.append(
            Departure(
                "branch",
                f"HEAD was on {_name(before)} ({before.head}) and is on {_name(after)} ({after.head}).",
                f"git switch {before.branch}" if before.branch else f"git switch --detach {before.head}",
            )
        )
    elif not after.head.startswith(before.head):
        found.append(
            Departure(
                "head",
                f"{_name(after)} moved from {before.head} to {after.head}.",
                f"git reset --soft {before.head}",
            )
        )
    if before.stash != "" and after.stash != before.stash:
        found.append(
            Departure(
                "stash",
                f"The stash changed from {before.stash or 'empty'} to {after.stash or 'empty'}.",
                "git stash list",
            )
        )
    if before.hooks and after.hooks != before.hooks:
        found.append(
            Departure(
                "hooks",
                "Git hooks, or settings by which git runs programs, were edited.",
                "git config --list --show-origin",
            )
        )
    if before.knowzcode and after.knowzcode != before.knowzcode:
        found.append(
            Departure("knowzcode", f"Files under {KNOWZCODE}/ were edited.", f"git diff -- {KNOWZCODE}")
        )
    gone = [path for path in before.untracked if path not in after.untracked]
    if gone and after.head == before.head:
        found.append(Departure("cleaned", f"Untracked files are gone: {', '.join(gone[:20])}."))
    return tuple(found)


def _name(snapshot: Snapshot) -> str:
    return snapshot.branch or "a detached HEAD"


def _branch(git: Git) -> str | None:
    ref = git.line("symbolic-ref", "--quiet", "HEAD")
    return ref[len("refs/heads/") :] if ref and ref.startswith("refs/heads/") else None


def _hooks(git: Git) -> str:
    digest = hashlib.sha256(git.run("config", "--null", "--get-regexp", _RUNNING).out)
    folder = git.folder / str(git.line("rev-parse", "--git-path", "hooks"))
    _add_folder(digest, folder, ())
    return digest.hexdigest()


def _knowzcode(root: Path) -> str:
    digest = hashlib.sha256()
    _add_folder(digest, root / KNOWZCODE, ("workgroups",))
    return digest.hexdigest()


def _add_folder(digest: Digest, folder: Path, without: tuple[str, ...]) -> None:
    """Feed names, modes and bytes of every file below `folder`; links count as what they say."""
    for place, folders, names in os.walk(folder):
        if Path(place) == folder:
            folders[:] = [name for name in folders if name not in without]
        folders.sort()
        for name in sorted([*names, *(one for one in folders if (Path(place) / one).is_symlink())]):
            path = Path(place) / name
            digest.update(b"\0" + os.fsencode(path.relative_to(folder)) + b"\0")
            if path.is_symlink():
                digest.update(os.fsencode(path.readlink()))
            elif path.is_file():
                digest.update(b"x" if os.access(path, os.X_OK) else b"-")
                with path.open("rb") as handle:
                    while block := handle.read(1 << 20):
                        digest.update(block)
