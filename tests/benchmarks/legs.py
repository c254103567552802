"""What watching a leg costs: wall time over the bare client, the supervisor's memory and its idle CPU."""

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from measure import Row, ratio

from knowzcode_relay.rehearsal.model_server import ModelServer
from knowzcode_relay.rehearsal.script import Delay, Text
from relay_runtime.adapters import LEGS
from relay_runtime.attempts.attempt import Request, Spec, ask
from relay_runtime.attempts.launch import launch
from relay_runtime.attempts.process import ATTEMPT
from relay_runtime.clock import SystemClock
from relay_runtime.state.outcome import Outcome
from support.clients import client
from support.dialects import Codex, leg_rule
from support.fake_client import place
from support.legs import Bench
from support.runtime_package import make_package
from support.waiting import wait_for
from support.world import World, make_world

CLOCK = SystemClock()
LEG_SECONDS = 20.0
IDLE_SECONDS = 30.0


def rows(world: World) -> Iterator[Row]:
    runtime = make_package(world.root / "package", "claude") / "runtime" / "relay.py"
    for target in sorted(LEGS):
        yield _overhead(make_world(world.root / target), target, runtime)
    yield from _idle(make_world(world.root / "idle"), runtime)


def _overhead(world: World, target: str, runtime: Path) -> Row:
    """Launch to verdict, against the same command line with the same files, alone."""
    bench = Bench(world, target)
    bench.request()
    with ModelServer(lambda _: Delay(LEG_SECONDS, Text("done"))) as server:
        path = f"{client(target).parent}:{world.environ()['PATH']}"
        environ = bench.environ(PATH=path, OPENAI_API_KEY="scripted", ANTHROPIC_API_KEY="scripted")
        wanted = bench.request("# go\n", binary=str(client(target)), endpoint=server.url)
        call = LEGS[target].invocation(wanted)

        def watched() -> float:
            began = time.perf_counter()
            bench.files.set_aside(1)
            launch(bench.spec(call), environ, CLOCK, runtime)
            wait_for(bench.files.exit.exists, 120)
            assert bench.verdict().outcome is Outcome.DONE, bench.verdict()
            return time.perf_counter() - began

        def bare() -> float:
            began = time.perf_counter()
            _run_alone(bench.spec(call), environ)
            return time.perf_counter() - began

        return ratio(f"leg of {target}", "the bare client", watched, bare, limit=1.05, runs=2)


def _run_alone(spec: Spec, environ: dict[str, str]) -> None:
    with spec.stdin.open("rb") as given, spec.files.log.open("wb") as log, spec.files.err.open("wb") as err:
        everything = {**environ, **spec.environ, ATTEMPT: spec.id}
        subprocess.run(
            spec.argv, stdin=given, stdout=log, stderr=err, cwd=spec.cwd, env=everything, check=True
        )


def _idle(world: World, runtime: Path) -> Iterator[Row]:
    """A target that said something and then is silent."""
    codex = Codex()
    bench = Bench(world, codex.name)
    talk = ["times", 2000, codex.speak("on it")[0]]
    place(world, codex.name, leg_rule(codex, *codex.start(), talk, sleep=600))
    record = launch(bench.spec(), bench.environ(), CLOCK, runtime)
    supervisor = record.supervisor.pid
    wait_for(lambda: bench.record().facts.events >= 2000, 60)
    time.sleep(5)  # until it looks as seldom as it ever does
    before = _cpu_seconds(supervisor)
    time.sleep(IDLE_SECONDS)
    share = 100 * (_cpu_seconds(supervisor) - before) / IDLE_SECONDS
    memory = _private_megabytes(supervisor)
    ask(bench.files, Request.CANCEL)
    wait_for(bench.files.exit.exists, 60)
    yield Row(
        "idle supervisor", "one processor", share, 100.0, "%", share, 0.2, f"{share:.3f} %, at most 0.2 %"
    )
    goal = f"{memory:.1f} MB, at most 20 MB"
    yield Row("supervisor's private memory", "20 MB", memory, 20.0, "MB", memory, 20.0, goal)


def _cpu_seconds(pid: int) -> float:
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


def _private_megabytes(pid: int) -> float:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private")) / 1024
