"""A whole relay with one fix round, in both directions, by nothing but what each answer says is next."""

import json

import pytest

from support.plans import a_feedback, a_gap, a_plan
from support.relaying import make_relaying
from support.world import World

REVIEWS = [a_feedback(a_gap()), a_feedback()]


@pytest.mark.parametrize("host", ["claude", "codex"])
def test_following_next_alone_leads_from_resolve_to_done(world: World, host: str) -> None:
    """REQ RES-26, FSM-03, FSM-05, REV-03, REV-04, REV-08, REV-11, STA-07; field report 59."""
    relaying = make_relaying(world, host)
    relaying.plays(relaying.works(), relaying.works(text="print('Hello, Ada Lovelace')\n"))
    inputs = {"plan": [a_plan()], "feedback": list(REVIEWS)}
    answer = relaying.json("resolve", "--entry", "work", stdin="--relay=other Greet the user by name.")
    states: list[str] = []
    while answer["data"].get("state") != "DONE":
        assert answer["ok"], answer
        wanted = answer["data"]["next"]["input_schema"]
        answer = relaying.follow(answer, json.dumps(inputs[wanted].pop(0)) if wanted else "")
        states.append(answer["data"]["state"])
        assert len(states) < 60
    assert list(dict.fromkeys(states)) == [
        "PLANNED",
        "TARGET_IMPLEMENTING",
        "TARGET_DONE",
        "REVIEWING",
        "FIX_ROUND",
        "FINALIZING",
        "DONE",
    ]
    wgid, target = answer["data"]["wgid"], relaying.target
    assert relaying.repo("log", "--format=%s", "main..").splitlines() == [
        f"KnowzCode relay: {target.capitalize()} round 1 for {wgid}",
        f"KnowzCode relay: {target.capitalize()} round 0 for {wgid}",
    ]
    assert relaying.repo("status", "--porcelain") == ""
