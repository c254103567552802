"""`resume`: after a cleared context, a crash or in another window; all comes from state and evidence."""

import json
import os
import shutil
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from relay_runtime.attempts.process import Identity, alive
from relay_runtime.clock import SystemClock
from support.dialects import DIALECTS, SESSION, Step
from support.fake_client import PROBES, rule
from support.following import Answer, Follower, started, window_of
from support.plans import a_feedback, a_gap, a_plan
from support.relaying import Relaying, leg_rules, make_relaying
from support.waiting import wait_for
from support.window import Window
from support.world import World, build_tree, tree_digest

DIRECTIONS = pytest.mark.parametrize("host", ["claude", "codex"])


@pytest.fixture
def relaying(world: World) -> Relaying:
    return make_relaying(world, "claude")


def folder_of(relaying: Relaying, answer: Answer) -> Path:
    return relaying.folder(answer["data"]["wgid"])


def standing(relaying: Relaying) -> tuple[list[Step], Path]:
    """A leg that has told its session and edited, and waits for the file."""
    go, reached = relaying.world.root / "go", relaying.world.root / "reached"
    told = relaying.dialect.start()
    edit: list[Step] = [["write", "src/greet.py", "print('Hello, half')\n"]]
    wait: list[Step] = [["write", str(reached), ""], ["await", str(go)]]
    return [*told, *edit, *wait, *relaying.works()[len(told) :]], go


def launched(relaying: Relaying, window: Window) -> Answer:
    """A leg that stands still, with its session known."""
    steps, _ = standing(relaying)
    relaying.plays(steps, relaying.works())
    answer = window("launch")
    assert answer["ok"], answer
    wait_for((relaying.world.root / "reached").exists, what="a leg at work")
    wait_for(lambda: window("session")["data"]["session_id"] == SESSION, what="the session")
    return answer


def record_of(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "attempt-r0.json").read_text())


def kill(*processes: dict[str, Any]) -> None:
    for process in processes:
        os.kill(process["pid"], signal.SIGKILL)
        wait_for(lambda process=process: not alive(Identity(**process)), what="the end of a process")


@DIRECTIONS
def test_a_living_leg_is_joined_and_no_second_one_is_started(world: World, host: str) -> None:
    """REQ RSM-02, RSM-04, A-34b; field report 50: the poller is killed, the leg is not."""
    relaying = make_relaying(world, host)
    window, _ = started(relaying)
    leg = launched(relaying, window)
    poller = subprocess.Popen(["sleep", "600"])
    poller.kill()
    poller.wait()
    build_tree(relaying.repo.root, {"knowzcode/knowzcode_orchestration.md": "relay: none\n"})
    joined = window.elsewhere()("resume")
    assert (joined["code"], joined["data"]["state"]) == (0, "TARGET_IMPLEMENTING")
    assert joined["data"]["pid"] == leg["data"]["pid"]
    assert joined["data"]["next"]["argv"][1] == "poll"
    assert len(relaying.legs()) == 1
    (world.root / "go").touch()
    assert relaying.until_ended()["data"]["outcome"] == "done"


@DIRECTIONS
def test_a_leg_that_ended_unseen_is_judged_by_its_evidence(world: World, host: str) -> None:
    """REQ RSM-03, FAIL-07; field reports 18 and 20."""
    relaying = make_relaying(world, host)
    window, answer = started(relaying)
    window("launch")
    wait_for((folder_of(relaying, answer) / "exit-r0").exists, what="the exit marker")
    resumed = window.elsewhere()("resume")
    assert (resumed["code"], resumed["data"]["state"], resumed["data"]["outcome"]) == (
        0,
        "TARGET_DONE",
        "done",
    )
    assert resumed["data"]["next"]["argv"][1] == "checkpoint"


def test_a_leg_that_died_is_failed_with_one_resume_left(relaying: Relaying) -> None:
    """REQ RSM-04, FAIL-11; field report 16: never running for ever, and the partial work is kept."""
    window, answer = started(relaying)
    launched(relaying, window)
    record = record_of(folder_of(relaying, answer))
    kill(record["supervisor"], record["target"])
    resumed = window.elsewhere()("resume")
    assert (resumed["code"], resumed["data"]["outcome"]) == (1, "lost")
    assert window.elsewhere()("resume")["code"] == 0
    assert relaying.repo("diff", "--name-only") == "src/greet.py"
    follower = Follower(relaying, window)
    follower.until("DONE", answer=resumed)
    assert len(relaying.legs()) == 2


