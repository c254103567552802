"""Where an attempt of a relay keeps its files, and which prompt a leg reads."""

from __future__ import annotations

from relay_runtime.attempts.attempt import Files
from relay_runtime.state.files import RelayFiles


def attempt_files(files: RelayFiles, target: str, number: int) -> Files:
    """The files of the present attempt of round `number`."""
    return Files(
        log=files.log(target, number),
        err=files.error(target, number),
        last=files.last_message(target, number),
        exit=files.exit_marker(number),
        base=files.folder / f"attempt-r{number}",
    )
