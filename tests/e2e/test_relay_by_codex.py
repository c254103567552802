"""A whole relay with the real Codex as host and the real Claude Code as target."""

import json
import shutil
from typing import Any, cast

import pytest

from knowzcode_relay.rehearsal import endpoints
from knowzcode_relay.rehearsal.model_server import ModelServer
from knowzcode_relay.rehearsal.request import Request
from knowzcode_relay.rehearsal.script import Step, Text, ToolCall
from support.clients import client
from support.following import GOAL, Following
from support.relaying import FILES
from support.rendered import rendered
from support.repo import Repo, make_repo
from support.run_client import run_client
from support.world import World

pytestmark = pytest.mark.client("claude", "codex")

REQUEST = f"--relay=claude {GOAL}"


def shell(command: str) -> ToolCall:
    return ToolCall("exec_command", {"cmd": command, "yield_time_ms": 30_000})


def target_step(request: Request) -> Step:
    """An agent that writes one file per leg, each time something else, and reports it."""
    (*_, newest) = cast("list[dict[str, Any]]", request.body["messages"])
    parts = newest["content"] if isinstance(newest["content"], list) else []
    if any(part.get("type") == "tool_result" for part in parts):
        return Text("### Files Changed\nsrc/greet.py")
    text = f"print('Hello, Ada {len(request.tool_results)}')"
    return ToolCall("Bash", {"command": f'echo "{text}" > src/greet.py', "description": "greet"})


def play(world: World, sandbox: str) -> tuple[Repo, list[Request]]:
    """One `codex exec` with the relay skill; what the host's model was told, request by request."""
    skills = world.home / ".codex" / "skills"
    shutil.copytree(rendered("codex", world.root / "rendered") / "skills", skills)
    repo = make_repo(world)
    repo.commit(FILES)
    # Codex runs commands in a login shell, which has the PATH of its profile.
    search = f"{world.environ()['PATH']}:{client('claude').parent}"
    (world.home / ".bash_profile").write_text(f"export PATH='{search}'\n")
    agent = Following(REQUEST, shell, str(skills / "knowzcode-relay"))

    def script(request: Request) -> Step:
        return agent.step(request) if request.path.endswith("/responses") else target_step(request)

    with ModelServer(script) as server:
        endpoint = endpoints.codex(server.url)
        run = run_client(
            [
                *(client("codex"), "-a", "never", "exec", *endpoint.arguments, "--json", "-s", sandbox),
                "-",
            ],
            cwd=repo.root,
            environ=world.environ(
                **endpoint.environ,
                **endpoints.claude(server.url).environ,
                PATH=search,
                KNOWZCODE_RELAY_REHEARSAL=server.url,
            ),
            logs=world.root / "logs",
            stdin=f"$knowzcode-relay {REQUEST}",
            seconds=150,
        )
    assert run.code == 0, run.err
    return repo, [request for request in server.requests if request.path.endswith("/responses")]


def test_a_relay_with_a_fix_round(world: World) -> None:
    """REQ RES-26: the printed commands lead from the request to DONE, outside of the host's sandbox."""
    repo, requests = play(world, "danger-full-access")
    assert "DONE" in requests[-1].last_result, requests[-1].tool_results
    assert repo("log", "--format=%s", "main..").count("KnowzCode relay: Claude round") == 2
    assert repo("status", "--porcelain") == ""


def test_inside_the_hosts_sandbox_it_stops_before_anything_is_touched(world: World) -> None:
    """Field report 30: found by trying, before quota is spent, with the way out printed."""
    repo, requests = play(world, "workspace-write")
    told = requests[-1].last_result
    assert "exited with code 3" in told
    assert "[RELAY-SANDBOX] The host's sandbox leaves this command no network and a read-only .git." in told
    (following,) = [line for line in told.splitlines() if line.startswith("next: ")]
    call = json.loads(following[following.index("{") :])
    assert call["sandbox_permissions"] == "require_escalated"
    assert " start --tier 3 --gate2-approved --resolution " in call["cmd"]
    assert repo("status", "--porcelain") == ""
    assert repo("branch", "--format=%(refname:short)") == "main"