def test_a_leg_that_was_only_announced_spends_no_attempt(relaying: Relaying) -> None:
    """REQ A-45: implementing without pid and log means that nothing was started."""
    window, answer = started(relaying)
    folder = folder_of(relaying, answer)
    relaying.plays(relaying.works())
    window("launch")
    wait_for((folder / "exit-r0").exists, what="the end")
    for path in [*folder.glob("attempt-r0*"), *folder.glob("codex-*-r0*"), folder / "exit-r0"]:
        path.unlink()
    resumed = window("resume")
    assert (resumed["data"]["state"], resumed["data"]["outcome"]) == ("TARGET_FAILED", "lost")
    attempts = json.loads((folder / "relay.json").read_text())["attempts"]
    assert [attempt["spent"] for attempt in attempts] == [False]


@DIRECTIONS
def test_the_stream_of_another_provider_proves_nothing(world: World, host: str) -> None:
    """REQ RSM-05."""
    relaying = make_relaying(world, host)
    window, answer = started(relaying)
    folder, target = folder_of(relaying, answer), relaying.target
    launched(relaying, window)
    record = record_of(folder)
    kill(record["supervisor"], record["target"])
    other = DIALECTS[host]
    log = [step[1] for step in [*other.start(), *other.finish()] if step[0] == "say"]
    for path in folder.glob("attempt-r0*.json"):
        path.unlink()
    build_tree(
        folder,
        {
            f"{target}-log-r0.jsonl": "".join(json.dumps(one) + "\n" for one in log),
            f"{target}-last-r0.md": "done\n",
            "exit-r0": "0\n",
        },
    )
    assert window("resume")["data"]["state"] == "TARGET_FAILED"


def test_every_other_state_goes_on_at_its_own_step(relaying: Relaying) -> None:
    """REQ RSM-06: asked again at each state of a whole relay, resume names the step that was due."""
    window, answer = started(relaying)
    follower = Follower(relaying, window)
    follower.legs = [relaying.works(), relaying.works(text="print('Hi')\n")]
    follower.reviews = [a_feedback(a_gap())]
    asked: dict[str, str] = {}
    while answer["data"]["state"] != "DONE":
        if answer["data"]["state"] != "TARGET_IMPLEMENTING":
            resumed = window.elsewhere()("resume")
            assert resumed["data"]["next"] == answer["data"]["next"], resumed
            asked[answer["data"]["state"]] = resumed["data"]["next"]["argv"][1]
        answer = follower.step(answer)
    assert asked == {
        "PLANNED": "launch",
        "TARGET_DONE": "checkpoint",
        "REVIEWING": "review",
        "FIX_ROUND": "launch",
        "FINALIZING": "finish",
    }


def test_a_foreign_process_with_a_reused_pid_is_neither_awaited_nor_ended(relaying: Relaying) -> None:
    """REQ RSM-08."""
    window, answer = started(relaying)
    launched(relaying, window)
    path = folder_of(relaying, answer) / "attempt-r0.json"
    record = json.loads(path.read_text())
    kill(record["supervisor"], record["target"])
    innocent = subprocess.Popen(["sleep", "600"])
    try:
        for who in ("supervisor", "target"):
            record[who]["pid"] = innocent.pid
        path.write_text(json.dumps(record))
        assert window("resume")["data"]["outcome"] == "lost"
        assert innocent.poll() is None
    finally:
        innocent.kill()
        innocent.wait()


@DIRECTIONS
def test_the_other_host_is_told_who_goes_on(world: World, host: str) -> None:
    """REQ RSM-09, A-34."""
    relaying = make_relaying(world, host)
    window, _ = started(relaying)
    refused = window.elsewhere(host=relaying.target)("resume")
    assert (refused["code"], refused["data"]["problem"]) == (3, "relay.other-host")
    assert host in refused["hint"]


