"""A leg over MCP: the registered server is found, tried, called, answered again, and lost."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from relay_runtime.attempts.process import alive
from relay_runtime.clock import SystemClock
from relay_runtime.mcp import bridge
from relay_runtime.mcp.offer import offer
from relay_runtime.mcp.registry import registered
from relay_runtime.mcp.server import close, living
from relay_runtime.state.outcome import Outcome
from support.legs import PROMPT, Bench
from support.mcp import THREAD, TOOLS, calls, register
from support.runtime_package import make_package
from support.waiting import wait_for
from support.world import World, build_tree

CLOCK = SystemClock()


@pytest.fixture
def bench(world: World) -> Iterator[Bench]:
    bench = Bench(world, "codex")
    bench.request()
    yield bench
    close(bench.folder, CLOCK)


def leg(bench: Bench, thread: str = "") -> int:
    """Run one leg through the bridge of an installed copy, as a supervisor does."""
    package = bench.world.root / "package"
    if not package.exists():
        make_package(package, "claude")
    call = bridge.invocation(bench.request(), thread)
    argv = (*call.argv[:2], str(package / "runtime" / "relay.py"), *call.argv[3:])
    return bench.run(bench.spec(call, argv=argv, asked_session=thread))


def test_the_servers_of_project_and_user_are_found(world: World) -> None:
    """REQ TRN-05: the nearest registration counts; other kinds of server do not."""
    home, project = world.home / ".claude", world.root / "repo"
    environ = world.environ()

    def write(local: str, shared: str, user: str) -> None:
        def servers(command: str) -> dict[str, object]:
            return {"mcpServers": {"codex": {"command": command, "args": ["mcp-server"], "env": {"A": "b"}}}}

        projects = {str(project): servers(local)} if local else {}
        config = {"projects": projects, **(servers(user) if user else {})}
        tree: dict[str, str | bytes] = {".claude.json": json.dumps(config)}
        build_tree(home, tree)
        build_tree(project, {".mcp.json": json.dumps(servers(shared) if shared else {})})

    assert registered(environ, project) is None
    write("", "", "")
    assert registered(environ, project) is None
    for local, shared, user, expected in (
        ("", "", "u", "u"),
        ("", "s", "u", "s"),
        ("l", "s", "u", "l"),
    ):
        write(local, shared, user)
        found = registered(environ, project)
        assert found is not None
        assert (found.argv, dict(found.environ)) == ((expected, "mcp-server"), {"A": "b"})
    remote = {"mcpServers": {"codex": {"type": "http", "url": "http://x"}}}
    write("", "", "")
    build_tree(home, {".claude.json": json.dumps(remote)})
    assert registered(environ, project) is None
    build_tree(home, {".claude.json": "{"})
    assert registered(environ, project) is None


def test_a_server_with_thread_ids_is_usable(bench: Bench) -> None:
    """REQ TRN-05: it is tried, and nothing of the trial is left."""
    log = register(bench.world)
    assert offer(bench.environ(), bench.repo, CLOCK).usable
    assert calls(log) == []


@pytest.mark.parametrize(
    ("tools", "reason"),
    [
        ([{"name": "codex"}, {"name": "codex-reply"}], "gives no thread id"),
        ([TOOLS[0]], "gives no thread id"),
        ([], "gives no thread id"),
    ],
)
def test_a_server_without_thread_ids_is_not(bench: Bench, tools: list[object], reason: str) -> None:
    """REQ TRN-06."""
    register(bench.world, tools=tools)
    found = offer(bench.environ(), bench.repo, CLOCK)
    assert not found.usable
    assert reason in found.reason


@pytest.mark.parametrize(
    ("command", "reason"),
    [(["/no/such/program"], "cannot be started"), (["/bin/true"], "not callable")],
)
def test_a_server_that_does_not_work_is_not(bench: Bench, command: list[str], reason: str) -> None:
    """REQ TRN-06: registered but not callable."""
    entry = {"command": command[0], "args": command[1:]}
    build_tree(bench.world.home, {".claude/.claude.json": json.dumps({"mcpServers": {"codex": entry}})})
    found = offer(bench.environ(), bench.repo, CLOCK)
    assert not found.usable
    assert reason in found.reason


def test_round_0_is_one_call_with_six_arguments(bench: Bench) -> None:
    """REQ TRN-08: the thread id is kept, and the leg is judged like any other."""
    log = register(bench.world)
    assert leg(bench) == 0
    (call,) = calls(log)
    assert call == {
        "name": "codex",
        "arguments": {
            "prompt": PROMPT,
            "cwd": str(bench.repo),
            "sandbox": "workspace-write",
            "approval-policy": "never",
            "model": "gpt-5.6-sol",
            "config": {"model_reasoning_effort": "high"},
        },
    }
    assert bench.verdict().outcome is Outcome.DONE
    facts = bench.record().facts
    assert (facts.session_id, facts.files, facts.operation) == (
        THREAD,
        ("hello.py",),
        "file change completed",
    )
    assert (facts.usage.input, facts.usage.output) == (10, 20)
    assert bench.files.last.read_text() == "done"
    assert "developer" not in bench.files.log.read_text()


def test_a_fix_round_replies_while_the_server_lives(bench: Bench) -> None:
    """REQ TRN-09."""
    log = register(bench.world)
    leg(bench)
    assert bridge.can_reply(bench.folder)
    bench.files.set_aside(1)
    assert leg(bench, THREAD) == 0
    assert calls(log)[1] == {
        "name": "codex-reply",
        "arguments": {"prompt": PROMPT, "threadId": THREAD},
    }
    assert bench.verdict(asked_session=THREAD).outcome is Outcome.DONE


def test_a_closed_server_leaves_nothing(bench: Bench) -> None:
    register(bench.world)
    leg(bench)
    server = living(bench.folder)
    assert server is not None
    assert close(bench.folder, CLOCK) == ()
    assert not alive(server.process)
    assert not bridge.can_reply(bench.folder)
    assert close(bench.folder, CLOCK) == ()


def test_a_severed_call_fails_with_its_session_known(bench: Bench) -> None:
    """REQ TRN-10, FAIL-08: the id is there, so that exec resume can go on."""
    register(bench.world, die=1)
    assert leg(bench) == 1
    found = bench.verdict()
    assert found.outcome is Outcome.FAILED
    assert "connection to the MCP server was lost" in found.reason
    assert bench.record().facts.session_id == THREAD
    assert not bridge.can_reply(bench.folder)


def test_a_reply_without_its_server_says_that_the_session_is_gone(bench: Bench) -> None:
    register(bench.world)
    assert leg(bench, THREAD) == 1
    assert bench.verdict(asked_session=THREAD).outcome is Outcome.SESSION_GONE


def test_a_failed_call_is_classified_and_ends_the_server(bench: Bench) -> None:
    text = "unexpected status 401 Unauthorized: no such key"
    register(bench.world, events=[{"type": "error", "message": text}], content=text, error=True)
    assert leg(bench) == 1
    assert bench.verdict().outcome is Outcome.AUTH
    assert not bridge.can_reply(bench.folder)


def test_a_stopped_leg_takes_its_server_with_it(bench: Bench) -> None:
    """Facts: a cancelled call leaves its command running until the server ends."""
    register(bench.world)
    entry = {"command": sys.executable, "args": ["-c", "import time; time.sleep(600)"]}
    config = {"mcpServers": {"codex": entry}}
    build_tree(bench.world.home, {".claude/.claude.json": json.dumps(config)})
    package = make_package(bench.world.root / "package", "claude")
    call = bridge.invocation(bench.request())
    argv = [*call.argv[:2], str(package / "runtime" / "relay.py"), *call.argv[3:]]
    with call.stdin.open("rb") as prompt:
        running = subprocess.Popen(argv, stdin=prompt, stdout=subprocess.DEVNULL, env=bench.environ())
    wait_for(lambda: living(bench.folder))
    server = living(bench.folder)
    assert server is not None
    running.send_signal(signal.SIGTERM)
    assert running.wait(30) == 1
    assert not alive(server.process)
