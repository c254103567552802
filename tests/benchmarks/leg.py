"""What a leg costs as a host has it: the verbs `launch` and `poll` to the verdict, over the bare client."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack

from measure import Row, ratio

from knowzcode_relay.rehearsal import scene
from knowzcode_relay.rehearsal.clients import CLIENTS
from knowzcode_relay.rehearsal.model_server import ModelServer
from knowzcode_relay.rehearsal.request import Request
from knowzcode_relay.rehearsal.script import Delay, Text, ToolCall
from relay_runtime.attempts.attempt import read_spec
from support.staged import Staged, staged
from support.world import World, make_world

LEG_SECONDS = 20.0


def rows(world: World) -> Iterator[Row]:
    for target in sorted(CLIENTS):
        yield _overhead(world, target)


def _overhead(world: World, target: str) -> Row:
    """Each run has a relay of its own, ready before its time counts; the bare client then does the same."""
    made: list[Staged] = []

    def model(request: Request) -> ToolCall | Delay:
        if not request.tool_results:
            return CLIENTS[target].command(f"mkdir -p greeting && echo Hello > {scene.RESULT}")
        return Delay(LEG_SECONDS, Text("done"))

    with ModelServer(model) as server, ExitStack() as stages:

        def by_verbs() -> float:
            own = make_world(world.root / f"{target}-{len(made)}")
            ready = stages.enter_context(staged(own, target, server))
            made.append(ready)
            for verb in ("launch", "poll"):  # so that their bytecode is there, as from the second relay on
                ready.host.run((*ready.stage.call, verb, "--help"))
            started = ready.until("start")["start"]
            began = time.perf_counter()
            answer = ready.go_on(started, "poll")["poll"]
            while "[RELAY-OUTCOME]" not in answer.lines[0]:
                answer = ready.go_on(answer, "poll")["poll"]
            return time.perf_counter() - began

        def bare() -> float:
            spec = read_spec(made[-1].relay_folder / "attempt-r0.spec.json")
            environ = {**made[-1].host.environ, **spec.environ}
            began = time.perf_counter()
            with spec.stdin.open("rb") as given, spec.files.log.open("wb") as log:
                subprocess.run(spec.argv, stdin=given, stdout=log, cwd=spec.cwd, env=environ, check=True)
            return time.perf_counter() - began

        return ratio(f"`launch` and `poll`, {target}", "the bare client", by_verbs, bare, limit=1.05, runs=2)
