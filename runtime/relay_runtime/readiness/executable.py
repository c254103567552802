"""Where a client's program is: one answer, used by every probe and by the launch."""

from __future__ import annotations

import ntpath
import os
import posixpath
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Callable

# npm installs a .cmd on Windows. A program beside it is better: no interpreter reads its arguments again.
_WINDOWS_SUFFIXES = (".exe", ".com", ".cmd", ".bat")


def find(
    name: str,
    environ: Mapping[str, str],
    *,
    platform: str = sys.platform,
    usable: Callable[[str], bool] | None = None,
) -> str | None:
    """The absolute path of the first program called `name` on PATH, or None.

    Pure where `platform` and `usable` are given. It is one word of a command list, so that nobody quotes it.
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
        for suffix in _WINDOWS_SUFFIXES if windows else ("",):
            path = flavour.join(folder, name + suffix)
            if usable(path):
                return path
    return None


def _usable(path: str) -> bool:
    return Path(path).is_file() and os.access(path, os.X_OK)
