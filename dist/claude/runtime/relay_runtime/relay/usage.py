"""How many tokens one leg used, also where the target counts over its whole session."""

from __future__ import annotations

from relay_runtime.adapters import LEGS
from relay_runtime.attempts.attempt import Files, read_record
from relay_runtime.attempts.facts import Usage
from relay_runtime.relay.leg_files import attempt_files
from relay_runtime.state.record import Attempt
from relay_runtime.state.store import Stored


def usage_of_last_leg(stored: Stored) -> Usage | None:
    """The last attempt's own share; None when its supervisor wrote nothing."""
    attempt = stored.record.attempts[-1]
    record = read_record(_files(stored, attempt.round).record)
    if record is None:
        return None
    used = record.facts.usage
    if not attempt.session or not LEGS[stored.relay.target].USAGE_OF_SESSION:
        return used
    before = _earlier(stored, attempt)
    return Usage(max(0, used.input - before.input), max(0, used.output - before.output))


def _earlier(stored: Stored, attempt: Attempt) -> Usage:
    """What the session had used when the attempt began: the total of the attempt before it."""
    if attempt.number > 1:
        files = _files(stored, attempt.round)
        record = read_record(files.aside(files.record, attempt.number - 1))
    else:
        record = read_record(_files(stored, attempt.round - 1).record)
    return record.facts.usage if record is not None else Usage()


def _files(stored: Stored, number: int) -> Files:
    return attempt_files(stored.files, stored.relay.target, number)
