"""The target's own small files in a relay's folder."""

from __future__ import annotations

from relay_runtime.adapters import LEGS
from relay_runtime.errors import Exit, RelayError
from relay_runtime.fsio import write_atomic
from relay_runtime.state.files import RelayFiles


def write_target_files(files: RelayFiles, target: str) -> None:
    """Write the target's own small files and read them back: a faulty one is ignored without a word."""
    for name, data in LEGS[target].files().items():
        path = files.folder / name
        write_atomic(path, data)
        if path.read_bytes() != data:
            raise RelayError("start.settings", f"{path} does not hold what was written.", exit=Exit.HALT)
