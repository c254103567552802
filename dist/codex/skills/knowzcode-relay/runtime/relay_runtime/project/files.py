"""The files that setup puts into a project, and whether one is still as we wrote it."""

from __future__ import annotations

from relay_runtime.config.persist import TEMPLATE, WORDS, with_selector
from relay_runtime.paths import CONFIG_NAME, KNOWZCODE, Project

CONFIG_FILE = f"{KNOWZCODE}/{CONFIG_NAME}"
IGNORE_FILE = f"{KNOWZCODE}/.gitignore"
IGNORE = b"# Relay state and logs; they belong to this checkout only.\n/workgroups/\n"
# For a project whose own knowzcode/.gitignore leaves the folder out. It ignores itself too.
INNER_IGNORE_FILE = f"{KNOWZCODE}/workgroups/.gitignore"
INNER_IGNORE = b"*\n"


def template() -> bytes:
    return TEMPLATE.read_bytes()


def as_written(project: Project, relative: str) -> bool:
    """Whether `relative` is a file of setup's that nobody changed; `config persist` is no change."""
    known = _contents(relative)
    path = project.root / relative
    return bool(known) and path.is_file() and not path.is_symlink() and path.read_bytes() in known


def _contents(relative: str) -> tuple[bytes, ...]:
    if relative == IGNORE_FILE:
        return (IGNORE,)
    if relative == INNER_IGNORE_FILE:
        return (INNER_IGNORE,)
    if relative == CONFIG_FILE:
        return (template(), *(with_selector(template(), word, relative) for word in WORDS))
    return ()
