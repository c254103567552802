"""`launch`, `poll` and `decide`: state before the process, evidence after it, two attempts for each round."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from support.dialects import SESSION, Step
from support.fake_client import PROBES, rule
from support.relaying import Relaying, leg_rules, make_relaying
from support.waiting import wait_for
from support.world import World, build_tree


@pytest.fixture(params=["claude", "codex"])
def relaying(request: pytest.FixtureRequest, world: World) -> Relaying:
    """A started relay, in each direction."""
    made = make_relaying(world, request.param)
    assert made.start()["ok"]
    return made


@pytest.fixture
def one(world: World) -> Relaying:
    """A started relay of a Claude host, where the direction makes no difference."""
    made = make_relaying(world, "claude")
    assert made.start()["ok"]
    return made


def wgid(relaying: Relaying) -> str:
    return relaying.json("session")["data"]["wgid"]


def waiting_leg(relaying: Relaying) -> tuple[Path, list[Step]]:
    """A gate file and the steps of a leg that tells its session, then waits for the gate."""
    gate = relaying.world.root / "gate"
    told, worked = relaying.dialect.start(), relaying.works()[len(relaying.dialect.start()) :]
    return gate, [*told, ["await", str(gate)], *worked]


def test_the_state_tells_of_the_leg_before_and_while_it_runs(relaying: Relaying) -> None:
    """REQ STA-08, EXE-04, EXE-05, EXE-06, EXE-13, MAN-04; field reports 19 and 50."""
    gate, steps = waiting_leg(relaying)
    relaying.plays(steps)
    launched = relaying.json("launch")["data"]
    assert launched["state"] == "TARGET_IMPLEMENTING"
    assert launched["pid"] == relaying.relay(launched["wgid"]).pid
    wait_for(lambda: relaying.json("session")["data"]["session_id"] == SESSION)
    relay = relaying.relay(launched["wgid"])
    assert (relay.session_id, relay.cwd) == (SESSION, str(relaying.repo.root))
    folder = relaying.folder(launched["wgid"])
    assert not (folder / "exit-r0").exists()
    polled = relaying.json("poll", "--wait", "0")
    assert (polled["code"], polled["data"]["outcome"], polled["data"]["pid"]) == (0, None, launched["pid"])
    assert relaying.json("complete")["code"] == 1
    again = relaying.json("launch")
    assert (again["code"], again["data"]["problem"]) == (7, "launch.alive")
    assert "RELAY-ATTACH" not in relaying.run("poll", "--wait", "0").out
    gate.touch()
    ended = relaying.until_ended()
    assert (ended["code"], ended["data"]["state"], ended["data"]["outcome"]) == (0, "TARGET_DONE", "done")
    assert (folder / "exit-r0").read_text() == "0\n"
    assert len(relaying.legs()) == 1


def test_the_prompt_reaches_the_target_byte_for_byte_in_the_recorded_folder(relaying: Relaying) -> None:
    """REQ PRM-11, HYA-02, HYA-03, HYC-03, HYA-16; field reports 1, 2 and 4."""
    relaying.leg()
    (call,) = relaying.legs()
    folder = relaying.folder(wgid(relaying))
    assert call["stdin"] == (folder / "brief-r0.md").read_text()
    assert call["cwd"] == str(relaying.repo.root)
    assert call["env"]["KNOWZCODE_RELAY_DEPTH"] == "1"
    assert max(map(len, call["argv"])) < 8000


def test_the_takeover_command_is_shown_once_after_the_leg(relaying: Relaying) -> None:
    """REQ MAN-01, MAN-02, MAN-03, MAN-04."""
    relaying.json("launch")
    texts = [relaying.run("poll", "--wait", "20").out for _ in range(2)]
    attach = {"codex": f"codex resume {SESSION}", "claude": f"claude --resume {SESSION}"}[relaying.target]
    assert [text.count(attach) for text in texts] == [1, 0]
    assert relaying.relay(wgid(relaying)).manual_attach == f"{attach} (in {relaying.repo.root})"


def test_a_failed_leg_is_resumed_once_with_a_continuation_and_then_the_host_takes_over(
    relaying: Relaying,
) -> None:
    """REQ FSM-03, FSM-04, HST-06, PRM-12, EXE-12, ART-08 (A-03, A-04); field report 56."""
    failing = [*relaying.dialect.start(), *relaying.dialect.fail("server")]
    relaying.client.plays(*leg_rules(relaying.dialect, failing, failing, exit=1), *PROBES[relaying.target])
    first = relaying.leg()
    assert (first["code"], first["data"]["state"], first["data"]["attempt"]) == (1, "TARGET_FAILED", 1)
    assert first["data"]["next"]["argv"][-3] == "launch"
    second = relaying.leg()
    assert (second["code"], second["data"]["state"], second["data"]["round"]) == (1, "HOST_TAKEOVER", 0)
    folder = relaying.folder(first["data"]["wgid"])
    calls = relaying.legs()
    assert SESSION in calls[1]["argv"]
    assert calls[1]["stdin"] == (folder / "continue-prompt-r0.md").read_text()
    assert (folder / "exit-r0.a1").exists()
    assert [row.leg for row in relaying.relay(first["data"]["wgid"]).rounds] == [
        "target-implement",
        "target-resume",
    ]


def test_a_login_that_ends_in_a_leg_pauses_and_spends_no_attempt(relaying: Relaying) -> None:
    """REQ DET-18, FAIL-03 (A-32, A-58); field reports 10, 32 and 79."""
    failing = [*relaying.dialect.start(), *relaying.dialect.fail("auth")]
    relaying.client.plays(*leg_rules(relaying.dialect, failing, failing, exit=1), *PROBES[relaying.target])
    for _ in range(2):
        answer = relaying.leg()
        assert (answer["code"], answer["data"]["state"]) == (4, "TARGET_FAILED")
        assert answer["data"]["outcome"] == "auth"
        assert relaying.json("launch")["data"]["problem"] == "launch.decision-due"
        assert relaying.json("decide", "stop")["code"] == 2
        assert relaying.json("decide", "retry")["ok"]
    assert relaying.relay(wgid(relaying)).session_id == SESSION
    relaying.plays(relaying.works(), relaying.works())
    done = relaying.leg()
    assert (done["data"]["state"], done["data"]["round"]) == ("TARGET_DONE", 0)
    assert SESSION in relaying.legs()[-1]["argv"]


def test_a_declined_login_in_a_leg_hands_the_work_to_the_host(one: Relaying) -> None:
    """REQ DET-17 (A-57)."""
    failing = [*one.dialect.start(), *one.dialect.fail("auth")]
    one.client.plays(*leg_rules(one.dialect, failing, exit=1), *PROBES[one.target])
    one.leg()
    answer = one.run("decide", "native")
    assert answer.code == 5
    assert answer.out.startswith(f"[RELAY-FALLBACK] {one.target} CLI not authenticated")
    assert one.relay(wgid(one)).state.value == "HOST_TAKEOVER"


def test_a_quota_pauses_with_its_reset_and_counts_no_round(one: Relaying) -> None:
    """REQ FAIL-15 (A-38); field report 79."""
    failing = [*one.dialect.start(), *one.dialect.fail("quota")]
    one.client.plays(*leg_rules(one.dialect, failing, exit=1), *PROBES[one.target])
    answer = one.leg()
    assert (answer["code"], answer["data"]["outcome"], answer["data"]["round"]) == (4, "quota", 0)
    assert "9:15 AM" in answer["data"]["next"]["question"]
    declined = one.run("decide", "native")
    assert declined.out.startswith("[RELAY-FALLBACK] codex CLI out of quota — running native Phase 2A")


def test_an_unknown_model_halts_and_a_corrected_key_counts_at_the_retry(one: Relaying) -> None:
    """REQ FAIL-05 (A-38); field report 12."""
    failing = [*one.dialect.start(), *one.dialect.fail("model")]
    one.client.plays(*leg_rules(one.dialect, failing, exit=1), *PROBES[one.target])
    answer = one.leg()
    assert (answer["code"], answer["data"]["outcome"]) == (3, "model")
    key = "relay_codex_model: newer"
    one.repo.commit({"knowzcode/knowzcode_orchestration.md": f"```yaml\n{key}\n```\n"})
    assert one.json("decide", "retry")["ok"]
    one.plays(one.works(), one.works())
    one.leg()
    assert "newer" in one.legs()[-1]["argv"]


def test_a_leg_that_changes_nothing_is_not_approved_silently(relaying: Relaying) -> None:
    """REQ REV-15; field report 33."""
    relaying.plays([*relaying.dialect.start(), *relaying.dialect.finish()])
    answer = relaying.leg()
    assert (answer["code"], answer["data"]["outcome"]) == (0, "done-no-change")
    relay = relaying.relay(answer["data"]["wgid"])
    assert relay.checkpoint("C1") == relay.checkpoint("C0")
    assert "review" in answer["data"]["next"]["argv"]
    clean = json.dumps({"schema": 1, "completion": 100, "security": "ok", "gaps": [], "actions": []})
    refused = relaying.json("review", stdin=clean)
    assert (refused["code"], refused["data"]["problem"]) == (4, "review.nothing-changed")
    assert relaying.json("decide", "accept-no-change")["ok"]
    assert relaying.json("review", stdin=clean)["data"]["verdict"] == "ACCEPT"


def test_a_session_that_is_gone_is_replaced_by_a_fresh_one_in_the_same_attempt(relaying: Relaying) -> None:
    """REQ CLA-08, FAIL-10 (A-47)."""
    broken = [*relaying.dialect.start(), *relaying.dialect.fail("server")]
    gone = {
        "codex": {"stderr": f"Error: thread/resume: no rollout found for thread id {SESSION}\n"},
        "claude": {"stderr": f"No conversation found with session ID: {SESSION}\n"},
    }[relaying.target]
    new, resumed = leg_rules(relaying.dialect, broken, exit=1), leg_rules(relaying.dialect, [], [], exit=1)
    relaying.client.plays({**resumed[0], **gone}, *new, *PROBES[relaying.target])
    relaying.leg()
    answer = relaying.leg()
    assert (answer["data"]["outcome"], answer["data"]["state"]) == ("session-gone", "TARGET_FAILED")
    relaying.plays(relaying.works())
    done = relaying.leg()
    assert done["data"]["state"] == "TARGET_DONE"
    last = relaying.legs()[-1]
    assert SESSION not in last["argv"]
    assert "# KnowzCode Relay Brief" in last["stdin"]


def test_flags_that_the_client_does_not_know_get_one_repair(world: World) -> None:
    """REQ CXA-09, FAIL-04 (A-39)."""
    relaying = make_relaying(world, "claude")
    relaying.start()
    relaying.client.plays(
        rule("-a", "never", "exec", stdin=True, stderr="error: unexpected argument '--json' found\n", exit=2),
        *PROBES["codex"],
    )
    first = relaying.leg()
    assert (first["code"], first["data"]["outcome"], first["data"]["state"]) == (3, "flags", "TARGET_FAILED")
    assert relaying.json("decide", "retry")["ok"]
    second = relaying.leg()
    assert (second["code"], second["data"]["state"]) == (3, "HOST_TAKEOVER")


def test_an_interrupted_leg_is_resumed_with_its_own_session(relaying: Relaying) -> None:
    """REQ TIM-05, TIM-07."""
    _, steps = waiting_leg(relaying)
    relaying.plays(steps, relaying.works())
    relaying.json("launch")
    wait_for(lambda: relaying.json("session")["data"]["session_id"] == SESSION)
    answer = relaying.json("decide", "interrupt-and-resume")
    assert (answer["code"], answer["data"]["outcome"]) == (1, "timeout-stopped")
    assert answer["data"]["state"] == "TARGET_FAILED"
    assert relaying.leg()["data"]["state"] == "TARGET_DONE"
    assert SESSION in relaying.legs()[-1]["argv"]


def test_a_stopped_leg_goes_back_to_the_host_with_its_evidence(one: Relaying) -> None:
    """REQ TIM-08, ART-08."""
    _, steps = waiting_leg(one)
    one.plays(steps)
    launched = one.json("launch")["data"]
    answer = one.json("decide", "stop")
    assert answer["data"]["state"] == "HOST_TAKEOVER"
    folder = one.folder(launched["wgid"])
    assert (folder / "exit-r0").exists()
    assert (folder / f"{one.target}-log-r0.jsonl").exists()


def test_continue_live_keeps_the_same_process(one: Relaying) -> None:
    """REQ TIM-06, TIM-11."""
    gate, steps = waiting_leg(one)
    one.plays(steps)
    pid = one.json("launch")["data"]["pid"]
    for _ in range(2):
        answer = one.json("decide", "continue-live")
        assert (answer["code"], answer["data"]["pid"]) == (0, pid)
    gate.touch()
    assert one.until_ended()["data"]["state"] == "TARGET_DONE"


def test_a_killed_leg_is_lost_and_not_running_for_ever(one: Relaying) -> None:
    """REQ EXE-09, RSM-04; field report 16."""
    _, steps = waiting_leg(one)
    one.plays(steps)
    data = one.json("launch")["data"]
    attempt = json.loads((one.folder(data["wgid"]) / "attempt-r0.json").read_text())
    os.kill(attempt["supervisor"]["pid"], 9)
    os.kill(data["pid"], 9)
    answer = one.until_ended()
    assert (answer["code"], answer["data"]["outcome"]) == (1, "lost")
    assert answer["data"]["state"] == "TARGET_FAILED"


def test_a_target_that_logged_out_meanwhile_is_found_before_the_next_leg(one: Relaying) -> None:
    """REQ DET-09 (A-59): nothing is started, and the state stays where it is."""
    logged_out: dict[str, Any] = {**PROBES[one.target][1], "exit": 1, "stdout": ""}
    one.client.plays(PROBES[one.target][0], logged_out)
    answer = one.json("launch")
    assert (answer["code"], answer["data"]["state"]) == (4, "PLANNED")
    assert one.relay(answer["data"]["wgid"]).result_subtype == "auth"
    assert one.legs() == []
    one.plays(one.works())
    assert one.json("decide", "retry")["ok"]
    assert one.leg()["data"]["state"] == "TARGET_DONE"


def test_edits_made_before_the_launch_are_not_mixed_with_the_target_s(one: Relaying) -> None:
    """Field report 68."""
    build_tree(one.repo.root, {"src/greet.py": "the user's\n"})
    answer = one.json("launch")
    assert (answer["code"], answer["data"]["paths"]) == (3, ["src/greet.py"])
    assert one.legs() == []


def test_a_relay_is_not_launched_on_another_branch(one: Relaying) -> None:
    one.repo("switch", "-q", "main")
    answer = one.json("launch")
    assert (answer["code"], answer["data"]["problem"]) == (3, "launch.branch")


def test_only_the_recorded_session_can_be_named(one: Relaying) -> None:
    """REQ EXE-02."""
    assert one.json("launch", "--session", "{SESSION_ID}")["code"] == 2
    assert one.legs() == []


def test_the_configuration_of_later_does_not_change_a_running_relay(one: Relaying) -> None:
    """REQ RES-20, CFG-25."""
    one.repo.commit(
        {"knowzcode/knowzcode_orchestration.md": "```yaml\nrelay: claude\nrelay_model: late\n```\n"}
    )
    one.leg()
    assert "late" not in one.legs()[0]["argv"]


def test_a_leg_in_the_foreground_is_told_when_it_has_ended(one: Relaying) -> None:
    answer = one.json("launch", "--foreground")
    assert (answer["code"], answer["data"]["state"]) == (0, "TARGET_DONE")
