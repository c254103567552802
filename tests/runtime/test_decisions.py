"""Decisions that are due before a leg, changes of model or effort, and a session that has to be replaced."""

import pytest

from support.dialects import SESSION, Step
from support.fake_client import PROBES, Rule, rule
from support.following import Follower, started
from support.plans import a_feedback, a_gap
from support.relaying import Relaying, leg_rules, make_relaying
from support.world import World

DIRECTIONS = pytest.mark.parametrize("host", ["claude", "codex"])
LOGGED_OUT: dict[str, Rule] = {
    "codex": rule("login", "status", stderr="Not logged in\n", exit=1),
    "claude": rule("auth", "status", "--json", stdout='{"loggedIn": false}\n', exit=1),
}
GONE = {
    "codex": f"Error: thread/resume: no rollout found for thread id {SESSION}\n",
    "claude": f"No conversation found with session ID: {SESSION}\n",
}


def logged_out(relaying: Relaying) -> None:
    relaying.client.plays(LOGGED_OUT[relaying.target], *PROBES[relaying.target])


def in_fix_round(relaying: Relaying, follower: Follower, answer: dict[str, object]) -> dict[str, object]:
    follower.legs = [relaying.works()]
    follower.reviews = [a_feedback(a_gap())]
    return follower.until("FIX_ROUND", answer=answer)


@DIRECTIONS
def test_a_login_declined_before_the_first_leg_leaves_no_relay_running(world: World, host: str) -> None:
    """REQ A-57, FAIL-03."""
    relaying = make_relaying(world, host)
    window, _ = started(relaying)
    logged_out(relaying)
    paused = window("launch")
    assert (paused["code"], paused["data"]["state"]) == (4, "PLANNED")
    declined = window("decide", "native")
    assert (declined["code"], declined["data"]["state"]) == (5, "ABORTED")
    assert "native" in declined["data"]["next"]["step"]
    assert relaying.legs() == []


@DIRECTIONS
def test_a_login_declined_before_a_fix_round_hands_the_gaps_to_the_host(world: World, host: str) -> None:
    """REQ A-57, REV-13, FSM-01: through drawn transitions only."""
    relaying = make_relaying(world, host)
    window, answer = started(relaying)
    follower = Follower(relaying, window)
    in_fix_round(relaying, follower, answer)
    logged_out(relaying)
    assert window("launch")["code"] == 4
    declined = window("decide", "native")
    assert (declined["code"], declined["data"]["state"]) == (5, "HOST_TAKEOVER")
    there = window.elsewhere()
    there("resume")
    assert "/feedback-r1.md asks for" in there.text
    follower.until("DONE", answer=declined)
    assert len(relaying.legs()) == 1


def test_a_login_done_meanwhile_lets_the_leg_start(world: World) -> None:
    """REQ A-59: readiness is looked at before each attempt."""
    relaying = make_relaying(world, "claude")
    window, _ = started(relaying)
    logged_out(relaying)
    paused = window("launch")
    follower = Follower(relaying, window)
    assert follower.until("DONE", answer=paused)["data"]["round"] == 0


def test_a_named_target_that_vanished_before_the_first_leg_is_waited_for(world: World) -> None:
    """REQ FAIL-01: never reversed, never native without a word."""
    relaying = make_relaying(world, "claude")
    window, _ = started(relaying, "--relay=codex build it")
    relaying.client.path.rename(world.root / "codex-away")
    halted = window("launch")
    assert (halted["code"], halted["data"]["state"]) == (3, "PLANNED")
    assert "codex" in halted["hint"]
    (world.root / "codex-away").rename(relaying.client.path)
    Follower(relaying, window).until("DONE", answer=halted)


def test_an_automatic_target_that_vanished_before_the_first_leg_is_native_work(world: World) -> None:
    """REQ FAIL-02."""
    relaying = make_relaying(world, "claude")
    window, _ = started(relaying)
    relaying.client.path.unlink()
    fallen = window("launch")
    assert (fallen["code"], fallen["data"]["state"]) == (5, "ABORTED")
    assert fallen["message"] == "codex CLI not found — running native Phase 2A"


def test_a_target_that_vanished_before_a_fix_round_can_be_replaced_by_the_host(world: World) -> None:
    """REQ FSM-01, REV-13."""
    relaying = make_relaying(world, "claude")
    window, answer = started(relaying)
    follower = Follower(relaying, window)
    in_fix_round(relaying, follower, answer)
    relaying.client.path.unlink()
    halted = window("launch")
    assert (halted["code"], halted["data"]["state"]) == (3, "FIX_ROUND")
    follower.replies = ["takeover"]
    follower.until("DONE", answer=halted)
    assert "HOST_TAKEOVER" in follower.states


@DIRECTIONS
def test_another_model_and_effort_are_written_down_before_the_target_starts(world: World, host: str) -> None:
    """REQ CXA-06, CLA-10: an escalation is asked for on the call and stays."""
    relaying = make_relaying(world, host)
    window, answer = started(relaying)
    copy = str(world.root / "state-at-start.md")
    state = relaying.folder(answer["data"]["wgid"]) / "state.md"
    look: list[Step] = [["run", f"cp '{state}' '{copy}'"]]
    relaying.plays([*look, *relaying.works()])
    window("launch", "--model", "bigger", "--effort", "max")
    before = "xhigh" if host == "claude" else "high"
    assert f"[RELAY-ESCALATION] effort: {before} → max" in window.text
    relaying.until_ended()
    seen = (world.root / "state-at-start.md").read_text()
    assert "**Model:** bigger\n**Effort:** max\n" in seen
    assert "bigger" in relaying.legs()[0]["argv"]


def test_an_effort_that_the_target_does_not_know_is_refused(world: World) -> None:
    """REQ A-52."""
    relaying = make_relaying(world, "claude")
    window, _ = started(relaying)
    refused = window("launch", "--effort", "enormous")
    assert (refused["code"], refused["data"]["state"]) == (2, "PLANNED")
    assert relaying.legs() == []


@DIRECTIONS
def test_a_lost_session_is_replaced_with_the_whole_prompt_and_what_was_done(world: World, host: str) -> None:
    """REQ FAIL-10, A-47: the fix prompt, the checkpoints, the uncommitted changes; the id is replaced."""
    relaying = make_relaying(world, host)
    window, answer = started(relaying)
    follower = Follower(relaying, window)
    in_fix_round(relaying, follower, answer)
    new = "01a22b88-0000-7000-8000-00000000beef"
    edit: list[Step] = [["write", "src/new.py", "print('half')\n"]]
    fresh = [*relaying.dialect.start(new), *relaying.works(text="print('Hi')\n")[1:]]
    if relaying.target == "claude":
        fresh = [step if step[0] != "say" else ["say", {**step[1], "session_id": new}] for step in fresh]
    old, first = leg_rules(relaying.dialect, fresh, edit)
    lost_id = {**old, "stderr": GONE[relaying.target], "exit": 1}
    relaying.client.plays(lost_id, first, *PROBES[relaying.target])
    window("launch")
    lost = relaying.until_ended()
    assert (lost["code"], lost["data"]["outcome"]) == (1, "session-gone")
    window("launch")
    done = relaying.until_ended()
    assert (done["data"]["outcome"], done["data"]["session_id"]) == ("done", new)
    prompt = relaying.legs()[-1]["stdin"]
    folder = relaying.folder(done["data"]["wgid"])
    assert (folder / "fix-prompt-r1.md").read_text().rstrip() in prompt
    assert "src/new.py (new)" in prompt
    assert relaying.repo("rev-parse", "HEAD") in prompt
