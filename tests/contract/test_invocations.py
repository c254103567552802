"""The exact command line of each target, and what it may never hold."""

import json
import shlex
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from relay_runtime.adapters import LEGS
from relay_runtime.attempts.facts import Facts, Usage
from support.dialects import SESSION
from support.legs import Bench
from support.world import World, build_tree


@pytest.fixture(params=sorted(LEGS))
def bench(request: pytest.FixtureRequest, world: World) -> Bench:
    return Bench(world, request.param)


def test_codex_round_0(world: World) -> None:
    """REQ CXA-01, HYC-01, HYC-02, HYC-04, HYC-05: the prompt by stdin, whatever its size."""
    bench = Bench(world, "codex")
    call = LEGS["codex"].invocation(bench.request())
    assert call.argv == (
        str(world.bin / "codex"),
        "-a",
        "never",
        "exec",
        "-C",
        str(bench.repo),
        "--skip-git-repo-check",
        "--ignore-user-config",
        "-m",
        "gpt-5.6-sol",
        "-c",
        'model_reasoning_effort="high"',
        "-s",
        "workspace-write",
        "--json",
        "-o",
        str(bench.files.last),
        "-",
    )
    assert (call.cwd, call.stdin, call.remove) == (
        bench.repo,
        bench.folder / "brief-r0.md",
        (bench.files.last,),
    )


def test_codex_resume(world: World) -> None:
    """REQ CXA-02, CXA-08, HYC-06, field reports 59 and 61: no -C, -s, -a, --last; everything given again."""
    bench = Bench(world, "codex")
    call = LEGS["codex"].resume_invocation(bench.request(effort="xhigh"), SESSION)
    assert call.argv[1:] == (
        "exec",
        "resume",
        "--skip-git-repo-check",
        "--ignore-user-config",
        "-m",
        "gpt-5.6-sol",
        "-c",
        'model_reasoning_effort="xhigh"',
        "-c",
        'sandbox_mode="workspace-write"',
        "-c",
        'approval_policy="never"',
        "--json",
        "-o",
        str(bench.files.last),
        SESSION,
        "-",
    )
    assert not {"-C", "-s", "-a", "--last"} & set(call.argv)
    assert call.cwd == bench.repo


CLAUDE_WORDS = (
    "--verbose",
    "--output-format",
    "stream-json",
    "--include-partial-messages",
    "--permission-mode",
    "dontAsk",
    "--tools",
    "Bash,Read,Edit,Write,Glob,Grep",
    "--allowedTools",
    "Bash Edit(./**) Write(./**)",
    "--model",
    "opus",
    "--effort",
    "high",
)


@pytest.mark.parametrize("session", ["", SESSION])
def test_claude(world: World, session: str) -> None:
    """REQ CLA-01, CLA-02, HYA-01, HYA-04, HYA-05, HYA-06, HYA-10, HYA-11: the same on a resume."""
    bench = Bench(world, "claude")
    leg, wanted = LEGS["claude"], bench.request()
    call = leg.resume_invocation(wanted, session) if session else leg.invocation(wanted)
    assert call.argv[1:] == (
        "-p",
        *(("--resume", session) if session else ()),
        *CLAUDE_WORDS,
        "--settings",
        str(bench.folder / "claude-settings.json"),
        "--mcp-config",
        str(bench.folder / "claude-mcp.json"),
        "--strict-mcp-config",
        "--no-chrome",
    )
    assert (call.cwd, call.stdin) == (bench.repo, bench.folder / "brief-r0.md")
    assert call.environ == {
        "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": "1",
        "CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR": "1",
    }


@pytest.mark.parametrize(
    ("budget", "words"), [(None, ()), (2.5, ("2.5",)), (10.0, ("10",)), (0.05, ("0.05",))]
)
def test_claude_budget(world: World, budget: float | None, words: tuple[str, ...]) -> None:
    call = LEGS["claude"].invocation(Bench(world, "claude").request(max_budget_usd=budget))
    found = [call.argv[place + 1] for place, word in enumerate(call.argv) if word == "--max-budget-usd"]
    assert tuple(found) == words


def test_claude_files(world: World) -> None:
    """REQ HYA-08, HYA-10, ART-04: strict sandbox with three keys, no MCP server; none for Codex."""
    files = {name: json.loads(data) for name, data in LEGS["claude"].files().items()}
    assert files == {
        "claude-settings.json": {
            "sandbox": {"enabled": True, "failIfUnavailable": True, "allowUnsandboxedCommands": False}
        },
        "claude-mcp.json": {"mcpServers": {}},
    }
    assert LEGS["codex"].files() == {}


