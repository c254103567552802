"""The tokens that a leg reports as its own."""

import json

import pytest

from support.plans import a_feedback, a_gap
from support.relaying import Relaying, make_relaying
from support.world import World

OWN = {"codex": {"input": 150, "output": 20}, "claude": {"input": 400, "output": 60}}


def counts(relaying: Relaying, *, input_tokens: int, output_tokens: int, text: str) -> list[list[object]]:
    """A leg that writes `text` and ends with these counts."""
    *steps, last = relaying.works(text=text)
    usage = {"input_tokens": input_tokens, "output_tokens": output_tokens}
    return [*steps, ["say", {**last[1], "usage": usage}]]


@pytest.mark.parametrize("host", ["claude", "codex"])
def test_a_resumed_leg_reports_its_own_share(world: World, host: str) -> None:
    """Field report 39: Codex counts over the thread, Claude each run; nobody adds totals up."""
    relaying = make_relaying(world, host)
    relaying.plays(
        counts(relaying, input_tokens=250, output_tokens=40, text="print('Hello, Ada')\n"),
        counts(relaying, input_tokens=400, output_tokens=60, text="print('Hello, Ada Lovelace')\n"),
    )
    assert relaying.start()["ok"]
    assert relaying.leg()["data"]["usage"] == {"input": 250, "output": 40}
    assert relaying.json("checkpoint")["ok"]
    assert relaying.json("review", stdin=json.dumps(a_feedback(a_gap())))["ok"]
    assert relaying.leg()["data"]["usage"] == OWN[relaying.target]
