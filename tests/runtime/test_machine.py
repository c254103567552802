"""The state machine's table against the drawn one."""

import pytest

from relay_runtime.errors import Exit, RelayError
from relay_runtime.relay.machine import check, followers, round_after
from relay_runtime.state.values import State

DRAWN = """
INIT -> PLANNED
PLANNED -> TARGET_IMPLEMENTING
TARGET_IMPLEMENTING -> TARGET_DONE
TARGET_IMPLEMENTING -> TARGET_FAILED
TARGET_FAILED -> TARGET_IMPLEMENTING
TARGET_FAILED -> HOST_TAKEOVER
TARGET_DONE -> REVIEWING
REVIEWING -> FIX_ROUND
FIX_ROUND -> TARGET_IMPLEMENTING
REVIEWING -> HOST_TAKEOVER
REVIEWING -> FINALIZING
HOST_TAKEOVER -> FINALIZING
FINALIZING -> DONE
"""
ALLOWED = {tuple(line.split(" -> ")) for line in DRAWN.strip().splitlines()} | {
    (state.value, "ABORTED") for state in State if state not in (State.DONE, State.ABORTED)
}


@pytest.mark.parametrize("wanted", State)
@pytest.mark.parametrize("current", State)
def test_exactly_the_drawn_transitions_are_allowed(current: State, wanted: State) -> None:
    """REQ FSM-01, FSM-06, FSM-08: 11 x 11."""
    if (current.value, wanted.value) in ALLOWED:
        check(current, wanted)
        assert wanted in followers(current)
    else:
        with pytest.raises(RelayError) as refused:
            check(current, wanted)
        assert refused.value.exit == Exit.HALT
        assert current.value in refused.value.message
        assert wanted.value in refused.value.message


def test_a_fix_round_counts_up_and_a_retry_keeps_the_round() -> None:
    """REQ FSM-03."""
    assert round_after(State.FIX_ROUND, State.TARGET_IMPLEMENTING, 1) == 2
    assert round_after(State.TARGET_FAILED, State.TARGET_IMPLEMENTING, 1) == 1
    assert round_after(State.REVIEWING, State.FIX_ROUND, 1) == 1
