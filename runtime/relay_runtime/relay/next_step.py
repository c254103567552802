"""What follows in each state: the one command, or the one question. Pure; every verb's last line."""

from __future__ import annotations

from relay_runtime.answer import Next
from relay_runtime.context import Context
from relay_runtime.errors import RelayError
from relay_runtime.relay import machine
from relay_runtime.state.store import Stored
from relay_runtime.state.values import State

POLL_SECONDS = {"claude": 110, "codex": 25}
"""How long one poll waits: below the time that the host gives a command by default."""

TAKEN_OVER = "Are the remaining gaps closed natively, and do the tests pass?"
"""Asked before the command, so that following `next:` alone never ends a relay whose work is not done."""


def next_step(stored: Stored, context: Context) -> Next:
    """The next step of a relay whose pending decision, if any, comes first."""
    pending = stored.record.pending
    if pending is not None and stored.relay.state is not State.TARGET_IMPLEMENTING:
        words = " or ".join(pending.offers)
        call = " ".join(verb(context, stored, "decide", "WORD"))
        return Next(
            argv=verb(context, stored, "decide", pending.offers[0]),
            question=f"{pending.question} For another answer: {call} with {words}.",
        )
    if stored.relay.state.final:
        return Next(step="nothing; this relay has ended")
    return _by_state(stored, context)


def check_turn(stored: Stored, wanted: State, context: Context) -> None:
    """Refuse (3) a verb that leads to `wanted` out of its turn, with the command whose turn it is."""
    state = stored.relay.state
    if wanted in machine.followers(state):
        return
    try:
        machine.check(state, wanted)
    except RelayError as error:
        turn = next_step(stored, context).as_text()
        raise RelayError(error.problem, error.message, exit=error.exit, hint=turn, data=error.data) from error


def verb(context: Context, stored: Stored, *words: str) -> tuple[str, ...]:
    """A call of this runtime about this relay."""
    return context.call(*words, "--wgid", stored.relay.wgid)


def _by_state(stored: Stored, context: Context) -> Next:
    state = stored.relay.state
    if state in (State.PLANNED, State.FIX_ROUND, State.TARGET_FAILED):
        return Next(argv=verb(context, stored, "launch"))
    if state is State.TARGET_IMPLEMENTING:
        return Next(argv=verb(context, stored, "poll", "--wait", str(POLL_SECONDS[stored.relay.host])))
    if state is State.TARGET_DONE and stored.relay.checkpoint(stored.relay.to_review) is None:
        return Next(argv=verb(context, stored, "checkpoint"))
    if state in (State.TARGET_DONE, State.REVIEWING):
        return Next(argv=verb(context, stored, "review"), input_schema="feedback")
    if state is State.HOST_TAKEOVER:
        return Next(argv=verb(context, stored, "finish"), question=TAKEN_OVER)
    if state is State.FINALIZING:
        return Next(argv=verb(context, stored, "finish"))
    return Next(
        argv=verb(context, stored, "abort"),
        question=f"The start of {stored.relay.wgid} was cut off. Abort it, to start anew?",
    )