def test_nothing_widens_a_leg(bench: Bench) -> None:
    """REQ HYA-07, HYA-12: no call skips permissions, drops the project's guidance or guesses a session."""
    leg = LEGS[bench.target]
    wanted = bench.request()
    for call in (leg.invocation(wanted), leg.resume_invocation(wanted, SESSION)):
        words = " ".join(call.argv)
        for forbidden in (
            "--dangerously",
            "bypass",
            "--bare",
            "--safe-mode",
            "--continue",
            "--last",
            "--yolo",
            "--full-auto",
        ):
            assert forbidden not in words


def test_the_prompt_is_never_a_word(bench: Bench) -> None:
    """REQ HYC-03, HYA-03, A-07, field report 2."""
    leg = LEGS[bench.target]
    wanted = bench.request("PROMPT-MARKER " * 40_000)
    for call in (leg.invocation(wanted), leg.resume_invocation(wanted, SESSION)):
        assert "PROMPT-MARKER" not in " ".join(call.argv)
        assert max(map(len, call.argv)) < 8192
        assert call.stdin.is_file()


def test_the_shell_form_runs_the_same(bench: Bench) -> None:
    """A person can paste it: hostile paths stay single words."""
    root = bench.world.root / "a b'c$(touch PWNED)"
    repo, folder = root / "repo", root / "relay"
    folder.mkdir(parents=True)
    repo.mkdir()
    (folder / "p.md").write_text("the prompt")
    recorder = root / "client"
    recorder.write_text('#!/bin/sh\npwd\nfor word in "$@"; do printf "%s\\n" "$word"; done\ncat\n')
    recorder.chmod(0o755)
    wanted = bench.request(
        binary=str(recorder), cwd=repo, prompt=folder / "p.md", last=folder / "last", folder=folder
    )
    call = LEGS[bench.target].invocation(wanted)
    line = call.as_shell(folder / "log", folder / "err")
    subprocess.run(["/bin/sh", "-c", line], check=True, cwd="/", env=bench.world.environ())
    assert (folder / "log").read_text() == "\n".join([str(repo), *call.argv[1:], "the prompt"])
    assert shlex.split(line)[:2] == ["cd", str(repo)]
    assert not list(bench.world.root.rglob("PWNED"))


def test_attach(bench: Bench) -> None:
    assert shlex.join(LEGS[bench.target].attach(SESSION)) in (
        f"codex resume {SESSION}",
        f"claude --resume {SESSION}",
    )


def rollout(cwd: Path, begun: datetime, session: str) -> str:
    stamp = begun.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    payload = {"id": session, "timestamp": stamp, "cwd": str(cwd), "originator": "codex_exec"}
    return json.dumps({"timestamp": stamp, "type": "session_meta", "payload": payload}) + "\n"


def test_codex_session_from_its_rollouts(world: World) -> None:
    """REQ CXA-04, A-25: the newest that began here, during the leg, and belongs to no other leg."""
    repo = world.root / "repo"
    since = datetime.now(UTC).replace(microsecond=0)
    day = f".codex/sessions/{since.astimezone():%Y/%m/%d}"
    tree: dict[str, str | bytes] = {
        f"{day}/rollout-1-elsewhere.jsonl": rollout(world.root, since + timedelta(seconds=9), "elsewhere"),
        f"{day}/rollout-2-ours.jsonl": rollout(repo, since + timedelta(seconds=2), "ours"),
        f"{day}/rollout-3-known.jsonl": rollout(repo, since + timedelta(seconds=5), "known"),
        f"{day}/rollout-4-before.jsonl": rollout(repo, since - timedelta(seconds=2), "before"),
        f"{day}/rollout-5-first.jsonl": rollout(repo, since + timedelta(seconds=1), "first"),
        f"{day}/rollout-6-junk.jsonl": b"\xff{",
        f"{day}/rollout-7-empty.jsonl": "",
    }
    build_tree(world.home, tree)
    find = LEGS["codex"].session_fallback
    assert find(repo, since, world.environ(), {"known"}) == "ours"
    assert find(repo, since + timedelta(seconds=6), world.environ(), {"known"}) == ""
    assert find(repo, since, {"HOME": str(world.root / "nobody")}, set()) == ""


def test_running_totals_are_not_added_up() -> None:
    """Field report 39: two turns that report 100 and 250 used 250."""
    facts = Facts()
    for total in (100, 250):
        usage = {"input_tokens": total, "output_tokens": total // 10}
        facts = LEGS["codex"].read(facts, {"type": "turn.completed", "usage": usage})
    assert facts.usage == Usage(250, 25)
