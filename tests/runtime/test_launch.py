"""A detached supervisor: it outlives its caller, and what is left when something is killed is told truly."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from relay_runtime.adapters import LEGS
from relay_runtime.attempts.attempt import (
    Life,
    Record,
    Request,
    ask,
    life,
    read_exit,
    read_record,
    read_spec,
    write_record,
    write_spec,
)
from relay_runtime.attempts.launch import launch
from relay_runtime.attempts.process import Identity, Waits, alive, end_strays, identify, send
from relay_runtime.attempts.timebudget import Budget
from relay_runtime.clock import SystemClock, iso
from relay_runtime.errors import RelayError
from relay_runtime.state.outcome import Cause, Outcome
from support.dialects import SESSION, Codex, leg_rule
from support.fake_client import place
from support.legs import Bench
from support.pythons import python
from support.runtime_package import make_package
from support.waiting import wait_for
from support.world import World

CLOCK = SystemClock()
CODEX = Codex()
RUNTIME = Path(__file__).resolve().parents[2] / "runtime"


@pytest.fixture
def bench(world: World) -> Iterator[Bench]:
    bench = Bench(world, "codex")
    yield bench
    record = None
    with contextlib.suppress(RelayError):
        record = read_record(bench.files.record)
    if record is not None:
        send(record.supervisor, signal.SIGKILL)
        end_strays(record.id, CLOCK, Waits(terminate=0.2))


def package(world: World) -> Path:
    """The relay.py of an installed copy."""
    folder = world.root / "package"
    if not folder.exists():
        make_package(folder, "claude")
    return folder / "runtime" / "relay.py"


def sleeps(bench: Bench) -> None:
    place(bench.world, "codex", leg_rule(CODEX, *CODEX.start(), sleep=600))


def ended(bench: Bench) -> bool:
    return life(bench.files, CLOCK) is Life.ENDED


def session_known(bench: Bench) -> bool:
    return bench.record().facts.session_id == SESSION


def test_launch_returns_while_the_leg_runs(bench: Bench) -> None:
    """REQ EXE-05, field report 19: process and session are on disk as soon as they are known."""
    sleeps(bench)
    record = launch(bench.spec(), bench.environ(), CLOCK, package(bench.world))
    assert record.target is not None
    assert alive(record.target)
    assert os.getsid(record.target.pid) == record.target.pid != os.getsid(0)
    assert os.getsid(record.supervisor.pid) == record.supervisor.pid
    wait_for(lambda: session_known(bench))
    assert life(bench.files, CLOCK) is Life.RUNNING
    ask(bench.files, Request.STOP)
    wait_for(lambda: ended(bench))
    assert not alive(record.target)
    assert bench.verdict().outcome is Outcome.TIMEOUT_STOPPED


def test_nobody_needs_to_watch(bench: Bench) -> None:
    """REQ FAIL-07, field report 20: finished without a poller, and there to be read."""
    place(bench.world, "codex", leg_rule(CODEX, *CODEX.start(), *CODEX.finish()))
    launch(bench.spec(), bench.environ(), CLOCK, package(bench.world))
    wait_for(lambda: ended(bench))
    assert bench.verdict().outcome is Outcome.DONE


def test_a_program_that_cannot_be_started_is_told_at_once(bench: Bench) -> None:
    record = launch(bench.spec(), bench.environ(), CLOCK, package(bench.world))
    assert record.target is None
    assert "codex" in record.note
    wait_for(lambda: ended(bench))
    assert read_exit(bench.files) == 127


def test_the_leg_survives_the_end_of_its_caller(bench: Bench) -> None:
    """REQ EXE-10, HYC-03, field reports 1, 18, 21 and 50: TERM and KILL to the caller's whole group.

    The caller's own stdin is a pipe that nobody closes; the target's prompt ends all the same.
    """
    sleeps(bench)
    bench.spec()
    code = textwrap.dedent(
        """
        import sys, time
        sys.path[:0] = sys.argv[1:3]
        from pathlib import Path
        from relay_runtime.clock import SystemClock
        from relay_runtime.attempts.launch import launch
        from support.legs import Bench
        from support.world import World
        bench = Bench(World(Path(sys.argv[3])), "codex")
        launch(bench.spec(), bench.environ(), SystemClock(), Path(sys.argv[4]))
        print("launched", flush=True)
        time.sleep(600)
        """
    )
    tests = str(Path(__file__).resolve().parents[1])
    caller = subprocess.Popen(
        [sys.executable, "-c", code, tests, str(RUNTIME), str(bench.world.root), str(package(bench.world))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert caller.stdin is not None
    assert caller.stdout is not None
    assert caller.stdout.readline() == b"launched\n"
    os.killpg(caller.pid, signal.SIGTERM)
    os.killpg(caller.pid, signal.SIGKILL)
    caller.wait()
    caller.stdin.close()
    caller.stdout.close()
    wait_for(lambda: session_known(bench))
    assert life(bench.files, CLOCK) is Life.RUNNING


def test_a_killed_target_is_told_as_killed(bench: Bench) -> None:
    """REQ EXE-03, field report 49."""
    sleeps(bench)
    record = launch(bench.spec(), bench.environ(), CLOCK, package(bench.world))
    assert record.target is not None
    wait_for(lambda: session_known(bench))
    os.kill(record.target.pid, signal.SIGKILL)
    wait_for(lambda: ended(bench))
    assert read_exit(bench.files) == 137
    found = bench.verdict()
    assert found.outcome is Outcome.INTERRUPTED
    assert "SIGKILL" in found.reason


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_to_the_supervisor_ends_the_leg_and_names_itself(bench: Bench, number: int) -> None:
    """Field report 49: 128+n, the signal named, the target gone."""
    sleeps(bench)
    record = launch(bench.spec(), bench.environ(), CLOCK, package(bench.world))
    wait_for(lambda: session_known(bench))
    os.kill(record.supervisor.pid, number)
    wait_for(lambda: ended(bench))
    assert record.target is not None
    assert not alive(record.target)
    assert read_exit(bench.files) == 128 + number
    assert bench.record().cause is Cause.SIGNAL
    found = bench.verdict()
    assert found.outcome is Outcome.INTERRUPTED
    assert signal.Signals(number).name in found.reason


def test_supervisor_and_target_killed_is_lost_not_running(bench: Bench) -> None:
    """REQ EXE-09, RSM-04, field report 16: the first look says so."""
    sleeps(bench)
    record = launch(bench.spec(), bench.environ(), CLOCK, package(bench.world))
    target = record.target
    assert target is not None
    os.kill(record.supervisor.pid, signal.SIGKILL)
    wait_for(lambda: not alive(record.supervisor))
    assert life(bench.files, CLOCK) is Life.UNSUPERVISED
    os.kill(target.pid, signal.SIGKILL)
    wait_for(lambda: not alive(target))
    assert life(bench.files, CLOCK) is Life.LOST


@pytest.mark.parametrize("version", ["3.9", "3.13"])
def test_the_supervisor_runs_on_other_pythons(bench: Bench, version: str) -> None:
    place(bench.world, "codex", leg_rule(CODEX, *CODEX.start(), *CODEX.finish()))
    spec = bench.spec()
    write_spec(spec)
    command = [python(version), "-I", package(bench.world), "supervise", spec.files.spec]
    subprocess.run(command, env=bench.environ(), check=True, capture_output=True, timeout=60)
    assert bench.verdict().outcome is Outcome.DONE


def test_a_supervisor_that_never_came_up_is_no_running_leg(bench: Bench) -> None:
    """The launcher died between the spec and the first record: starting for a minute, then lost."""
    assert life(bench.files, CLOCK) is Life.LOST
    write_spec(bench.spec())
    assert life(bench.files, CLOCK) is Life.STARTING
    an_hour_ago = CLOCK.now().timestamp() - 3600
    os.utime(bench.files.spec, (an_hour_ago, an_hour_ago))
    assert life(bench.files, CLOCK) is Life.LOST


def test_a_runtime_that_cannot_start_is_told_with_the_command_to_try(bench: Bench) -> None:
    spec = bench.spec()
    with pytest.raises(RelayError) as refused:
        launch(spec, bench.environ(), CLOCK, bench.world.root / "no" / "relay.py")
    assert refused.value.problem == "launch.supervisor"
    assert str(spec.files.spec) in refused.value.hint
    assert read_exit(bench.files) == 127


def test_another_pid_namespace_cannot_be_judged(bench: Bench) -> None:
    """A host's sandbox sees none of the processes outside: unseen there is not ended."""
    me = identify(os.getpid())
    assert me is not None
    boot, _, ticks = me.start.split("/")
    elsewhere = Identity(me.pid, f"{boot}/4026000000/{ticks}")
    write_spec(bench.spec())
    write_record(
        bench.files.record,
        Record(id="x", supervisor=elsewhere, started=iso(CLOCK.now()), budget=Budget(90)),
    )
    assert life(bench.files, CLOCK) is Life.UNSEEN


