"""The call form of the Codex package in the real client, in its sandbox: the text arrives unchanged."""

import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from knowzcode_relay.rehearsal import endpoints
from knowzcode_relay.rehearsal.model_server import ModelServer
from knowzcode_relay.rehearsal.request import Request
from knowzcode_relay.rehearsal.script import Step, Text, ToolCall
from support.approvals import BIG, HOSTILE, REPORT_3
from support.call_forms import fill, request_form
from support.clients import client
from support.rendered import rendered
from support.run_client import run_client
from support.world import World, build_tree

TEXTS = (REPORT_3, HOSTILE, BIG)
RECORDER = Path(__file__).resolve().parents[1] / "fakes" / "observed" / "relay.py"


def installed(world: World) -> Path:
    """Our skills in the client's own folder, the runtime replaced by a program that tells what it got."""
    skills = world.home / ".codex" / "skills"
    shutil.copytree(rendered("codex", world.root / "rendered") / "skills", skills)
    shutil.copy(RECORDER, skills / "knowzcode-relay" / "runtime" / "relay.py")
    return skills / "knowzcode-relay"


@pytest.mark.client("codex")
def test_the_call_form_in_the_workspace_sandbox(world: World) -> None:
    """REQ NL-13, Field report 3: no PWNED file, and the runtime gets every byte of the request."""
    skill = installed(world)
    repository = build_tree(world.root / "repo", {"README.md": "x\n"})
    subprocess.run(["git", "init", "-q", repository], check=True, env=world.environ())

    def resolving(request: Request) -> Step:
        if request.number > len(TEXTS):
            return Text("done")
        told = next(prompt for prompt in request.prompts if "RELAY_HOST = codex" in prompt)
        form = request_form(told).replace("<dir>", str(skill))
        return ToolCall("exec_command", {"cmd": fill(form, TEXTS[request.number - 1])})

    with ModelServer(resolving) as server:
        endpoint = endpoints.codex(server.url)
        run = run_client(
            [
                *(client("codex"), "-a", "never", "exec", *endpoint.arguments),
                *("--json", "-s", "workspace-write", "-"),
            ],
            cwd=repository,
            environ=world.environ(**endpoint.environ),
            logs=world.root / "logs",
            stdin=f"$knowzcode-relay {REPORT_3}",
        )
    assert run.code == 0, run.err
    results = server.requests[-1].tool_results
    seen = [json.loads(found[0]) for result in results for found in [re.findall(r'\{"words".*\}', result)]]
    assert [each["sha256"] for each in seen] == [
        hashlib.sha256(f"{text}\n".encode()).hexdigest() for text in TEXTS
    ]
    assert {tuple(each["words"]) for each in seen} == {("resolve", "--entry", "relay")}
    assert not list(world.root.rglob("PWNED*"))
