"""The variable that points a leg at a rehearsal's model: loopback only, and it shows."""

from pathlib import Path

import pytest

from relay_runtime.adapters import LEGS
from relay_runtime.errors import UsageError
from relay_runtime.rehearsal import VARIABLE, endpoint
from support.legs import Bench
from support.runtime_package import run_runtime
from support.world import World, build_tree

URL = "http://127.0.0.1:4711"


OTHERS = (
    "",
    "http://example.com:80",
    "https://127.0.0.1:4711",
    "http://127.0.0.1",
    "http://127.0.0.1:0",
    "http://127.0.0.1:4711/v1",
    "http://127.0.0.1:4711@example.com",
    "http://user@127.0.0.1:4711",
    "http://localhost:4711",
    'http://127.0.0.1:4711", x="',
    "http://127.0.0.1:4711\n",
    "http://127.0.0.1:\uff14711",
)


@pytest.mark.parametrize("address", OTHERS)
def test_any_other_address_is_refused(address: str) -> None:
    """Only a plain loopback address is a rehearsal's."""
    with pytest.raises(UsageError, match="must be http://127"):
        endpoint({VARIABLE: address})


@pytest.mark.parametrize("verb", ["status", "detect", "resolve"])
def test_every_verb_refuses_it(world: World, verb: str) -> None:
    words = [verb, "--entry", "work"] if verb == "resolve" else [verb]
    environ = world.environ(KNOWZCODE_RELAY_REHEARSAL="http://example.com:80")
    done = run_runtime(world, "claude", *words, environ=environ, stdin=b"build it")
    assert done.code == 2
    assert "KNOWZCODE_RELAY_REHEARSAL must be http://127.0.0.1:PORT" in done.out


def test_every_tagged_line_shows_the_rehearsal_and_the_next_line_stays_a_command(world: World) -> None:
    environ = world.environ(KNOWZCODE_RELAY_REHEARSAL=URL)
    words = ("resolve", "--entry", "relay")
    said = run_runtime(world, "claude", *words, environ=environ, stdin=b"build it").out
    *lines, last = said.splitlines()
    assert lines
    assert all(line.startswith("[RELAY-REHEARSAL] [RELAY-") for line in lines if "[RELAY-" in line)
    assert last.startswith("next: kc-relay start ")


def test_json_says_that_it_is_a_rehearsal(world: World) -> None:
    environ = world.environ(KNOWZCODE_RELAY_REHEARSAL=URL)
    outside = run_runtime(world, "claude", "status", "--json").json()
    inside = run_runtime(world, "claude", "status", "--json", environ=environ).json()
    assert inside["data"]["rehearsal"] is True
    assert "rehearsal" not in outside["data"]


def test_a_project_file_does_not_switch_it_on(world: World) -> None:
    block = f"```yaml\nKNOWZCODE_RELAY_REHEARSAL: {URL}\nrehearsal: {URL}\n```\n"
    project = build_tree(
        world.root / "project",
        {
            ".env": f"KNOWZCODE_RELAY_REHEARSAL={URL}\n",
            "knowzcode/knowzcode_orchestration.md": block,
        },
    )
    said = run_runtime(world, "claude", "status", "--project", str(project)).out
    assert "[RELAY-REHEARSAL]" not in said


@pytest.mark.parametrize("target", ["claude", "codex"])
def test_the_address_reaches_the_target(world: World, target: str) -> None:
    """Fresh and resumed alike; outside of a rehearsal no word of the call changes."""
    bench = Bench(world, target)
    leg = LEGS[target]
    for plain, moved in (
        (leg.invocation(bench.request()), leg.invocation(bench.request(endpoint=URL))),
        (
            leg.resume_invocation(bench.request(), "s"),
            leg.resume_invocation(bench.request(endpoint=URL), "s"),
        ),
    ):
        assert URL in " ".join([*moved.argv, *moved.environ.values()])
        assert URL not in " ".join([*plain.argv, *plain.environ.values()])
        assert set(plain.argv) <= set(moved.argv)


def test_the_package_has_one_place_that_reads_the_variable() -> None:
    """The name stands in one module of the runtime."""
    runtime = Path(__file__).resolve().parents[2] / "runtime"
    named = [path.name for path in runtime.rglob("*.py") if "KNOWZCODE_RELAY_REHEARSAL" in path.read_text()]
    assert named == ["rehearsal.py"]
