"""`review` computes the verdict; `finish` and `abort` end a relay."""

import json
import os
from typing import Any

import pytest

from relay_runtime.attempts.process import identify
from relay_runtime.inputs.feedback import parse
from relay_runtime.relay.review import Verdict, verdict
from support.plans import a_feedback, a_gap
from support.relaying import Relaying, make_relaying
from support.relays import a_relay
from support.waiting import wait_for
from support.world import World


@pytest.fixture
def relaying(world: World) -> Relaying:
    return make_relaying(world, "claude")


def reviewing(relaying: Relaying, *more: str) -> str:
    """A relay that waits for the review of round 0."""
    assert relaying.start(token=relaying.token(f"--relay=other {' '.join(more)} build it"))["ok"]
    relaying.plays(relaying.works(), relaying.works(text="again\n"))
    relaying.leg()
    return relaying.json("checkpoint")["data"]["wgid"]


def review(relaying: Relaying, *gaps: dict[str, Any]) -> dict[str, Any]:
    return relaying.json("review", stdin=json.dumps(a_feedback(*gaps)))


def fix_round(relaying: Relaying, text: str) -> None:
    """The launched fix round of the target, up to its review."""
    relaying.plays(relaying.works(), relaying.works(text=text))
    relaying.leg()
    assert relaying.json("checkpoint")["ok"]


def test_a_clean_review_goes_to_the_end(relaying: Relaying) -> None:
    """REQ REV-11, FSM-06 (A-31): and what is final stays."""
    wgid = reviewing(relaying)
    answer = review(relaying)
    assert (answer["data"]["verdict"], answer["data"]["state"]) == ("ACCEPT", "FINALIZING")
    assert relaying.json("finish")["data"]["state"] == "DONE"
    assert relaying.json("abort", "--wgid", wgid)["data"]["problem"] == "state.transition"


def test_gaps_make_a_fix_round_with_its_prompts(relaying: Relaying) -> None:
    """REQ REV-08, PRM-06, PRM-07, PRM-08, FSM-03 (A-11)."""
    wgid = reviewing(relaying)
    answer = review(relaying, a_gap())
    assert (answer["data"]["verdict"], answer["data"]["state"]) == ("FIX_ROUND", "FIX_ROUND")
    assert answer["data"]["round"] == 0
    folder = relaying.folder(wgid)
    feedback = (folder / "feedback-r1.md").read_text()
    assert (folder / "fix-prompt-r1.md").read_text().endswith(feedback)
    assert "src/greet.py" in (folder / "fix-prompt-r1.md").read_text()
    launched = relaying.json("launch")["data"]
    assert launched["round"] == 1
    assert relaying.relay(wgid).log_path.endswith("codex-log-r1.jsonl")
    relaying.until_ended()
    assert relaying.legs()[-1]["stdin"] == (folder / "delta-prompt-r1.md").read_text()


def test_the_cap_gives_the_rest_to_the_host(relaying: Relaying) -> None:
    """REQ REV-09, REV-13, FSM-08, STA-07, STA-12."""
    wgid = reviewing(relaying, "--relay-max-fix-rounds=1")
    review(relaying, a_gap())
    fix_round(relaying, "better\n")
    answer = relaying.run("review", stdin=json.dumps(a_feedback(a_gap(node="Cli", file="src/cli.py"))))
    assert answer.code == 0
    assert "[RELAY-VERDICT] TAKEOVER" in answer.out
    assert "[RELAY-TAKEOVER] 1. Cli src/cli.py:3: Repair gap 1." in answer.out
    assert relaying.relay(wgid).state.value == "HOST_TAKEOVER"
    assert not (relaying.folder(wgid) / "fix-prompt-r2.md").exists()
    assert [relaying.json("finish")["data"]["state"] for _ in range(2)] == ["FINALIZING", "DONE"]
    rows = relaying.relay(wgid).rounds
    assert [(row.round, row.leg) for row in rows] == [
        (0, "target-implement"),
        (1, "host-review"),
        (1, "target-fix"),
        (2, "host-review"),
    ]


