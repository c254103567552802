"""The real clients, each pointed at the scripted model: a tool call is run, then a text ends the turn."""

import subprocess

import pytest

from knowzcode_relay.rehearsal import endpoints
from knowzcode_relay.rehearsal.endpoints import Endpoint
from knowzcode_relay.rehearsal.model_server import ModelServer
from knowzcode_relay.rehearsal.script import Text, ToolCall
from support.clients import client
from support.run_client import Run, run_client
from support.world import World


def play(world: World, before: list[str], after: list[str], endpoint: Endpoint) -> Run:
    repository = world.root / "repo"
    repository.mkdir()
    subprocess.run(["git", "init", "-q", repository], check=True, env=world.environ())
    return run_client(
        [client(before[0]), *before[1:], *endpoint.arguments, *after],
        cwd=repository,
        environ=world.environ(**endpoint.environ),
        logs=world.root / "logs",
    )


@pytest.mark.client("claude")
def test_claude_runs_a_tool_and_answers(world: World) -> None:
    with ModelServer([ToolCall("Bash", {"command": "echo ran-it"}), Text("All done.")]) as server:
        words = ["--output-format", "json", "--allowedTools", "Bash", "--no-session-persistence", "go ahead"]
        run = play(world, ["claude", "-p"], words, endpoints.claude(server.url))
    assert (run.code, "All done." in run.out) == (0, True), run.err
    assert [request.last_result for request in server.requests] == ["", "ran-it"]
    assert "go ahead" in server.requests[0].prompts


@pytest.mark.client("codex")
def test_codex_runs_a_tool_and_answers(world: World) -> None:
    with ModelServer([ToolCall("exec_command", {"cmd": "echo ran-it"}), Text("All done.")]) as server:
        words = ["--json", "--skip-git-repo-check", "-s", "workspace-write", "go ahead"]
        run = play(world, ["codex", "-a", "never", "exec"], words, endpoints.codex(server.url))
    assert (run.code, "All done." in run.out) == (0, True), run.err
    assert "ran-it" in server.requests[1].last_result
    assert "go ahead" in server.requests[0].prompts


@pytest.mark.client("opencode")
def test_opencode_runs_a_tool_and_answers(world: World) -> None:
    call = ToolCall("bash", {"command": "echo ran-it", "description": "say so"})
    with ModelServer([call, Text("All done.")]) as server:
        words = ["--format", "json", "go ahead"]
        run = play(world, ["opencode", "run"], words, endpoints.opencode(server.url))
    assert (run.code, "All done." in run.out) == (0, True), run.err
    assert "ran-it" in server.requests[1].last_result
    assert any("go ahead" in prompt for prompt in server.requests[0].prompts)
