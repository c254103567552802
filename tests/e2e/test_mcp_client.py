"""A leg and its fix round over the MCP server of the last Codex release that has one."""

import json
import subprocess
from pathlib import Path

import pytest

from knowzcode_relay.rehearsal.model_server import ModelServer
from knowzcode_relay.rehearsal.script import Text, ToolCall
from relay_runtime.clock import SystemClock
from relay_runtime.mcp import bridge
from relay_runtime.mcp.offer import offer
from relay_runtime.mcp.server import close, living
from relay_runtime.state.outcome import Outcome
from support.clients import client, release
from support.legs import Bench
from support.runtime_package import make_package
from support.world import World, build_tree

CLOCK = SystemClock()


def register(world: World, program: Path, url: str) -> None:
    server = {"type": "stdio", "command": str(program), "args": ["mcp-server"]}
    provider = (
        f'name = "scripted"\nbase_url = "{url}/v1"\nwire_api = "responses"\nenv_key = "OPENAI_API_KEY"\n'
    )
    build_tree(
        world.home,
        {
            ".claude/.claude.json": json.dumps({"mcpServers": {"codex": server}}),
            ".codex/config.toml": f'model_provider = "scripted"\n[model_providers.scripted]\n{provider}',
        },
    )


def environ(bench: Bench) -> dict[str, str]:
    path = f"{client('codex').parent}:{bench.world.environ()['PATH']}"
    return bench.environ(PATH=path, OPENAI_API_KEY="scripted")


@pytest.mark.client("codex")
def test_a_leg_and_its_reply(world: World) -> None:
    """REQ TRN-05, TRN-08, TRN-09: one thread in one server, and nothing of it left after it is closed."""
    bench = Bench(world, "codex")
    bench.request()
    subprocess.run(["git", "init", "-q", bench.repo], check=True, env=world.environ())
    runtime = make_package(world.root / "package", "claude") / "runtime" / "relay.py"

    def leg(prompt: str, thread: str) -> None:
        call = bridge.invocation(bench.request(prompt, model="gpt-5.5"), thread)
        argv = (*call.argv[:2], str(runtime), *call.argv[3:])
        bench.run(bench.spec(call, argv=argv, asked_session=thread), environ(bench))
        found = bench.verdict(asked_session=thread)
        assert found.outcome is Outcome.DONE, (found, bench.files.log.read_text())

    script = [
        ToolCall("exec_command", {"cmd": "echo made > one.txt"}),
        Text("first done"),
        ToolCall("exec_command", {"cmd": "echo made > two.txt"}),
        Text("second done"),
    ]
    with ModelServer(script) as server:
        register(world, release("codex", "0.153.4"), server.url)
        assert offer(environ(bench), bench.repo, CLOCK).usable
        leg("the first prompt", "")
        thread = bench.record().facts.session_id
        bench.files.set_aside(1)
        leg("the second prompt", thread)
        told = server.requests[-1].prompts
    assert [
        word for word in ("first", "second") if any(f"the {word} prompt" in prompt for prompt in told)
    ] == [
        "first",
        "second",
    ]
    assert bench.record().facts.session_id == thread
    assert {path.name for path in bench.repo.iterdir()} == {".git", "one.txt", "two.txt"}
    assert close(bench.folder, CLOCK) == ()
    assert living(bench.folder) is None


@pytest.mark.client("codex")
def test_the_newest_release_has_no_server(world: World) -> None:
    """REQ TRN-06, A-41: its registered command is not callable, so auto is exec."""
    bench = Bench(world, "codex")
    bench.request()
    register(world, client("codex"), "http://127.0.0.1:9")
    found = offer(environ(bench), bench.repo, CLOCK)
    assert not found.usable
    assert "not callable" in found.reason
