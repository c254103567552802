"""Whether the target may be started: before each attempt it is looked at again, and what follows if not."""

from __future__ import annotations

from dataclasses import replace

from relay_runtime.answer import Answer
from relay_runtime.clock import Clock
from relay_runtime.context import Context
from relay_runtime.errors import Exit
from relay_runtime.readiness.detect import Readiness
from relay_runtime.readiness.fallback import Course, decide
from relay_runtime.relay.native import go_native
from relay_runtime.relay.preflight import widened
from relay_runtime.relay.report import report
from relay_runtime.relay.transition import keep
from relay_runtime.state.record import Pending
from relay_runtime.state.store import Stored
from relay_runtime.state.values import State


def stop(stored: Stored, readiness: Readiness, context: Context) -> Answer | None:
    """Pause, halt or visible fallback when the target is not ready any more; None to go on."""
    relay = stored.relay
    decision = decide(readiness, relay.source, autonomous=stored.record.autonomous)
    if decision.course is Course.GO:
        if not readiness.blockers:
            return widened(relay.target, readiness.version, stored.record.accepted_settings, context)
        problem, exit = "launch.blocked", Exit.HALT
    elif decision.course is Course.FALLBACK and relay.state is State.PLANNED:
        return go_native(stored, decision.line, context)
    else:
        login = decision.course is Course.PAUSE
        stored = _pause(stored, readiness, login=login, clock=context.clock)
        exit = Exit.PAUSE if login else Exit.HALT
        problem = f"launch.{'auth' if login else readiness.status.value}"
    return report(
        stored,
        context,
        readiness.lines(),
        exit=exit,
        hint=readiness.remediation,
        data={"problem": problem},
    )


def _pause(stored: Stored, readiness: Readiness, *, login: bool, clock: Clock) -> Stored:
    """Keep what is asked now. A target that was never at work can be waited for, or the relay aborted."""
    otherwise = ("native",) if login else ("takeover",) if stored.relay.state is not State.PLANNED else ()
    about = "auth" if login else readiness.status.value
    pending = Pending(
        about, ("retry", *otherwise), f"{readiness.remediation} Done, so that the leg can go on?"
    )
    return keep(stored, clock, record=replace(stored.record, pending=pending), result_subtype=about)