def test_a_folder_that_moved_is_a_reason_to_stop_and_the_relay_can_be_ended(relaying: Relaying) -> None:
    """REQ RSM-09; field report 62."""
    window, answer = started(relaying)
    moved = relaying.world.root / "moved"
    shutil.move(relaying.repo.root, moved)
    there = window.elsewhere(cwd=moved)
    refused = there("resume")
    assert (refused["code"], refused["data"]["problem"]) == (3, "relay.moved")
    assert "abort" in refused["hint"]
    assert there("abort", "--wgid", answer["data"]["wgid"])["data"]["state"] == "ABORTED"


def test_many_windows_that_resume_at_once_make_one_transition(relaying: Relaying) -> None:
    """REQ STA-11; field report 51's kind: a resume that races a resume."""
    window, answer = started(relaying)
    window("launch")
    folder = folder_of(relaying, answer)
    wait_for((folder / "exit-r0").exists, what="the exit marker")
    with ThreadPoolExecutor(5) as pool:
        codes = [one.code for one in pool.map(relaying.run, ["resume"] * 5)]
    assert codes == [0] * 5
    relay = relaying.relay(answer["data"]["wgid"])
    assert (relay.state.value, len(relay.rounds), relay.rounds[0].exit) == ("TARGET_DONE", 1, "0")
    assert not list(folder.glob(".*.tmp"))


def test_a_checkpoint_that_was_killed_after_its_commit_is_known_again(relaying: Relaying) -> None:
    """REQ REV-04, A-46: our own commit is not taken for one of the target."""
    victim = relaying.world.root / "victim"
    relaying.repo.hook("post-commit", f'[ ! -e "{victim}" ] || kill -9 $(ps -o ppid= -p $PPID)\n')
    window, answer = started(relaying)
    relaying.leg()
    victim.touch()
    assert relaying.run("checkpoint").code == -signal.SIGKILL
    victim.unlink()
    head = relaying.repo("rev-parse", "HEAD")
    resumed = window("resume")
    assert (resumed["data"]["state"], resumed["data"]["next"]["argv"][1]) == ("TARGET_DONE", "checkpoint")
    made = window("checkpoint")
    assert (made["data"]["state"], made["data"]["checkpoint"]) == ("REVIEWING", head)
    assert made["data"]["paths"] == ["src/greet.py"]
    assert relaying.repo("rev-list", "--count", "main..") == "1"
    assert Follower(relaying, window).until("DONE", answer=made)["data"]["wgid"] == answer["data"]["wgid"]


def test_a_target_s_own_commit_is_not_taken_for_ours(relaying: Relaying) -> None:
    """REQ REV-06, A-30: even with our message, without our announcement it is a departure."""
    window, answer = started(relaying)
    relaying.leg()
    message = f"KnowzCode relay: Codex round 0 for {answer['data']['wgid']}"
    relaying.repo("commit", "-q", "-a", "-m", message)
    assert window("checkpoint")["data"]["problem"] == "checkpoint.departures"


def test_without_its_workgroup_file_a_transition_writes_nothing(
    relaying: Relaying,
) -> None:
    """REQ FSM-09, SNP-03."""
    window, answer = started(relaying)
    folder = folder_of(relaying, answer)
    note = folder.parent / f"{answer['data']['wgid']}.md"
    text = note.read_bytes()
    note.unlink()
    before = tree_digest(folder)
    refused = window("launch")
    assert (refused["code"], refused["data"]["problem"]) == (3, "workgroup.missing")
    after = tree_digest(folder)
    assert (after["state.md"], after["relay.json"]) == (before["state.md"], before["relay.json"])
    assert relaying.legs() == []
    note.write_bytes(text)
    assert Follower(relaying, window).until("DONE", answer=refused)


