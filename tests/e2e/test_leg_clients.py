"""A leg of each real client against the scripted model: a success with a large prompt, then a resume."""

import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from knowzcode_relay.rehearsal.model_server import ModelServer
from knowzcode_relay.rehearsal.script import HttpError, Text, ToolCall
from relay_runtime.adapters import LEGS
from relay_runtime.adapters.leg import LegRequest
from relay_runtime.state.outcome import Cause, Outcome
from support.clients import client, release
from support.legs import Bench
from support.world import World

# 300 KB: a leading dash, quotes, substitutions, CJK and emoji; whole lines, so that nothing is trimmed.
PROMPT = '- 設計 🚀 it\'s "quoted" $(touch PWNED) `touch PWNED2` ${HOME} \\n\n' * 4200 + "The end.\n"


def leg_bench(world: World, target: str) -> Bench:
    bench = Bench(world, target)
    bench.request()
    for words in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "first"]):
        identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
        subprocess.run(["git", *identity, *words], cwd=bench.repo, check=True, env=world.environ())
    return bench


def request(bench: Bench, url: str, prompt: str, program: Path | None = None) -> LegRequest:
    binary = str(program or client(bench.target))
    return bench.request(prompt, binary=binary, endpoint=url, effort="low")


def write_call(target: str, name: str) -> ToolCall:
    command = f"echo made > {name}"
    if target == "codex":
        return ToolCall("exec_command", {"cmd": command})
    return ToolCall("Bash", {"command": command, "description": "make it"})


def environ(bench: Bench) -> dict[str, str]:
    path = f"{client(bench.target).parent}:{bench.world.environ()['PATH']}"
    return bench.environ(PATH=path, OPENAI_API_KEY="scripted", ANTHROPIC_API_KEY="scripted")


RELEASES = [
    ("codex", "0.171.0"),
    ("codex", "0.153.4"),
    ("codex", "0.130.0"),
    ("claude", "2.1.332"),
    ("claude", "2.1.294"),
    ("claude", "2.1.197"),
]


@pytest.mark.parametrize(
    ("target", "version"),
    [pytest.param(*one, marks=pytest.mark.client(one[0]), id="-".join(one)) for one in RELEASES],
)
def test_a_leg_and_its_resume(world: World, target: str, version: str) -> None:
    """REQ CXA-01, CXA-02, CLA-01, CLA-02, HYC-06, field reports 2 and 3: byte for byte, session kept."""
    bench, leg, program = leg_bench(world, target), LEGS[target], release(target, version)
    script = [
        write_call(target, "one.txt"),
        Text("### Files Changed\none.txt"),
        write_call(target, "two.txt"),
        Text("### Files Changed\ntwo.txt"),
    ]
    with ModelServer(script) as server:
        bench.run(bench.spec(leg.invocation(request(bench, server.url, PROMPT, program))), environ(bench))
        assert bench.verdict().outcome is Outcome.DONE, bench.files.log.read_text()[-3000:]
        session = bench.record().facts.session_id
        assert bench.files.last.read_text().strip() == "### Files Changed\none.txt"
        assert any(PROMPT.strip() in prompt for prompt in server.requests[0].prompts)

        bench.files.set_aside(1)
        again = leg.resume_invocation(request(bench, server.url, "- go on\n", program), session)
        bench.run(bench.spec(again, asked_session=session), environ(bench))
        found = bench.verdict(asked_session=session)
        assert found.outcome is Outcome.DONE, (found, bench.files.log.read_text()[-3000:])
        assert bench.record().facts.session_id == session
        told = server.requests[-1].prompts
        assert any(PROMPT.strip() in prompt for prompt in told)  # the same conversation
        assert any("- go on" in prompt for prompt in told)
    made = {path.name for path in bench.repo.iterdir()} - {".git", ".claude"}
    assert made == {"one.txt", "two.txt"}  # the sandbox let it write, on the resume too, and nothing else ran


@pytest.mark.client("claude")
def test_a_wrong_key_is_told_after_the_first_retry(world: World) -> None:
    """REQ FAIL-03, field report 92: Claude by itself would try for three minutes."""
    bench = leg_bench(world, "claude")
    with ModelServer(lambda _: HttpError(401, "no such key", "authentication_error")) as server:
        bench.run(bench.spec(LEGS["claude"].invocation(request(bench, server.url, "go"))), environ(bench))
        assert len(server.requests) <= 3
    assert bench.record().cause is Cause.AUTH
    assert bench.verdict().outcome is Outcome.AUTH


@pytest.mark.client("codex")
def test_an_unknown_session_is_gone(world: World) -> None:
    """REQ FAIL-10."""
    bench = leg_bench(world, "codex")
    session = "00000000-0000-7000-8000-000000000000"
    with ModelServer([Text("never asked")]) as server:
        again = LEGS["codex"].resume_invocation(request(bench, server.url, "go on"), session)
        bench.run(bench.spec(again, asked_session=session), environ(bench))
    assert bench.verdict(asked_session=session).outcome is Outcome.SESSION_GONE


@pytest.mark.client("codex")
def test_a_rollout_of_the_real_client_is_recognised(world: World) -> None:
    """REQ CXA-04: the fallback reads what the pinned client writes."""
    bench = leg_bench(world, "codex")
    since = datetime.now(UTC)
    with ModelServer([Text("done")]) as server:
        bench.run(bench.spec(LEGS["codex"].invocation(request(bench, server.url, "go"))), environ(bench))
    session = bench.record().facts.session_id
    assert session
    find = LEGS["codex"].session_fallback
    assert find(bench.repo, since, world.environ(), set()) == session
    assert find(bench.repo, since, world.environ(), {session}) == ""


@pytest.mark.client("claude")
def test_without_its_sandbox_claude_runs_nothing(world: World) -> None:
    """REQ HYA-09: no bubblewrap on PATH; the leg fails, its model is not asked, no command runs."""
    bench = leg_bench(world, "claude")
    for name in ("sh", "bash", "git", "socat", "rg", "cat", "ps"):
        found = shutil.which(name)
        if found:
            (world.bin / name).symlink_to(found)
    with ModelServer([write_call("claude", "one.txt"), Text("done")]) as server:
        call = LEGS["claude"].invocation(request(bench, server.url, "go"))
        bench.run(bench.spec(call), {**environ(bench), "PATH": str(world.bin)})
        assert not server.requests
    assert bench.verdict().outcome is Outcome.SANDBOX, bench.files.err.read_text()
    assert "bubblewrap" in bench.files.err.read_text()
    assert not (bench.repo / "one.txt").exists()
