"""Kill -9 at every step of a leg: the next poll tells the truth in one line and names what follows."""

import json
import os
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from relay_runtime.attempts.process import Identity, alive
from support.dialects import SESSION, Step
from support.relaying import Relaying, make_relaying
from support.waiting import wait_for
from support.world import World

HOST_OF = {"codex": "claude", "claude": "codex"}
POINTS = ("before the id", "after the id", "after edits")
EDITED = "src/greet.py"
STEPS = pytest.mark.parametrize(
    ("target", "point"), [*(("codex", point) for point in POINTS), ("claude", "before the id")]
)


@dataclass
class Leg:
    """The first leg of a relay, standing still at one point until it may `go` on."""

    relaying: Relaying
    wgid: str
    go: Path

    @property
    def record(self) -> dict[str, Any]:
        return json.loads((self.relaying.folder(self.wgid) / "attempt-r0.json").read_text())

    def process(self, which: str) -> Identity:
        return Identity(**self.record[which])

    def kill(self, *which: str) -> None:
        """The supervisor goes first, so that it cannot see the target go."""
        for victim in map(self.process, which):
            os.kill(victim.pid, signal.SIGKILL)
        for name in which:
            wait_for(lambda name=name: not alive(self.process(name)), what=f"the end of the {name}")

    @property
    def legs(self) -> list[dict[str, Any]]:
        """How the target was called for a leg so far."""
        probes = ("--version", "login", "auth")
        return [call for call in self.relaying.client.calls if call["argv"][0] not in probes]


def standing_at(world: World, target: str, point: str, *end: Step) -> Leg:
    """Launch a leg that stops at `point`; with `end` it goes on to that."""
    relaying = make_relaying(world, HOST_OF[target])
    dialect, go, reached = relaying.dialect, world.root / "go", world.root / "reached"
    steps: list[Step] = [] if point == "before the id" else dialect.start()
    if point == "after edits":
        steps += [["write", EDITED, "print('Hello, Ada')\n"], *dialect.change(EDITED)]
    stop: list[Step] = [["write", str(reached), ""], ["await", str(go)]]
    rest: list[Step] = [["write", EDITED, "print('Hello, Ada')\n"], *dialect.finish()]
    first = [*steps, *stop, *(dialect.start() if point == "before the id" else []), *rest, *end]
    relaying.plays(first, relaying.works())
    wgid = relaying.start()["data"]["wgid"]
    leg = Leg(relaying, wgid, go)
    assert relaying.json("launch")["data"]["state"] == "TARGET_IMPLEMENTING"
    wait_for(reached.exists, what=point)
    if point != "before the id":
        wait_for(lambda: leg.record["facts"]["session_id"] == SESSION, what="the recorded id")
    return leg


def poll(leg: Leg, first_line: str, exit: int, verb: str) -> dict[str, Any]:
    """One poll, as an agent sees it: what it says first, how it ends, and the one command that follows."""
    said = leg.relaying.run("poll", "--wait", "20")
    lines = said.out.splitlines()
    assert (lines[0], said.code) == (first_line, exit)
    assert [line for line in lines if line.startswith("next: ")] == lines[-1:]
    answer = leg.relaying.json("poll", "--wait", "0")
    assert verb in answer["data"]["next"]["argv"]
    assert bool(answer["data"]["next"]["question"]) is (verb == "finish")  # native work comes first
    return answer


def goes_on(leg: Leg, answer: dict[str, Any], *, resumed: bool) -> None:
    """What follows is one more attempt, in the same session if there was one; it ends the leg."""
    leg.go.touch()
    assert len(leg.legs) == 1
    answer = leg.relaying.follow(answer)
    assert answer["data"]["attempt"] == 2
    assert leg.relaying.until_ended()["data"]["outcome"] == "done"
    assert [SESSION in call["argv"] for call in leg.legs] == [False, resumed]


@STEPS
def test_the_target_is_killed(world: World, target: str, point: str) -> None:
    """The supervisor says who ended it; edits stay, and the session goes on."""
    leg = standing_at(world, target, point)
    leg.kill("target")
    answer = poll(
        leg, f"[RELAY-OUTCOME] {target} round 0 attempt 1: interrupted → TARGET_FAILED", 1, "launch"
    )
    assert answer["data"]["session_id"] == (None if point == "before the id" else SESSION)
    edited = (leg.relaying.repo.root / EDITED).read_text()
    assert ("Ada" in edited) == (point == "after edits")
    goes_on(leg, answer, resumed=point != "before the id")