def test_from_the_main_checkout_a_relay_of_a_worktree_is_found(relaying: Relaying) -> None:
    """REQ RSM-02; field reports 54 and 62: the target works in the recorded folder."""
    tree = relaying.world.root / "linked tree"
    relaying.repo("worktree", "add", "-q", "-b", "feature", str(tree))
    there = Relaying(
        relaying.world, type(relaying.repo)(tree, relaying.repo.environ), "claude", relaying.client
    )
    started(there)
    here = window_of(relaying)
    found = here("resume")
    assert (found["code"], found["data"]["next"]["argv"][2:4]) == (0, ["--project", str(tree)])
    resumed = here.follow(found)
    assert resumed["data"]["state"] == "PLANNED"
    Follower(there, here).until("DONE", answer=resumed)
    assert [leg["cwd"] for leg in relaying.legs()] == [str(tree)]


def test_without_a_relay_the_work_goes_on_natively(relaying: Relaying) -> None:
    """REQ RSM-01: a plain WorkGroup is none of ours."""
    answer = window_of(relaying)("resume")
    assert (answer["code"], answer["data"]["next"]["argv"]) == (0, [])
    assert "natively" in answer["data"]["next"]["step"]


def test_a_start_that_waits_for_a_login_is_what_resume_tells(relaying: Relaying) -> None:
    """REQ A-57, A-58."""
    out = rule("login", "status", stderr="Not logged in\n", exit=1)
    relaying.client.plays(out, *PROBES["codex"])
    window = window_of(relaying)
    token = window("resolve", "--entry", "work", stdin="--relay=other build it")["data"]["token"]
    words = ("start", "--tier", "3", "--gate2-approved", "--resolution", token)
    assert window(*words, stdin=json.dumps(a_plan()))["code"] == 4
    waiting = window.elsewhere()("resume")
    assert (waiting["code"], waiting["data"]["next"]["argv"]) == (4, ["kc-relay", "decide", "retry"])


class Later(SystemClock):
    """The system's clock, some minutes ahead."""

    def __init__(self, minutes: int) -> None:
        self.ahead = timedelta(minutes=minutes)

    def now(self) -> datetime:
        return super().now() + self.ahead


def test_a_leg_without_its_supervisor_still_has_a_time_budget(relaying: Relaying) -> None:
    """REQ TIM-10, A-01: whoever looks stands in, so a leg ends although nobody watches it."""
    window, answer = started(relaying)
    launched(relaying, window)
    record = record_of(folder_of(relaying, answer))
    kill(record["supervisor"])
    ended = window.elsewhere(clock=Later(minutes=95))("resume")
    assert (ended["data"]["state"], ended["data"]["outcome"]) == ("TARGET_FAILED", "timeout-stopped")
    assert ended["data"]["session_id"] == SESSION
    assert not alive(Identity(**record["target"]))
    Follower(relaying, window).until("DONE", answer=ended)


def test_an_abort_beside_a_launch_leaves_no_leg(relaying: Relaying) -> None:
    """REQ FSM-07; field report 47: cancelled while it starts, and nothing is left running."""
    _, answer = started(relaying)
    gate = relaying.world.root / "gate"
    slow = rule("--version", steps=[["await", str(gate)]], stdout="codex-cli 0.171.0\n")
    steps, _ = standing(relaying)
    legs = rule("-a", "never", "exec", stdin=True, steps=steps)
    relaying.client.plays(legs, slow, *PROBES["codex"])
    calls = len(relaying.client.calls)
    with ThreadPoolExecutor(2) as pool:
        launch = pool.submit(relaying.run, "launch")
        wait_for(lambda: len(relaying.client.calls) > calls, what="a launch that detects")
        abort = pool.submit(relaying.run, "abort", "--wgid", answer["data"]["wgid"])
        gate.touch()
        assert launch.result().code in (0, 3)
        assert abort.result().code == 0
    assert relaying.relay(answer["data"]["wgid"]).state.value == "ABORTED"
    for leg in relaying.legs():
        wait_for(lambda leg=leg: not Path(f"/proc/{leg['pid']}").exists(), what="the end of the leg")