def test_a_damaged_record_is_named(bench: Bench) -> None:
    write_spec(bench.spec())
    for text in ("", "{", "[]", '{"schema": 9}', '{"schema": 1}'):
        bench.files.record.write_text(text)
        with pytest.raises(RelayError, match=r"attempt-r0\.json is damaged"):
            life(bench.files, CLOCK)


def test_the_prompt_is_not_in_the_process_list(bench: Bench) -> None:
    """Field reports 1 and 2: 300 KB by stdin, byte for byte, no long argument."""
    prompt = "-dash 設計 🚀 \"quotes\" 'and' $(touch PWNED) `touch PWNED2`\nEOF\n" * 4000
    client = place(bench.world, "codex", leg_rule(CODEX, *CODEX.start(), *CODEX.finish(), sleep=0.2))
    invocation = LEGS["codex"].invocation(bench.request(prompt))
    launch(bench.spec(invocation), bench.environ(), CLOCK, package(bench.world))
    wait_for(lambda: ended(bench))
    (call,) = client.calls
    assert call["stdin"] == prompt
    assert max(map(len, call["argv"])) < 8192
    assert not list(bench.repo.iterdir())


def test_an_input_that_is_missing_is_refused(bench: Bench) -> None:
    """REQ EXE-11: each in its turn, by its name; nothing is started."""
    write_spec(bench.spec())
    path = bench.files.spec
    whole = json.loads(path.read_text())
    for name in whole:
        path.write_text(json.dumps({key: value for key, value in whole.items() if key != name}))
        with pytest.raises(RelayError, match=name) as refused:
            read_spec(path)
        assert str(path) in refused.value.message
    path.unlink()
    with pytest.raises(RelayError, match="does not exist"):
        read_spec(path)
