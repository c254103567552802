"""A whole relay with the real Claude Code as host and the real Codex as target, and no question asked."""

import json
from typing import Any, cast

import pytest

from knowzcode_relay.rehearsal.request import Request
from knowzcode_relay.rehearsal.script import Step, Text, ToolCall
from support.call_forms import fill, request_form
from support.claude_host import ClaudeHost
from support.clients import client
from support.plans import a_feedback, a_gap, a_plan
from support.relaying import FILES
from support.run_client import run_client
from support.world import World

REQUEST = "--relay=codex Greet the user by name; don't `touch` $(anything)."


class Host:
    """An agent that does what the skill and then each `next:` line say, and brings the judgement as JSON."""

    def __init__(self) -> None:
        self._inputs: dict[str, list[dict[str, Any]]] = {
            "start": [a_plan()],
            "review": [a_feedback(a_gap()), a_feedback()],
        }

    def step(self, request: Request) -> Step:
        if not request.tool_results:
            skill = next(prompt for prompt in request.prompts if "RELAY_HOST = claude" in prompt)
            return self._call(fill(request_form(skill), REQUEST))
        said = [line for line in request.last_result.splitlines() if line.startswith("next: kc-relay ")]
        if not said:
            return Text(f"ended: {request.last_result}")
        command = said[-1].removeprefix("next: ")
        waiting = self._inputs.get(command.split()[1], [])
        body = f" <<'KC_JSON'\n{json.dumps(waiting.pop(0))}\nKC_JSON" if waiting else ""
        return self._call(command + body)

    def _call(self, command: str) -> ToolCall:
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
    host, agent = ClaudeHost(world, real=True), Host()
    host.repo.commit(FILES)

    def script(request: Request) -> Step:
        return target_step(request) if request.path.endswith("/responses") else agent.step(request)

    played = host.play(f"/knowzcode:relay {REQUEST}", script, "--permission-mode", mode)
    told = [request for request in played.requests if not request.path.endswith("/responses")][-1]
    assert "DONE" in told.last_result, told.tool_results
    assert {decision.answer for decision in played.decisions.values()} == {"accept"}
    assert host.repo("log", "--format=%s", "main..").count("KnowzCode relay: Codex round") == 2
    assert host.repo("status", "--porcelain") == ""
