"""The rule that docs/permissions.md offers: Codex runs exactly our program outside of its sandbox."""

import re
import subprocess
from pathlib import Path

import pytest

from knowzcode_relay.rehearsal import endpoints
from knowzcode_relay.rehearsal.model_server import ModelServer
from knowzcode_relay.rehearsal.request import Request
from knowzcode_relay.rehearsal.script import Step, Text, ToolCall
from support.clients import client
from support.run_client import run_client
from support.world import World, build_tree

PAGE = Path(__file__).resolve().parents[2] / "docs" / "permissions.md"
PROBE = 'open(".git/probe", "w").close()\nprint("outside")\n'


@pytest.mark.client("codex")
def test_only_the_call_itself_leaves_the_sandbox(world: World) -> None:
    """A second command or a heredoc in the same line keeps the whole line inside."""
    skills = build_tree(world.home / ".codex" / "skills", {"knowzcode-relay/runtime/relay.py": PROBE})
    program = skills / "knowzcode-relay" / "runtime" / "relay.py"
    (rule,) = re.findall(r"^prefix_rule\(.*\)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    rule = rule.replace("/path/to/knowzcode-relay/runtime/relay.py", str(program))
    build_tree(world.home / ".codex" / "rules", {"knowzcode.rules": rule + "\n"})
    repository = world.root / "repo"
    subprocess.run(["git", "init", "-q", repository], check=True, env=world.environ())
    call = f"python3 {program} start --file plan.json"
    lines = (call, f"{call}; touch second", f"{call} <<'X'\ntext\nX")

    def asking(request: Request) -> Step:
        if request.number > len(lines):
            return Text("done")
        return ToolCall("exec_command", {"cmd": lines[request.number - 1]})

    with ModelServer(asking) as server:
        endpoint = endpoints.codex(server.url)
        command = ["-a", "never", "exec", *endpoint.arguments, "--json", "-s", "workspace-write", "-"]
        run = run_client(
            [client("codex"), *command],
            cwd=repository,
            environ=world.environ(**endpoint.environ),
            logs=world.root / "logs",
            stdin="go",
        )
    assert run.code == 0, run.err
    assert ["outside" in result for result in server.requests[-1].tool_results] == [True, False, False]
