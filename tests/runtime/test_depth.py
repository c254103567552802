"""A relay inside of a relay: refused, whatever the target's skills tell it."""

import pytest

from relay_runtime.depth import refuse_nested
from relay_runtime.errors import Exit, RelayError

INSIDE = {"KNOWZCODE_RELAY_DEPTH": "1"}


@pytest.mark.parametrize("verb", ["start", "launch", "decide", "checkpoint", "finish", "abort", "job"])
@pytest.mark.parametrize("mark", ["1", "2", "yes"])
def test_a_target_neither_relays_nor_moves_its_hosts_relay_on(verb: str, mark: str) -> None:
    with pytest.raises(RelayError, match="KNOWZCODE_RELAY_DEPTH is set") as caught:
        refuse_nested(verb, {"KNOWZCODE_RELAY_DEPTH": mark})
    assert (caught.value.problem, caught.value.exit) == ("relay.nested", Exit.HALT)


@pytest.mark.parametrize("verb", ["status", "detect", "config", "resolve", "packet", "approve", "supervise"])
def test_a_target_may_look(verb: str) -> None:
    refuse_nested(verb, INSIDE)


@pytest.mark.parametrize("environ", [{}, {"KNOWZCODE_RELAY_DEPTH": ""}, {"KNOWZCODE_RELAY_DEPTH": "0"}])
def test_outside_nothing_is_refused(environ: dict[str, str]) -> None:
    refuse_nested("start", environ)
