"""The runtime keeps its bytecode in a private folder below the temporary one; ours goes at uninstall."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from knowzcode_relay.install import content


def remove(runtime: Path, environ: Mapping[str, str]) -> None:
    """Remove the bytecode of the runtime in this folder, and the folders above it that it leaves empty."""
    top = _folder(environ)
    if top is None:
        return
    mirror = top.joinpath(*runtime.parts[1:])
    if mirror.resolve() == top.resolve().joinpath(*runtime.parts[1:]):  # no link on the way
        shutil.rmtree(mirror, ignore_errors=True)
        above = [each for each in mirror.parents if each.is_relative_to(top)]
        content.remove_empty(tuple(str(each) for each in above))


def remove_all(environ: Mapping[str, str]) -> None:
    """Remove the whole folder, with the standard library's part in it: nothing installed needs it."""
    if top := _folder(environ):
        shutil.rmtree(top, ignore_errors=True)


def _folder(environ: Mapping[str, str]) -> Path | None:
    """The runtime's folder (see relay.py) where it is really ours, else None."""
    if os.name != "posix":
        return None
    top = Path(environ.get("TMPDIR") or "/tmp") / f"knowzcode-relay-{os.getuid()}"  # noqa: S108  relay.py's place
    try:
        ours = not top.is_symlink() and top.is_absolute() and top.lstat().st_uid == os.getuid()
    except OSError:
        return None
    return top if ours else None
