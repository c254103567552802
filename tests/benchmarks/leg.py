"""What a leg costs as a host has it: the verbs `launch` and `poll` to the verdict, over the bare client."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from measure import Row, ratio

from knowzcode_relay.install.request import bundled
from knowzcode_relay.rehearsal import scene, stage
from knowzcode_relay.rehearsal.clients import CLIENTS, other
from knowzcode_relay.rehearsal.host import Host, Step
from knowzcode_relay.rehearsal.model_server import ModelServer
from knowzcode_relay.rehearsal.request import Request
from knowzcode_relay.rehearsal.script import Delay, Text, ToolCall
from knowzcode_relay.rehearsal.stage import Stage
from relay_runtime.attempt import read_spec
from support.clients import client
from support.world import SYSTEM_PATH, World

LEG_SECONDS = 20.0


def rows(world: World) -> Iterator[Row]:
    for target in sorted(CLIENTS):
        yield _overhead(world, target)


def _overhead(world: World, target: str) -> Row:
    """Each run has a relay of its own, ready before its time counts; the bare client then does the same."""
    made: list[Stage] = []

    def model(request: Request) -> ToolCall | Delay:
        if not request.tool_results:
            return CLIENTS[target].command(f"mkdir -p greeting && echo Hello > {scene.RESULT}")
        return Delay(LEG_SECONDS, Text("done"))

    with ModelServer(model) as server:

        def by_verbs() -> float:
            ready = _stage(world, target, len(made))
            made.append(ready)
            host = _host(ready, server.url)
            (launch,) = (step.following(ready.call) for step in _until_started(host, ready))
            began = time.perf_counter()
            poll = host.run(launch)
            while poll.following(ready.call)[len(ready.call)] in ("launch", "poll"):
                poll = host.run(poll.following(ready.call))
            assert "[RELAY-OUTCOME]" in poll.lines[0], poll
            return time.perf_counter() - began

        def bare() -> float:
            (found,) = made[-1].repository.glob("knowzcode/workgroups/*-relay/attempt-r0.spec.json")
            spec = read_spec(found)
            environ = {**made[-1].environ(server.url), **spec.environ}
            began = time.perf_counter()
            with spec.stdin.open("rb") as given, spec.files.log.open("wb") as log:
                subprocess.run(spec.argv, stdin=given, stdout=log, cwd=spec.cwd, env=environ, check=True)
            return time.perf_counter() - began

        return ratio(f"`launch` and `poll`, {target}", "the bare client", by_verbs, bare, limit=1.05, runs=2)


def _stage(world: World, target: str, number: int) -> Stage:
    path = os.pathsep.join((str(client(target).parent), str(Path(sys.executable).parent), SYSTEM_PATH))
    root, host = world.root / f"{target}-{number}", other(target)
    root.mkdir()
    made = stage.build(root, host, target, bundled((host,))[host], world.environ(PATH=path))
    stage.populate(made)
    stage.log_in(made, client(target))
    return made


def _host(made: Stage, url: str) -> Host:
    inputs = {"resolve": scene.request(made.target), "start": scene.PLAN}
    return Host(made.call, made.environ(url), made.repository, lambda verb: inputs.get(verb, ""))


def _until_started(host: Host, made: Stage) -> list[Step]:
    """The answer of `start`, as a list of one."""
    for verb in ("launch", "poll"):
        host.run((*made.call, verb, "--help"))  # so that their bytecode is there, as from the second relay on
    host.run((*made.call, "setup"))
    (made.repository / scene.SPEC).write_text(scene.SPEC_TEXT)
    return list(host.follow("resolve", "--entry", "relay", limit=2))[-1:]
