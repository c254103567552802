"""The packet that the runtime prints is the one that the runner's text speaks of."""

import re

from support.checkout import ROOT
from support.relaying import make_relaying
from support.world import World


def test_the_runner_knows_every_key_and_no_other(world: World) -> None:
    """REQ HST-04: with an exec transport there are no TOOL_ARGS; WORD is filled in."""
    relaying = make_relaying(world, "claude")
    assert relaying.start()["ok"]
    packet = relaying.json("packet")["data"]["packet"]
    body = (ROOT / "skill_templates/agents/relay-runner.md").read_text(encoding="utf-8")
    assert set(re.findall(r"`([A-Z_]+)`", body)) - {"TOOL_ARGS", "WORD"} == set(packet)
    assert packet["POLL_COMMAND"][:4] == ["kc-relay", "poll", "--wait", "110"]
