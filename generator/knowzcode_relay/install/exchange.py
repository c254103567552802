"""Swap two folders in one step, so that a client that starts in between sees one of them whole."""

import os
import sys
from pathlib import Path

_EXCHANGE = 2  # RENAME_EXCHANGE of Linux and RENAME_SWAP of macOS have the same number
_HERE = -100  # AT_FDCWD


def exchange(one: Path, other: Path) -> bool:
    """Swap two folders of one file system; False, with nothing done, where the system cannot."""
    import ctypes  # slow to load, and only an upgrade gets here

    names = (os.fsencode(one), os.fsencode(other))
    try:
        library = ctypes.CDLL(None)
        if sys.platform == "linux":
            return library.renameat2(_HERE, names[0], _HERE, names[1], _EXCHANGE) == 0
        if sys.platform == "darwin":
            return library.renamex_np(names[0], names[1], _EXCHANGE) == 0
    except (OSError, AttributeError, TypeError):
        return False  # an old C library, or none
    return False