@pytest.mark.parametrize(
    ("round", "cap", "before", "gaps", "expected"),
    [
        (0, 2, None, [], Verdict.ACCEPT),
        (0, 1, None, [a_gap()], Verdict.FIX_ROUND),
        (1, 1, [a_gap(node="Cli")], [a_gap()], Verdict.TAKEOVER),
        (1, 3, [a_gap()], [a_gap(line=99)], Verdict.TAKEOVER),
        (1, 3, [a_gap()], [a_gap(criterion="Greets  by NAME")], Verdict.TAKEOVER),
        (1, 2, [a_gap()], [a_gap(criterion="asks politely")], Verdict.FIX_ROUND),
        (2, 3, [], [a_gap()], Verdict.FIX_ROUND),
        (3, 3, [], [], Verdict.ACCEPT),
    ],
)
def test_the_verdict_follows_from_round_cap_and_the_last_review(
    round: int, cap: int, before: list[Any] | None, gaps: list[Any], expected: Verdict
) -> None:
    """REQ REV-08, REV-09, REV-10, REV-11, CFG-05 (A-14, A-15)."""
    earlier = [parse(json.dumps(a_feedback(*before)))] if before is not None else []
    findings = tuple(tuple(gap.identity for gap in one.gaps) for one in earlier)
    relay = a_relay(round=round, max_fix_rounds=cap)
    now = parse(json.dumps(a_feedback(*gaps)))
    assert verdict(relay, findings, now)[0] is expected


def test_what_is_refused_changes_nothing(relaying: Relaying) -> None:
    """REQ FSM-09, PRM-06: a review with mistakes, and each verb out of its turn."""
    wgid = reviewing(relaying)
    before = (relaying.folder(wgid) / "state.md").read_bytes()
    for text in ("", "{", json.dumps(a_feedback(a_gap(), actions=[]))):
        assert relaying.json("review", stdin=text)["code"] == 2
    for verb in ("finish", "checkpoint", "launch"):
        answer = relaying.json(verb)
        assert (answer["code"], answer["data"]["problem"]) == (3, "state.transition")
        assert answer["hint"] == f"next: kc-relay review --wgid {wgid}"
    assert (relaying.folder(wgid) / "state.md").read_bytes() == before


def test_abort_ends_the_whole_tree_and_keeps_everything(relaying: Relaying, world: World) -> None:
    """REQ FSM-07, FAIL-13, ART-08; field reports 43 and 50."""
    wgid = relaying.start()["data"]["wgid"]
    pid_file, gate = world.root / "grandchild", world.root / "gate"
    first = [*relaying.dialect.start(), ["write", "src/greet.py", "half\n"], ["await", str(gate)]]
    relaying.plays(first)
    rules = json.loads(relaying.client.path.with_name("codex.json").read_text())["rules"]
    rules[0].update(grandchild=str(pid_file), session=True)
    relaying.client.plays(*rules)
    pid = relaying.json("launch")["data"]["pid"]
    wait_for(lambda: pid_file.exists() and pid_file.read_text())
    answer = relaying.json("abort")
    assert (answer["code"], answer["data"]["state"]) == (0, "ABORTED")
    assert identify(pid) is None
    assert identify(int(pid_file.read_text())) is None
    assert (relaying.folder(wgid) / "codex-log-r0.jsonl").exists()
    assert (relaying.repo.root / "src/greet.py").read_text() == "half\n"
    assert relaying.relay(wgid).rounds[-1].result == "cancelled"


@pytest.mark.parametrize("state", ["PLANNED", "TARGET_DONE", "FIX_ROUND"])
def test_abort_works_in_every_unfinished_state(relaying: Relaying, state: str) -> None:
    """REQ FAIL-13, FSM-06."""
    relaying.start()
    steps = {
        "PLANNED": [],
        "TARGET_DONE": ["leg"],
        "FIX_ROUND": ["leg", "checkpoint", "gap"],
    }[state]
    acts = {
        "leg": relaying.leg,
        "checkpoint": lambda: relaying.json("checkpoint"),
        "gap": lambda: review(relaying, a_gap()),
    }
    reached = [acts[step]()["data"]["state"] for step in steps]
    assert (reached or ["PLANNED"])[-1] == state
    assert relaying.json("abort")["data"]["state"] == "ABORTED"


def test_a_leg_is_cancelled_although_its_supervisor_is_gone(relaying: Relaying, world: World) -> None:
    """REQ FSM-07."""
    wgid = relaying.start()["data"]["wgid"]
    relaying.plays([*relaying.dialect.start(), ["await", str(world.root / "never")]])
    pid = relaying.json("launch")["data"]["pid"]
    attempt = json.loads((relaying.folder(wgid) / "attempt-r0.json").read_text())
    os.kill(attempt["supervisor"]["pid"], 9)
    wait_for(lambda: identify(attempt["supervisor"]["pid"]) is None)
    assert relaying.json("abort")["data"]["state"] == "ABORTED"
    assert identify(pid) is None
