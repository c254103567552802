"""Which state may follow which. Pure: the whole protocol is this table."""

from __future__ import annotations

from relay_runtime.errors import Exit, RelayError
from relay_runtime.state.values import State

_DRAWN: dict[State, tuple[State, ...]] = {
    State.INIT: (State.PLANNED,),
    State.PLANNED: (State.TARGET_IMPLEMENTING,),
    State.TARGET_IMPLEMENTING: (State.TARGET_DONE, State.TARGET_FAILED),
    State.TARGET_FAILED: (State.TARGET_IMPLEMENTING, State.HOST_TAKEOVER),
    State.TARGET_DONE: (State.REVIEWING,),
    State.REVIEWING: (State.FIX_ROUND, State.HOST_TAKEOVER, State.FINALIZING),
    State.FIX_ROUND: (State.TARGET_IMPLEMENTING,),
    State.HOST_TAKEOVER: (State.FINALIZING,),
    State.FINALIZING: (State.DONE,),
    State.DONE: (),
    State.ABORTED: (),
}


def followers(state: State) -> tuple[State, ...]:
    """The states that may follow `state`; a relay that is not final can always be aborted."""
    return _DRAWN[state] if state.final else (*_DRAWN[state], State.ABORTED)


def check(current: State, wanted: State) -> None:
    """Refuse (RelayError, exit 3) a transition that is not drawn."""
    if wanted in followers(current):
        return
    allowed = ", ".join(state.value for state in followers(current)) or "nothing"
    raise RelayError(
        "state.transition",
        f"A relay in {current.value} cannot go to {wanted.value}; what may follow is {allowed}.",
        exit=Exit.HALT,
        data={"state": current.value, "wanted": wanted.value},
    )


def round_after(current: State, wanted: State, number: int) -> int:
    """The round once `wanted` is reached: a fix round counts up, a retry of a failed leg keeps its number."""
    return number + 1 if (current, wanted) == (State.FIX_ROUND, State.TARGET_IMPLEMENTING) else number
