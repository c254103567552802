"""Look at the disk: the fingerprint of what lies at each path below a base, without following any link."""

import stat
from collections.abc import Iterable
from pathlib import Path

from knowzcode_relay.errors import Exit, RelayError
from knowzcode_relay.fs import digest
from knowzcode_relay.install.plan import Kind, Print


def scan(base: Path, paths: Iterable[str]) -> dict[str, Print]:
    """The fingerprints of those `paths` that exist below `base`."""
    ways: dict[Path, bool] = {}
    found: dict[str, Print] = {}
    for path in paths:
        at = base / path
        if _blocked(base, at.parent, ways):
            found[path] = Print("", 0, Kind.BLOCKED)
        elif (look := fingerprint(at)) is not None:
            found[path] = look
    return found


def fingerprint(path: Path) -> Print | None:
    """What lies at `path`, None for nothing; a file that cannot be read is RelayError (exit 3)."""
    try:
        status = path.lstat()
        if stat.S_ISLNK(status.st_mode):
            return Print(digest(str(path.readlink()).encode("utf-8", "surrogateescape")), 0, Kind.LINK)
        if not stat.S_ISREG(status.st_mode):
            return Print("", 0, Kind.OTHER)
        return Print(digest(path.read_bytes()), stat.S_IMODE(status.st_mode))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise RelayError(
            "file.unreadable", f"{path} cannot be read: {error.strerror or error}.", exit=Exit.HALT
        ) from error


def looks(folder: Path) -> dict[str, Print]:
    """The fingerprints of every file and link below `folder`."""
    found: dict[str, Print] = {}
    for each in folder.rglob("*"):
        if (each.is_symlink() or not each.is_dir()) and (look := fingerprint(each)):
            found[each.relative_to(folder).as_posix()] = look
    return found


def _blocked(base: Path, folder: Path, ways: dict[Path, bool]) -> bool:
    """Whether a folder between `base` and a file of ours is a link or no folder."""
    if folder == base:
        return False
    if folder not in ways:
        ways[folder] = _blocked(base, folder.parent, ways) or _no_plain_folder(folder)
    return ways[folder]


def _no_plain_folder(folder: Path) -> bool:
    try:
        return not stat.S_ISDIR(folder.lstat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False
