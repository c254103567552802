"""Where a client's program is: one answer, used by every probe and by the launch."""

from __future__ import annotations

import ntpath
import os
import posixpath
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

# On Windows a program of its own beats a shim; the order inside PATHEXT is the user's business.
_PROGRAMS = (".exe", ".com")
_SHIMS = (".cmd", ".bat")


@dataclass(frozen=True)
class Executable:
    """`path` is absolute. A `shim` is a batch file of Windows: its interpreter reads the arguments again."""

    path: str
    shim: bool = False

    def argv(self, *arguments: str) -> tuple[str, ...]:
        """The command as a list. It needs no quoting: a list is quoted once, where the process is made."""
        return (self.path, *arguments)


def find(
    name: str,
    environ: Mapping[str, str],
    *,
    platform: str = sys.platform,
    usable: Callable[[str], bool] | None = None,
) -> Executable | None:
    """The first program called `name` on PATH, or None. Pure where `platform` and `usable` are given.

    Relative and empty entries of PATH are passed over: they would run a file of the repository we work in.
    """
    usable = usable or _usable
    windows = platform == "win32"
    flavour = ntpath if windows else posixpath
    folders = [
        folder.strip('"') if windows else folder
        for folder in environ.get("PATH", "").split(";" if windows else ":")
    ]
    for folder in folders:
        if not flavour.isabs(folder):
            continue
        for suffix in (*_PROGRAMS, *_SHIMS) if windows else ("",):
            path = flavour.join(folder, name + suffix)
            if usable(path):
                return Executable(path, shim=suffix in _SHIMS)
    return None


def _usable(path: str) -> bool:
    return Path(path).is_file() and os.access(path, os.X_OK)
