"""Real clients through everything that can go wrong: a host that follows `next:` alone comes to the end."""

import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from knowzcode_relay.rehearsal import processes, relayfile, scene
from knowzcode_relay.rehearsal.clients import CLIENTS
from knowzcode_relay.rehearsal.host import Step as Said
from knowzcode_relay.rehearsal.model_server import ModelServer
from knowzcode_relay.rehearsal.request import Request
from knowzcode_relay.rehearsal.script import Hang, HttpError, Step, Text
from support.staged import Staged, staged
from support.waiting import wait_for
from support.world import World

TARGETS = pytest.mark.parametrize(
    "target",
    [
        pytest.param("codex", marks=pytest.mark.client("codex")),
        pytest.param("claude", marks=pytest.mark.client("claude")),
    ],
)
REPORT = Text(f"### Files Changed\n{scene.RESULT}: greets.\n### Remaining Work\nNone\n")
AUTH = HttpError(401, "no such key", "authentication_error")
QUOTA = {
    "codex": HttpError(429, "limit", "usage_limit_reached"),
    "claude": HttpError(400, "Your credit balance is too low", "invalid_request_error"),
}
BROKEN = HttpError(400, "A made-up failure.", "invalid_request_error")


@dataclass
class Model:
    """What the target's model does in the present leg: step by step, and the last one again and again."""

    steps: list[Step] = field(default_factory=list[Step])
    asked: int = 0

    def __call__(self, _: Request) -> Step:
        self.asked += 1
        return self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]


@dataclass
class Driver:
    """Runs what `next:` names, a question's yes included. `legs` are the model's scripts, one a launch."""

    ready: Staged
    model: Model
    legs: list[list[Step]]
    said: list[Said] = field(default_factory=list[Said])

    @property
    def state(self) -> str:
        return relayfile.read(self.ready.stage.repository)["State"]

    def go(self, step: Said, *, until: Sequence[str]) -> Said:
        """Follow until a state of `until` is reached."""
        for _ in range(50):
            if self.state in until:
                return step
            step = self.run(self.following(step))
        raise AssertionError([one.lines for one in self.said])

    def following(self, step: Said) -> list[str]:
        return shlex.split(step.next.rpartition(" If yes: ")[2].removeprefix("ask: "))

    def run(self, argv: Sequence[str]) -> Said:
        if "launch" in argv:
            self.model.steps = self.legs.pop(0)
            self.model.asked = 0
        step = self.ready.host.run(tuple(argv))
        self.said.append(step)
        return step

    def call(self, *words: str) -> Said:
        return self.run([*self.ready.stage.call, *words])

    def outcomes(self) -> list[str]:
        """How the legs ended, in order, as the polls told it."""
        lines = [line for one in self.said for line in one.lines]
        ends = [line for line in lines if "[RELAY-OUTCOME]" in line and " → " in line]
        return [line.rsplit(": ", 1)[1].split(" → ")[0] for line in ends]


def forget_sessions(ready: Staged, target: str) -> None:
    """The client's own records of its sessions are gone."""
    for path in ready.stage.home.glob(CLIENTS[target].session_file.format(session="*").replace("**", "*")):
        path.unlink()


