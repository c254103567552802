"""Inside of a relay's target nothing is relayed: it sees the skills of its host, and the host's own relay."""

from __future__ import annotations

from collections.abc import Mapping

from relay_runtime.attempts.environment import DEPTH, depth
from relay_runtime.errors import Exit, RelayError

# What starts an agent or moves a relay on. Looking stays possible.
_REFUSED = frozenset(
    {
        "start",
        "launch",
        "poll",
        "decide",
        "checkpoint",
        "review",
        "finish",
        "abort",
        "resume",
        "progress",
        "complete",
        "session",
        "result",
        "job",
    }
)


def refuse_nested(verb: str, environ: Mapping[str, str]) -> None:
    """RelayError (exit 3) for a verb that a target may not call."""
    if verb in _REFUSED and depth(environ) > 0:
        raise RelayError(
            "relay.nested",
            f"{DEPTH} is set: this is the target of a relay, which neither relays in its turn nor moves that "
            "relay on.",
            exit=Exit.HALT,
            hint="Do the work of the brief here, and report.",
        )
