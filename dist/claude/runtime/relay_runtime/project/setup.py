"""Prepare a project for relays: configuration, specs folder, and a place for state that git ignores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from relay_runtime.errors import Exit, RelayError
from relay_runtime.fsio import write_atomic
from relay_runtime.gitrepo.changes import ignored
from relay_runtime.gitrepo.run import Git, last_line
from relay_runtime.lock import exclusive
from relay_runtime.paths import Project, inside
from relay_runtime.project.files import (
    CONFIG_FILE,
    IGNORE,
    IGNORE_FILE,
    INNER_IGNORE,
    INNER_IGNORE_FILE,
    as_written,
    template,
)


@dataclass
class Done:
    """`lines` tell one file or folder each; `ignored` is None where git could not say."""

    lines: list[str] = field(default_factory=list[str])
    written: list[str] = field(default_factory=list[str])
    kept: list[str] = field(default_factory=list[str])
    ignored: bool | None = None


def set_up(project: Project, environ: Mapping[str, str]) -> Done:
    """Make what is missing and keep what is there. A second call changes nothing."""
    done = Done()
    for folder in (project.knowzcode, project.workgroups, project.specs):
        _make_folder(project, folder, done)
    with exclusive(project.workgroups / ".config.lock", "setup"):
        _put(project, CONFIG_FILE, template(), done)
        _ignore_workgroups(project, Git(project.root, environ), done)
    return done


def _make_folder(project: Project, folder: Path, done: Done) -> None:
    name = folder.relative_to(project.root).as_posix()
    inside(project.root, name, exit=Exit.HALT)
    if folder.is_dir():
        return
    try:
        folder.mkdir()
    except OSError as error:
        raise RelayError(
            "setup.folder", f"{folder} cannot be made: {error.strerror or error}.", exit=Exit.HALT
        ) from error
    done.written.append(name + "/")
    done.lines.append(f"made {name}/")


def _put(project: Project, name: str, content: bytes, done: Done) -> None:
    path = inside(project.root, name, exit=Exit.HALT)
    if not path.exists():
        write_atomic(path, content)
        done.written.append(name)
        done.lines.append(f"wrote {name}")
        return
    done.kept.append(name)
    done.lines.append(f"kept {name}" + ("" if as_written(project, name) else ", which is yours"))


def _ignore_workgroups(project: Project, git: Git, done: Done) -> None:
    done.ignored, trouble = _ignored(git, project)
    if (project.root / IGNORE_FILE).exists() or not done.ignored:
        _put(project, IGNORE_FILE, IGNORE, done)
        done.ignored, trouble = _ignored(git, project)
    if not done.ignored and not as_written(project, IGNORE_FILE):
        _put(project, INNER_IGNORE_FILE, INNER_IGNORE, done)
        done.ignored, trouble = _ignored(git, project)
    if done.ignored is False:
        raise RelayError(
            "setup.not-ignored",
            "git does not ignore knowzcode/workgroups/, where relay state and logs are kept.",
            exit=Exit.HALT,
            hint="See which rule wins: git check-ignore -v --no-index knowzcode/workgroups/x",
        )
    if trouble:
        done.lines.append(trouble)


def _ignored(git: Git, project: Project) -> tuple[bool | None, str]:
    """Whether git ignores a file in workgroups/; None, and why, where there is no git to ask."""
    sample = (project.workgroups / "relay-sample.md").relative_to(project.root).as_posix()
    try:
        inside_one = git.run("rev-parse", "--is-inside-work-tree")
        if inside_one.ok:
            return sample in ignored(git, (sample,)), ""
    except RelayError as error:
        return None, error.message
    if "not a git repository" in inside_one.err:
        return None, f"{project.root} is in no git repository. A relay needs one, with a first commit."
    return None, f"git could not say what it ignores: {last_line(inside_one)}."
