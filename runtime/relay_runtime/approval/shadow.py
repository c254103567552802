"""Files that Claude Code would run in place of a skill or command of ours.

A folder `.claude/skills/PLUGIN:SKILL` or a command file `.claude/commands/PLUGIN/SKILL.md` of the project
answers to the very name of a plugin's skill, and wins (seen on 2.1.332). An approval by name would then
launch a stranger's instructions with the tools that they allow themselves.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path


def shadowing(plugin: str, settings_folders: Iterable[Path]) -> Path | None:
    """The first entry below one of the settings folders that takes names of `plugin`."""
    for settings in settings_folders:
        for entry in _entries(settings / "skills"):
            if entry.name.lower().startswith(f"{plugin}:"):
                return entry
        for entry in _entries(settings / "commands"):
            if entry.name.lower().partition(":")[0] == plugin:
                return entry
    return None


def stranger_on_path(command: str, search: str, cwd: Path, own: Path) -> Path | None:
    """A file called `command` in a folder of `search` (PATH) that is not `own`, which comes last there."""
    for folder in search.split(os.pathsep):
        found = cwd / folder / command
        if found.is_file() and not (own.is_file() and found.samefile(own)):
            return found
    return None


def settings_folders(environ: Mapping[str, str], cwds: Iterable[Path]) -> list[Path]:
    """Where the client may look: the user's settings folder, and one in each of `cwds`, the folder that the
    session began in, and their parents."""
    user = environ.get("CLAUDE_CONFIG_DIR") or str(Path(environ.get("HOME") or "/") / ".claude")
    session = environ.get("CLAUDE_PROJECT_DIR")
    starts = [*cwds, *([Path(session)] if session else [])]
    above = dict.fromkeys(folder for start in starts for folder in (start, *start.parents))
    return [Path(user), *(folder / ".claude" for folder in above)]


def _entries(folder: Path) -> list[Path]:
    try:
        return [folder / name for name in sorted(os.listdir(folder))]  # noqa: PTH208  names are enough
    except (FileNotFoundError, NotADirectoryError):
        return []