@STEPS
def test_both_are_killed(world: World, target: str, point: str) -> None:
    """Nobody is left to say anything: the leg is lost, whatever the state file said last."""
    leg = standing_at(world, target, point)
    leg.kill("supervisor", "target")
    answer = poll(leg, f"[RELAY-OUTCOME] {target} round 0 attempt 1: lost → TARGET_FAILED", 1, "launch")
    goes_on(leg, answer, resumed=point != "before the id")


@STEPS
def test_the_supervisor_is_killed(world: World, target: str, point: str) -> None:
    """The target lives on, so no second one may start; once it has ended, nobody knows how."""
    leg = standing_at(world, target, point)
    leg.kill("supervisor")
    session = "not known yet" if point == "before the id" else "present"
    alive_line = f"[RELAY-POLL] {target} round 0 is alive, but its supervisor is gone; session {session}"
    said = leg.relaying.run("poll", "--wait", "0")
    assert (said.out.splitlines()[0], said.code) == (alive_line, 0)
    assert said.out.splitlines()[-1].split()[-5:-2] == [
        "poll",
        "--wait",
        "110" if target == "codex" else "25",
    ]
    refused = leg.relaying.json("launch")
    assert (refused["code"], refused["data"]["problem"]) == (7, "launch.alive")
    assert len(leg.legs) == 1
    leg.go.touch()
    wait_for(lambda: not alive(leg.process("target")), what="the end of the target")
    answer = poll(leg, f"[RELAY-OUTCOME] {target} round 0 attempt 1: lost → TARGET_FAILED", 1, "launch")
    goes_on(leg, answer, resumed=True)


@pytest.mark.parametrize(
    ("target", "end", "outcome"),
    [
        pytest.param("codex", [["kill", "parent"]], "lost", id="the supervisor"),
        pytest.param("codex", [["kill", "self"]], "interrupted", id="the target"),
        pytest.param("codex", [["kill", "parent"], ["kill", "self"]], "lost", id="both"),
        pytest.param("claude", [["kill", "parent"]], "lost", id="the supervisor of claude"),
    ],
)
def test_killed_before_the_marker(world: World, target: str, end: list[Step], outcome: str) -> None:
    """A success record in the stream proves no success; its session is known and goes on."""
    leg = standing_at(world, target, "after edits", *end)
    leg.go.touch()
    answer = poll(leg, f"[RELAY-OUTCOME] {target} round 0 attempt 1: {outcome} → TARGET_FAILED", 1, "launch")
    assert answer["data"]["session_id"] == SESSION
    goes_on(leg, answer, resumed=True)


def test_two_lost_attempts_end_with_the_host(world: World) -> None:
    """REQ EXE-09: a round has two attempts; then the host takes over, and no third child is started."""
    leg = standing_at(world, "codex", "after edits")
    leg.kill("supervisor", "target")
    poll(leg, "[RELAY-OUTCOME] codex round 0 attempt 1: lost → TARGET_FAILED", 1, "launch")
    again: list[Step] = [["write", str(world.root / "again"), ""], ["await", str(leg.go)]]
    leg.relaying.plays(again, again)
    assert leg.relaying.json("launch")["ok"]
    wait_for((world.root / "again").exists, what="the second attempt")
    leg.kill("supervisor", "target")
    poll(leg, "[RELAY-OUTCOME] codex round 0 attempt 2: lost → HOST_TAKEOVER", 1, "finish")
    assert leg.relaying.json("launch")["code"] == 3
    assert len(leg.legs) == 2


def test_a_leg_without_a_supervisor_can_be_ended(world: World) -> None:
    """An interrupt ends the target although nobody watches it, and the session goes on."""
    leg = standing_at(world, "codex", "after the id")
    leg.kill("supervisor")
    answer = leg.relaying.json("decide", "interrupt-and-resume")
    assert (answer["code"], answer["data"]["outcome"]) == (1, "timeout-stopped")
    assert not alive(leg.process("target"))
    goes_on(leg, answer, resumed=True)
