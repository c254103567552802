"""The rendered packages in the real clients: valid, installable from this repository, listed, readable."""

import json
import shutil
from pathlib import Path

import pytest

from knowzcode_relay import __version__
from knowzcode_relay.rehearsal import endpoints
from knowzcode_relay.rehearsal.model_server import ModelServer
from knowzcode_relay.rehearsal.script import Text, ToolCall
from support.checkout import ROOT, copy_checkout
from support.clients import client
from support.run_client import Run, run_client
from support.world import World

NAMES = ("continue", "relay", "setup", "status", "work")


def run(world: World, *argv: str | Path, **more: str) -> Run:
    return run_client(
        [client(str(argv[0])), *argv[1:]],
        cwd=world.home,
        environ=world.environ(**more),
        logs=world.root / "logs",
    )


def done(world: World, *argv: str | Path) -> Run:
    result = run(world, *argv)
    assert result.code == 0, result.out + result.err
    return result


@pytest.fixture
def marketplace(tmp_path: Path) -> Path:
    return copy_checkout(tmp_path / "a place é", ("dist", ".claude-plugin", ".agents"))


@pytest.mark.client("claude")
def test_claude_finds_nothing_to_complain_about(world: World, marketplace: Path) -> None:
    """REQ PKG-08."""
    for path in (marketplace, marketplace / "dist/claude"):
        assert "✔ Validation passed" in done(world, "claude", "plugin", "validate", "--strict", path).out


@pytest.mark.client("claude")
def test_claude_refuses_a_skill_without_a_description(world: World, marketplace: Path) -> None:
    """REQ PKG-08: the check above would see it."""
    path = marketplace / "dist/claude/skills/relay/SKILL.md"
    path.write_text(path.read_text().replace("description:", "descriptio:", 1))

    assert run(world, "claude", "plugin", "validate", "--strict", marketplace / "dist/claude").code == 1


@pytest.mark.client("claude")
def test_claude_installs_the_plugin_from_the_repository_and_runs_its_skill(
    world: World, marketplace: Path
) -> None:
    """REQ PKG-08, REQ PKG-11: listed by name and version; a typed skill reaches the model, kc-relay runs."""
    done(world, "claude", "plugin", "marketplace", "add", marketplace)
    done(world, "claude", "plugin", "install", "knowzcode@knowzcode-relay")
    script = [ToolCall("Bash", {"command": "kc-relay --version"}), Text("Done.")]
    with ModelServer(script) as server:
        endpoint = endpoints.claude(server.url)
        words = ["--output-format", "stream-json", "--verbose", "--permission-mode", "dontAsk"]
        prompt = "/knowzcode:relay Have Codex add \\$1 and $(pwd)"
        result = run(world, "claude", "-p", *endpoint.arguments, *words, prompt, **endpoint.environ)

    start = json.loads(result.out.splitlines()[0])
    assert [name for name in start["skills"] if name.startswith("knowzcode:")] == [
        f"knowzcode:{name}" for name in NAMES
    ]
    assert "knowzcode:relay-runner" in start["agents"]
    assert {plugin["name"]: plugin.get("version") for plugin in start["plugins"]}["knowzcode"] == __version__
    body = (marketplace / "dist/claude/skills/relay/SKILL.md").read_text().split("---\n", 2)[2].strip()
    seen = "\n".join(server.requests[0].prompts)
    assert body in seen
    assert "Have Codex add \\$1 and $(pwd)" in seen
    assert server.requests[1].last_result == f"knowzcode-relay {__version__} (claude)"


@pytest.mark.client("claude")
def test_claude_goes_from_one_skill_to_the_next_unasked(world: World, marketplace: Path) -> None:
    """The relay skill opens the work skill by the Skill tool, and the runtime still runs after it."""
    script = [
        ToolCall("Skill", {"skill": "knowzcode:relay", "args": "add it"}),
        ToolCall("Skill", {"skill": "knowzcode:work", "args": "add it"}),
        ToolCall("Bash", {"command": "kc-relay --version"}),
        Text("Done."),
    ]
    with ModelServer(script) as server:
        endpoint = endpoints.claude(server.url)
        words = ["--plugin-dir", marketplace / "dist/claude", "--permission-mode", "dontAsk"]
        result = run(world, "claude", "-p", *endpoint.arguments, *words, "add it", **endpoint.environ)

    assert result.code == 0, result.err
    results = [request.last_result for request in server.requests[1:]]
    assert results[:2] == ["Launching skill: knowzcode:relay", "Launching skill: knowzcode:work"]
    assert results[2] == f"knowzcode-relay {__version__} (claude)"
    assert "# Work\n\n`RELAY_HOST = claude`" in "\n".join(server.requests[2].prompts)


def prompt_of_codex(world: World) -> Run:
    return run(world, "codex", "debug", "prompt-input", "hi")


@pytest.mark.client("codex")
def test_codex_installs_the_plugin_from_the_repository_and_reads_its_skill(
    world: World, marketplace: Path
) -> None:
    """REQ PKG-08: all five listed; the one that is called reaches the model word for word."""
    done(world, "codex", "plugin", "marketplace", "add", marketplace)
    done(world, "codex", "plugin", "add", "knowzcode@knowzcode-relay")
    with ModelServer([Text("Done.")]) as server:
        endpoint = endpoints.codex(server.url)
        words = ["-a", "never", *endpoint.arguments, "exec", "--skip-git-repo-check"]
        result = run(world, "codex", *words, "$knowzcode:knowzcode-relay do it", **endpoint.environ)

    assert result.code == 0, result.err
    listing = prompt_of_codex(world)
    assert listing.err == ""
    for name in NAMES:
        assert f"- knowzcode:knowzcode-{name}: " in listing.out
    body = (marketplace / "dist/codex/skills/knowzcode-relay/SKILL.md").read_text().split("---\n", 2)[2]
    assert body.strip() in "\n".join(server.requests[0].prompts)


@pytest.mark.client("codex")
def test_codex_reads_the_skills_from_its_own_folder_but_none_without_a_description(world: World) -> None:
    """REQ PKG-08."""
    skills = world.home / ".codex/skills"
    shutil.copytree(ROOT / "dist/codex/skills", skills)
    bad = skills / "knowzcode-status/SKILL.md"
    bad.write_text(bad.read_text().replace("description:", "descriptio:", 1))

    listing = prompt_of_codex(world)

    assert [name for name in NAMES if f"- knowzcode-{name}: " in listing.out] == [
        name for name in NAMES if name != "status"
    ]
