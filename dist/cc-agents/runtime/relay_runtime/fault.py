"""A bug of ours: one line for the user, the details in a file that is ready to paste into an issue."""

from __future__ import annotations

import platform
import sys
import tempfile
import traceback
from pathlib import Path

from relay_runtime.answer import Answer
from relay_runtime.errors import Exit


def record(argv: list[str]) -> Answer:
    """The answer for the exception being handled (exit 70). Works even where no log can be written."""
    kind = sys.exc_info()[0]
    name = kind.__name__ if kind else "fault"
    details = (
        f"python {platform.python_version()} on {sys.platform}\nverb {argv[:1]}\n\n{traceback.format_exc()}"
    )
    try:
        descriptor, path = tempfile.mkstemp(prefix="knowzcode-relay-fault-", suffix=".log")
        with open(descriptor, "w", encoding="utf-8", errors="backslashreplace") as handle:
            handle.write(details)
        where = f"Details: {path}"
    except OSError:
        where = f"Details could not be kept; the exception was {name} at line {_line()}."
    return Answer(
        message=f"This is a fault of knowzcode-relay ({name}).",
        exit=Exit.FAULT,
        lines=(f"[RELAY-FAULT] This is a fault of knowzcode-relay ({name}).",),
        hint=where,
        data={"problem": "fault"},
    )


def _line() -> str:
    frames = traceback.extract_tb(sys.exc_info()[2])
    return f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "an unknown place"