@TARGETS
def test_login_quota_interrupt_failure_and_a_lost_session_in_one_relay(world: World, target: str) -> None:
    """REQ FAIL-03, FAIL-09, FAIL-10, FAIL-12, FAIL-15, TIM-07, REV-10, FSM-04; field report 32."""
    command = CLIENTS[target].command
    write = command(f"mkdir -p greeting && printf 'Hello\\n' > {scene.RESULT} && echo written")
    repair = command(f"printf 'Hello, Ada\\n' > {scene.RESULT} && echo fixed")
    model = Model([REPORT])
    legs: list[list[Step]] = [
        [write, AUTH],
        [QUOTA[target]],
        [Hang()],
        [write, REPORT],
        [BROKEN],
        [REPORT],
        [repair, REPORT],
    ]
    with ModelServer(model) as server, staged(world, target, server) as ready:
        driver = Driver(ready, model, legs)
        step = ready.until("start")["start"]
        step = driver.go(step, until=["TARGET_FAILED"])
        assert step.exit == 4, step.lines
        session = relayfile.read(ready.stage.repository)["Session ID"]
        assert session != "pending"
        step = driver.run(driver.following(step))  # the login is done
        step = driver.run(driver.following(step))
        step = driver.go(step, until=["TARGET_FAILED"])
        assert step.exit == 4, step.lines
        step = driver.run(driver.following(step))  # the quota is back
        driver.run(driver.following(step))
        wait_for(lambda: model.asked, 60, "the model's silence")
        step = driver.call("decide", "interrupt-and-resume")
        assert driver.state == "TARGET_FAILED", step.lines
        step = driver.go(step, until=["REVIEWING"])
        assert relayfile.read(ready.stage.repository)["Session ID"] == session
        assert driver.outcomes() == ["auth", "quota", "timeout-stopped", "done"]
        step = driver.go(review(driver, scene.REVIEWS[0]), until=["TARGET_FAILED"])
        forget_sessions(ready, target)
        step = driver.go(step, until=["REVIEWING"])
        assert driver.outcomes()[4:] == ["failed", "session-gone", "done"]
        fresh = server.requests[-1].prompts
        assert any("## After a Lost Session" in prompt for prompt in fresh)
        assert relayfile.read(ready.stage.repository)["Session ID"] != session
        step = driver.go(review(driver, scene.REVIEWS[0]), until=["HOST_TAKEOVER"])
        assert step.next.startswith("ask: "), step.lines
        assert ready.stage.git("show", f"HEAD:{scene.RESULT}") == "Hello, Ada"
        (ready.stage.repository / scene.RESULT).write_text("Hello, Ada.\n")  # the host's own work
        driver.go(step, until=["DONE"])


def review(driver: Driver, text: str) -> Said:
    path = driver.ready.stage.root / "review.json"
    path.write_text(json.dumps(json.loads(text)))
    return driver.call("review", "--file", str(path))


@TARGETS
def test_an_aborted_leg_leaves_no_process(world: World, target: str) -> None:
    """REQ FSM-07, FAIL-13; field report 43."""
    model = Model([Hang()])
    with ModelServer(model) as server, staged(world, target, server) as ready:
        driver = Driver(ready, model, [[Hang()]])
        driver.run(driver.following(ready.until("start")["start"]))
        wait_for(lambda: model.asked, 60, "the model's silence")
        ended = driver.call("abort")
        assert (ended.exit, driver.state) == (0, "ABORTED"), ended.lines
        assert processes.gone(ready.stage.root, 5)


@TARGETS
def test_a_living_leg_is_kept_with_its_process_and_then_stopped(world: World, target: str) -> None:
    """REQ TIM-06, TIM-08: the same process after continue-live; evidence and the host's turn after stop."""
    write = CLIENTS[target].command(
        f"mkdir -p greeting && printf 'Hello\\n' > {scene.RESULT} && echo written"
    )
    model = Model([Hang()])
    with ModelServer(model) as server, staged(world, target, server) as ready:
        driver = Driver(ready, model, [[write, Hang()]])
        driver.run(driver.following(ready.until("start")["start"]))
        wait_for(lambda: model.asked == 2, 60, "the model's silence")
        before = relayfile.read(ready.stage.repository)["PID"]
        assert driver.call("decide", "continue-live").exit == 0
        driver.call("poll", "--wait", "1")
        assert relayfile.read(ready.stage.repository)["PID"] == before
        stopped = driver.call("decide", "stop")
        assert driver.state == "HOST_TAKEOVER", stopped.lines
        assert processes.gone(ready.stage.root, 5)
        kept = {path.name for path in ready.relay_folder.iterdir()}
        assert {f"{target}-log-r0.jsonl", f"{target}-err-r0.log", "exit-r0"} <= kept
        assert (ready.stage.repository / scene.RESULT).read_text() == "Hello\n"
        assert driver.go(stopped, until=["DONE"]).exit == 0
