"""A job whose worker is gone: what it left running, and the thread that can go on."""

from __future__ import annotations

from relay_runtime.adapters import TARGETS
from relay_runtime.attempts.attempt import read_record
from relay_runtime.attempts.events import LogReader
from relay_runtime.attempts.facts import Facts
from relay_runtime.attempts.process import Identity, end_strays, stop_tree
from relay_runtime.clock import Clock
from relay_runtime.errors import RelayError
from relay_runtime.jobs.backends import BACKENDS
from relay_runtime.jobs.folder import JobFolder
from relay_runtime.jobs.record import Record, read


def clear_away(folder: JobFolder, record: Record, clock: Clock) -> tuple[Identity, ...]:
    """End whatever the job's last attempt still runs; the survivors."""
    try:
        attempt = read_record(folder.attempt.record)
    except RelayError:  # a record that broke off with the machine names nobody; the attempt's mark does
        attempt = None
    if attempt is not None and attempt.target is not None:
        return stop_tree(attempt.target, record.attempt, clock)
    return end_strays(record.attempt, clock)


def saved_session(folder: JobFolder) -> str:
    """The thread of the last attempt, from its own log; empty when it never got one."""
    target = TARGETS[BACKENDS[read(folder).backend].target]
    facts = Facts()
    for event in LogReader(folder.attempt.log, brief=target.BRIEF).rest():
        facts = target.read(facts, event)
        if facts.session_id:
            break
    return facts.session_id
