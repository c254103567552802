"""Start the relay runtime that is bundled beside this file.

This file alone must parse on any Python, so that an old one gets a sentence instead of a traceback.
"""

import gc
import os
import sys

# What every verb needs of the standard library. Imported before the bytecode folder is chosen, since these
# have bytecode of their own, and compiling it again for that folder made a first start five times as long.
# `subprocess` and `datetime` are left to the verbs that use them: the others start faster.
_STANDARD_MODULES = ("argparse", "dataclasses", "json", "pathlib", "re", "shlex", "typing")


def _bytecode_folder():
    """A private folder for bytecode outside the installed package and outside the home, or None."""
    base = os.environ.get("TMPDIR") or ("/tmp" if os.name == "posix" else os.environ.get("TEMP"))
    if not base or not os.path.isabs(base):
        return None
    owner = os.getuid() if hasattr(os, "getuid") else 0
    folder = os.path.join(base, "knowzcode-relay-%d" % owner)
    try:
        if not os.path.isdir(folder):
            os.mkdir(folder, 0o700)
        found = os.lstat(folder)
    except OSError:
        return None
    # Someone else's folder, a link, or one that others may write to could feed us foreign bytecode.
    if os.path.islink(folder) or found.st_uid != owner or (os.name == "posix" and found.st_mode & 0o022):
        return None
    return folder


def start():
    if sys.version_info < (3, 9):
        sys.stderr.write(
            "knowzcode-relay needs Python 3.9 or newer; %s is %d.%d. Install one and call it as python3.\n"
            % (sys.executable, sys.version_info[0], sys.version_info[1])
        )
        return 3
    for name in _STANDARD_MODULES:
        __import__(name)
    bytecode = _bytecode_folder()
    sys.dont_write_bytecode = bytecode is None
    sys.pycache_prefix = bytecode
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # python3 -I leaves it out
    gc.disable()  # nothing that loading makes is garbage; main() turns it on again before it runs a verb
    from relay_runtime.cli import main

    return main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(start())
