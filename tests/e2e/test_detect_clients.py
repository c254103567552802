"""Readiness of the real clients, and from inside a real host's sandbox."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.checkout import ROOT
from support.clients import client
from support.run_client import run_client
from support.runtime_package import Completed, package_of, run_runtime
from support.world import SYSTEM_PATH, World, tree_digest

HOST_OF = {"codex": "claude", "claude": "codex"}
LOGINS = {"codex": "codex login", "claude": "claude auth login"}


def path_with(name: str) -> str:
    """PATH with the client's folder; npm's wrappers also need the node they were installed with."""
    return f"{client(name).parent}:{Path(sys.executable).parent}:{SYSTEM_PATH}"


def detect(world: World, target: str, *words: str, **variables: str) -> Completed:
    environ = world.environ(PATH=path_with(target), **variables)
    return run_runtime(world, HOST_OF[target], "detect", target, *words, environ=environ)


def log_in_codex(world: World) -> None:
    login = run_client(
        [client("codex"), "login", "--with-api-key"],
        cwd=world.root,
        environ=world.environ(PATH=path_with("codex")),
        logs=world.root / "logs",
        stdin="sk-test-0123456789abcdef\n",
    )
    assert login.code == 0, login.err


@pytest.mark.parametrize(
    "target",
    [
        pytest.param("codex", marks=pytest.mark.client("codex")),
        pytest.param("claude", marks=pytest.mark.client("claude")),
    ],
)
def test_logged_out(world: World, target: str) -> None:
    """REQ DET-03, DET-05: the real client without any login."""
    answer = detect(world, target)
    assert answer.code == 4
    assert answer.out.splitlines()[0].endswith(f"installed-unauthed — run: {LOGINS[target]}")


@pytest.mark.client("codex")
def test_codex_with_a_stored_key(world: World) -> None:
    """REQ DET-03, DET-07: the real login status counts, and the key's part that it prints stays hidden."""
    log_in_codex(world)
    answer = detect(world, "codex")
    assert (answer.code, answer.out.count("\n")) == (0, 1), answer.out
    assert answer.out.endswith("authed)\n")
    assert "sk-test" not in answer.out + answer.err


@pytest.mark.client("claude")
def test_claude_with_a_key_in_the_environment(world: World) -> None:
    """REQ DET-05: the real record says logged in, and who pays is named."""
    answer = detect(world, "claude", ANTHROPIC_API_KEY="sk-test-marker")
    assert answer.code == 0
    assert "[RELAY-CREDENTIAL] Claude Code pays with the API key in ANTHROPIC_API_KEY" in answer.out
    assert "marker" not in answer.out


@pytest.mark.client("codex", "claude")
@pytest.mark.parametrize("network", [False, True])
def test_inside_a_codex_sandbox(world: World, network: bool) -> None:
    """Field reports 30, 31 and 89: a real workspace-write sandbox is found by trying, and how to leave it."""
    client("claude")
    project = world.root / "project"
    subprocess.run(["git", "init", "-q", project], check=True, env=world.environ())
    before = tree_digest(project)
    relay = package_of(world, "codex") / "runtime" / "relay.py"
    settings = [
        'sandbox_mode="workspace-write"',
        f"sandbox_workspace_write.network_access={str(network).lower()}",
        "sandbox_workspace_write.exclude_slash_tmp=true",  # where this world's home lies
    ]
    ran = run_client(
        [
            *(client("codex"), "sandbox"),
            *(word for setting in settings for word in ("-c", setting)),
            "--",
            *(sys.executable, "-I", relay, "detect", "claude"),
        ],
        cwd=project,
        environ=world.environ(PATH=path_with("codex")),
        logs=world.root / "logs",
    )
    lines = ran.out.splitlines()
    assert ran.code == 4, ran.out + ran.err
    assert any(line.startswith("[RELAY-NETWORK]") for line in lines) is not network
    assert any("Read-only here: .git and Claude Code's own folder" in line for line in lines)
    assert any("sandbox cannot start inside the host's" in line for line in lines)
    assert "may hide the login" in lines[-1]
    assert '"sandbox_permissions": "require_escalated"' in lines[-1]
    assert tree_digest(project) == before


COMMANDS = {
    "codex": (["login"], ["login", "--with-api-key"], ["login", "status"], ["logout"], ["resume"]),
    "claude": (["auth", "login"], ["auth", "logout"], ["auth", "status", "--json"], ["update"], ["--resume"]),
}


@pytest.mark.parametrize(
    ("target", "words"),
    [
        pytest.param(target, words, marks=pytest.mark.client(target), id=f"{target} {' '.join(words)}")
        for target, all_words in COMMANDS.items()
        for words in all_words
    ],
)
def test_commands_that_we_advise_exist(world: World, target: str, words: list[str]) -> None:
    """REQ DET-11: what we tell people to run is in the client's own help."""
    environ = world.environ(PATH=path_with(target))
    asked = [client(target), *words, "--help"]
    help_text = run_client(asked, cwd=world.root, environ=environ, logs=world.root / "logs")
    assert help_text.code == 0, help_text.err
    usage = next(line for line in help_text.out.splitlines() if line.startswith("Usage:"))
    commands = [word for word in words if not word.startswith("-")]
    assert " ".join(commands) in usage
    assert all(word in help_text.out for word in words if word.startswith("-"))


def test_no_other_command_of_a_client_is_advised() -> None:
    """REQ DET-11: what pages and skills tell to type is among the commands above; legs have their tests."""
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "dist").rglob("*.md")]
    told = {
        (client, re.sub(r" \{.*", "", words))
        for page in pages
        for client, words in re.findall(
            r"(?<![\w/=])(?<!platforms )(codex|claude) ((?:[a-z]|--)[^`|]*)`", page.read_text("utf-8")
        )
    }
    legs = {("codex", "exec"), ("codex", "exec resume"), ("claude", "plugin")}
    known = {(name, " ".join(words)) for name, all_words in COMMANDS.items() for words in all_words}
    assert told - legs - known - {(name, "--version") for name in COMMANDS} == set()
