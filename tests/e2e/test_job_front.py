"""`knowzcode-relay job` from the built wheel: the same runtime, streams and exit codes, for any host."""

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.dialects import REPORT, Codex, Step
from support.fake_client import FakeClient, place, rule
from support.jobs import HEADER, Jobs, block_of
from support.world import World

CODEX = Codex()


@pytest.fixture
def jobs(world: World) -> Iterator[Jobs]:
    found = Jobs(world)
    yield found
    found.end_all()


def fake(world: World, *before: Step) -> FakeClient:
    return place(world, "codex", rule(stdin=True, steps=[*CODEX.start(), *before, *CODEX.finish()]))


def call(program: Path, jobs: Jobs, *words: str, stdin: str = "") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [program, *words],
        input=stdin,
        cwd=jobs.repo,
        env=jobs.world.environ(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_straight_from_the_wheel(program: Path, jobs: Jobs) -> None:
    """Seed: a shell of any host runs a job without anything installed."""
    fake(jobs.world)
    done = call(program, jobs, "job", "run", "--id", "a", stdin=f"{HEADER}Do it.")
    assert (done.returncode, done.stderr) == (0, "")
    assert block_of(done.stdout)["state"] == "completed"
    assert done.stdout.endswith(f"---\n{REPORT}")
    assert call(program, jobs, "job", "wait", "a").stdout == done.stdout
    assert call(program, jobs, "job", "run", stdin="modle: x\n---\nx").returncode == 2
    assert '"job": "a"' in call(program, jobs, "job", "list", "--json").stdout
    assert "--workflow RUN" in call(program, jobs, "job", "--help").stdout


def test_the_installed_runtime_is_asked_first(program: Path, jobs: Jobs) -> None:
    """It stays when the program's environment goes, and a worker may run for hours."""
    installed = call(program, jobs, "install", "--platforms", "codex")
    assert installed.returncode == 0, installed.stdout
    fake(jobs.world)
    assert call(program, jobs, "job", "run", stdin=f"{HEADER}x").returncode == 0
    runtime = jobs.world.home / ".codex" / "skills" / "knowzcode-relay" / "runtime" / "relay.py"
    runtime.write_text("import sys; print('asked for', *sys.argv[1:]); sys.exit(7)")
    done = call(program, jobs, "job", "list", "--running")
    assert (done.returncode, done.stdout) == (7, "asked for job list --running\n")


@pytest.mark.skipif(os.name != "posix", reason="signals are a thing of Unix")
def test_a_signal_reaches_the_job(program: Path, jobs: Jobs) -> None:
    """Field report 49."""
    fake(jobs.world, ["await", str(jobs.world.root / "never")])
    running = subprocess.Popen(
        [program, "job", "run", "--id", "a"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=jobs.repo,
        env=jobs.world.environ(),
        text=True,
    )
    assert running.stdin is not None
    running.stdin.write(f"{HEADER}x")
    running.stdin.close()
    running.stdin = None
    jobs.session_of("a")
    running.send_signal(signal.SIGTERM)
    out, _ = running.communicate(timeout=60)
    assert (running.returncode, block_of(out)["state"]) == (128 + signal.SIGTERM, "cancelled")
