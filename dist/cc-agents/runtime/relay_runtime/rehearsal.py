"""The one way to point a leg at another model: a variable of a rehearsal's own processes.

It holds the address of a model server on this machine. No project file can set it, and whatever is answered
while it is set says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from relay_runtime.answer import Answer
from relay_runtime.errors import UsageError

VARIABLE = "KNOWZCODE_RELAY_REHEARSAL"
TAG = "[RELAY-REHEARSAL]"

_LOOPBACK = re.compile(r"http://127\.0\.0\.1:[1-9][0-9]{0,4}")


def endpoint(environ: Mapping[str, str]) -> str:
    """The address of the rehearsal's model, empty outside of one; any other address is UsageError."""
    url = environ.get(VARIABLE)
    if url is None:
        return ""
    if not _LOOPBACK.fullmatch(url):
        raise UsageError(
            "rehearsal.endpoint",
            f"{VARIABLE} must be http://127.0.0.1:PORT, and it is {url!r}.",
            hint=f"Unset {VARIABLE}: only a rehearsal sets it.",
        )
    return url


def marked(answer: Answer, environ: Mapping[str, str]) -> Answer:
    """`answer` with the rehearsal's tag on every tagged line; unchanged outside of a rehearsal."""
    if VARIABLE not in environ:
        return answer
    lines = tuple(f"{TAG} {line}" if line.startswith("[RELAY-") else line for line in answer.lines)
    return replace(answer, lines=lines, data={**answer.data, "rehearsal": True})