def test_the_time_dialogue_goes_on_without_the_supervisor(relaying: Relaying) -> None:
    """REQ TIM-02, TIM-04, TIM-06, FAIL-06: one check, a reply that counts, and an end that is noticed."""
    window, answer = started(relaying)
    pid = launched(relaying, window)["data"]["pid"]
    kill(record_of(folder_of(relaying, answer))["supervisor"])
    near = window.elsewhere(clock=Later(minutes=80))
    near("poll", "--wait", "0")
    assert "[RELAY-TIME-CHECK] elapsed: 80 min of 90 min" in near.text
    near("poll", "--wait", "0")
    assert "[RELAY-TIME-CHECK]" not in near.text
    assert near("decide", "continue-live")["code"] == 0
    past = window.elsewhere(clock=Later(minutes=100))
    assert past("poll", "--wait", "0")["data"]["pid"] == pid
    (relaying.world.root / "go").touch()
    assert past("poll", "--wait", "20")["data"]["outcome"] == "lost"


@pytest.mark.parametrize("point", ["state", "spec", "record"])
def test_a_launch_that_is_killed_leaves_at_most_one_leg_and_a_way_on(relaying: Relaying, point: str) -> None:
    """REQ A-45, STA-08: state first, then the process; whatever is missing is healed."""
    window, answer = started(relaying)
    folder = folder_of(relaying, answer)
    seen = {
        "state": lambda: "TARGET_IMPLEMENTING" in (folder / "state.md").read_text(),
        "spec": (folder / "attempt-r0.spec.json").exists,
        "record": (folder / "attempt-r0.json").exists,
    }[point]
    relaying.plays(relaying.works(), relaying.works())
    relay = window.runtime
    process = subprocess.Popen(
        [sys.executable, "-I", str(relay), "launch"],
        cwd=relaying.repo.root,
        env=relaying.world.environ(),
        stdout=subprocess.DEVNULL,
    )
    while not seen():
        assert process.poll() is None
    process.kill()
    process.wait()
    follower = Follower(relaying, window)
    done = follower.until("DONE", answer=window("resume"))
    assert done["data"]["round"] == 0
    assert len(relaying.legs()) <= 2


def test_a_session_that_another_process_holds_is_waited_for_and_then_replaced(relaying: Relaying) -> None:
    """REQ FAIL-10; field report 63: named, no loop, and at last a new session with all that it must know."""
    window, _ = started(relaying)
    broken = [*relaying.dialect.start(), *relaying.dialect.fail("server")]
    old, new = leg_rules(relaying.dialect, broken, [])
    busy = {**old, "stderr": "Error: thread already has an active writer (pid 4711)\n", "exit": 1}
    relaying.client.plays(busy, new, *PROBES["codex"])
    assert relaying.leg()["data"]["outcome"] == "failed"
    for _ in range(2):
        held = relaying.leg()
        assert (held["code"], held["data"]["outcome"]) == (7, "session-busy")
        assert window("launch")["code"] == 4  # no loop: a person decides first
        assert window("decide", "retry")["code"] == 0
    relaying.plays(relaying.works())
    assert relaying.leg()["data"]["outcome"] == "done"
    fresh = relaying.legs()[-1]
    assert "resume" not in fresh["argv"]
    assert "## After a Lost Session" in fresh["stdin"]


def test_a_start_that_was_cut_off_is_ended_and_begun_anew(relaying: Relaying) -> None:
    """REQ FSM-02: without C0 and brief nothing is planned."""
    window, answer = started(relaying)
    state = folder_of(relaying, answer) / "state.md"
    state.write_text(state.read_text().replace("**State:** PLANNED", "**State:** INIT"))
    ended = window.follow(window("resume"))
    assert ended["data"]["state"] == "ABORTED"
    assert "start anew" in ended["data"]["next"]["step"]
    _, again = started(relaying)
    assert again["data"]["wgid"] != answer["data"]["wgid"]


def test_a_review_that_crashed_between_its_two_writes_is_no_second_review(relaying: Relaying) -> None:
    """REQ REV-10, STA-08: the state is authoritative, so the same gap is not there twice."""
    window, answer = started(relaying)
    reviewing = Follower(relaying, window).until("REVIEWING", answer=answer)
    state = folder_of(relaying, answer) / "state.md"
    before = state.read_bytes()
    gap = json.dumps(a_feedback(a_gap()))
    assert window.follow(reviewing, stdin=gap)["data"]["state"] == "FIX_ROUND"
    state.write_bytes(before)
    assert window.follow(reviewing, stdin=gap)["data"]["state"] == "FIX_ROUND"
