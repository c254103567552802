"""A whole relay with the real Claude Code as host and the real Codex as target, and no question asked."""

from typing import Any, cast

import pytest

from knowzcode_relay.rehearsal.request import Request
from knowzcode_relay.rehearsal.script import Step, Text, ToolCall
from support.claude_host import ClaudeHost
from support.clients import client
from support.following import GOAL, Following
from support.relaying import FILES
from support.run_client import run_client
from support.world import World

REQUEST = f"--relay=codex {GOAL}"


def bash(command: str) -> ToolCall:
    return ToolCall("Bash", {"command": command, "timeout": 150_000})


def target_step(request: Request) -> Step:
    """An agent that writes one file per leg, each time something else, and reports it."""
    (*_, newest) = cast("list[dict[str, Any]]", request.body["input"])
    if newest.get("type") == "function_call_output":
        return Text("### Files Changed\nsrc/greet.py")
    text = f"print('Hello, Ada {len(request.tool_results)}')"
    return ToolCall("exec_command", {"cmd": f'echo "{text}" > src/greet.py'})


@pytest.mark.client("claude", "codex")
@pytest.mark.parametrize("mode", ["default", "dontAsk"])
def test_a_relay_with_a_fix_round(world: World, mode: str) -> None:
    """REQ RES-26: every command that the runtime prints runs unasked, from the typed request to DONE.

    As in a new clone, the ignored folder knowzcode/workgroups/ is not there yet.
    """
    login = run_client(
        [client("codex"), "login", "--with-api-key"],
        cwd=world.root,
        environ=world.environ(),
        logs=world.root / "logs",
        stdin="scripted\n",
    )
    assert login.code == 0, login.err
    host, agent = ClaudeHost(world, real=True), Following(REQUEST, bash)
    host.repo.commit(FILES)

    def script(request: Request) -> Step:
        return target_step(request) if request.path.endswith("/responses") else agent.step(request)

    played = host.play(f"/knowzcode:relay {REQUEST}", script, "--permission-mode", mode)
    told = [request for request in played.requests if not request.path.endswith("/responses")][-1]
    assert "DONE" in told.last_result, told.tool_results
    assert {decision.answer for decision in played.decisions.values()} == {"accept"}
    assert host.repo("log", "--format=%s", "main..").count("KnowzCode relay: Codex round") == 2
    assert host.repo("status", "--porcelain") == ""
