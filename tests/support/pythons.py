"""Other Python versions on this machine, old ones included."""

import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest


def python(version: str) -> Path:
    """The interpreter of `version` ("3.9"). Missing: the test fails in CI and is skipped elsewhere."""
    for candidate in _candidates(version):
        if _is(candidate, version):
            return candidate
    reason = f"Python {version} is not installed; pyenv or PATH can provide python{version}"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


def _candidates(version: str) -> Iterator[Path]:
    # HOME points nowhere in tests, so the user database says where the real pyenv is.
    roots = [Path(pwd.getpwuid(os.getuid()).pw_dir) / ".pyenv"]
    if "PYENV_ROOT" in os.environ:
        roots.insert(0, Path(os.environ["PYENV_ROOT"]))
    for root in roots:
        yield from sorted(root.glob(f"versions/{version}.*/bin/python"), reverse=True)
    found = shutil.which(f"python{version}")
    if found:
        yield Path(found)


def _is(candidate: Path, version: str) -> bool:
    """A pyenv shim exists for versions that are not chosen and fails then, so each candidate is asked."""
    probe = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        answer = subprocess.run([candidate, "-c", probe], capture_output=True, text=True, timeout=30)
    except OSError:
        return False
    return answer.stdout.strip() == version
