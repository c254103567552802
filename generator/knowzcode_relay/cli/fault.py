"""A bug of ours: one line for the user, the details in a file that is ready to paste into an issue."""

import platform
import sys
import tempfile
import traceback
from collections.abc import Sequence

from knowzcode_relay import __version__
from knowzcode_relay.errors import Exit
from knowzcode_relay.result import Result


def record(words: Sequence[str]) -> Result:
    """The result for the exception being handled (exit 70). Works even where no log can be written."""
    kind = sys.exc_info()[0]
    name = kind.__name__ if kind else "fault"
    details = (
        f"knowzcode-relay {__version__}, python {platform.python_version()} on {sys.platform}\n"
        f"command {list(words[:1])}\n\n{traceback.format_exc()}"
    )
    try:
        with tempfile.NamedTemporaryFile(
            "w",
            prefix="knowzcode-relay-fault-",
            suffix=".log",
            delete=False,
            encoding="utf-8",
            errors="backslashreplace",
        ) as handle:
            handle.write(details)
        hint = f"Details: {handle.name}"
    except OSError:
        hint = f"Details could not be kept; the exception was {name}."
    message = f"This is a fault of knowzcode-relay ({name})."
    return Result(
        message, exit=Exit.FAULT, lines=(f"error: {message}",), hint=hint, data={"problem": "fault"}
    )
