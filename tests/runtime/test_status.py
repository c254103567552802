"""`status` outside of a relay: where we are, and the one best next command."""

import subprocess
from pathlib import Path

import pytest

from relay_runtime.adapters import ADAPTERS
from support.runtime_package import Completed, run_runtime
from support.world import World, build_tree, tree_digest

NAME = "knowzcode/knowzcode_orchestration.md"


def status(world: World, root: Path, *words: str, host: str = "claude") -> Completed:
    return run_runtime(world, host, "status", *words, cwd=root)


def program(world: World, name: str) -> None:
    """A client that must not be started."""
    path = world.bin / name
    path.write_text(f"#!/bin/sh\ntouch '{world.root}/started-{name}'\n")
    path.chmod(0o755)


def test_before_setup(world: World) -> None:
    """REQ CFG-26: nothing is there yet, nothing is written, the next step is setup."""
    root = build_tree(world.root / "plain", {"a.txt": "a"})
    before = tree_digest(root)
    done = status(world, root)
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        "[RELAY-STATUS] host claude, target codex, knowzcode-relay 0.1.0\n"
        f"[RELAY-STATUS] project {root}, in no git repository, which a relay needs\n"
        f"[RELAY-STATUS] {NAME} is missing: relay: none\n"
        "[RELAY-STATUS] codex: not on PATH\n"
        "[RELAY-STATUS] claude: not on PATH\n"
        "next: kc-relay setup\n"
    )
    assert tree_digest(root) == before


def test_after_setup_it_is_time_to_look_at_the_target(world: World) -> None:
    """REQ DET-10: the programs are looked for, not started; `detect` asks them."""
    root = build_tree(world.root / "project", {NAME: "relay: other\n", ".git/HEAD": "ref: refs/heads/x\n"})
    for name in ("codex", "claude"):
        program(world, name)
    done = status(world, root)
    assert done.out.splitlines()[1:] == [
        f"[RELAY-STATUS] project {root}, in git",
        f"[RELAY-STATUS] {NAME} says relay: other",
        f"[RELAY-STATUS] codex: {world.bin}/codex",
        f"[RELAY-STATUS] claude: {world.bin}/claude",
        "next: kc-relay detect",
    ]
    assert not list(world.root.glob("started-*"))


def test_programs_are_called_like_their_targets() -> None:
    """`status` relies on it, so that it need not import the adapters."""
    assert {name: adapter.CLIENT.program for name, adapter in ADAPTERS.items()} == {
        name: name for name in ADAPTERS
    }


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("relay: sometimes\n", f"[RELAY-HALT] {NAME}:1: relay: sometimes is not one of its values."),
        ("relay: 'other\n", f"[RELAY-HALT] {NAME}:1: relay cannot be read: the closing quote is missing."),
        (
            "relay: none\nrelay: other\n",
            f"[RELAY-HALT] {NAME} sets relay twice: line 1 says 'none', line 2 says 'other'.",
        ),
        (
            "relay_codex_sandbox: read-only\n",
            f"[RELAY-HALT] {NAME}:1: relay_codex_sandbox: read-only cannot be used: the target has to write.",
        ),
    ],
)
def test_a_broken_configuration_is_shown_and_does_not_break_it(
    world: World, content: str, message: str
) -> None:
    """REQ A-20: status is where a person looks when something is broken."""
    root = build_tree(world.root / "project", {NAME: content})
    done = status(world, root)
    assert done.code == 0
    assert message in done.out.splitlines()
    assert done.out.splitlines()[-1].startswith("next: ask: ")


@pytest.mark.parametrize(("host", "call"), [("claude", "kc-relay"), ("codex", "python3 ")])
def test_a_configuration_that_names_the_host(world: World, host: str, call: str) -> None:
    """REQ RES-17, A-16: seen here, and the next step mends it."""
    root = build_tree(world.root / "project", {NAME: f"relay: {host}\n"})
    last_but_one, last = status(world, root, host=host).out.splitlines()[-2:]
    assert last_but_one == (
        f"[RELAY-WARNING] relay: {host} names this host itself, so nothing is relayed from here; "
        "relay: other works from both hosts."
    )
    assert last.startswith(f"next: {call}")
    assert last.endswith(" config persist")


def test_warnings_of_the_configuration(world: World) -> None:
    """Field report 14."""
    root = build_tree(world.root / "project", {NAME: "relay_modle: x\n"})
    assert (
        f"[RELAY-WARNING] {NAME}:1: relay_modle is no setting; relay_model is one.\n"
        in status(world, root).out
    )


def test_from_a_subfolder_and_through_a_link(world: World) -> None:
    """Field report 54: the same project from wherever one looks."""
    root = build_tree(world.root / "project", {NAME: "relay: other\n", "src/deep/a": ""})
    (world.root / "link").symlink_to(root)
    from_root = status(world, root).out
    assert status(world, root / "src" / "deep").out == from_root
    assert status(world, world.root / "link" / "src").out == from_root


@pytest.mark.parametrize("kind", ["repository", "submodule"])
def test_in_a_repository_of_its_own_inside_the_project(world: World, kind: str) -> None:
    """Field report 54: the root that was found is named, and so is the one further up."""
    root = build_tree(world.root / "my project", {NAME: "relay: other\n"})
    inner = root / "vendor"
    inner.mkdir()
    if kind == "repository":
        subprocess.run(["git", "init", "-q"], cwd=inner, env=world.environ(), check=True, timeout=60)
    else:
        (inner / ".git").write_text("gitdir: ../.git/modules/vendor\n")
    lines = status(world, inner).out.splitlines()
    assert lines[1:3] == [
        f"[RELAY-STATUS] project {inner}, in git",
        f"[RELAY-STATUS] {root} has a folder knowzcode; to use it: --project '{root}'",
    ]


def test_json(world: World) -> None:
    """What a program reads."""
    root = build_tree(world.root / "project", {NAME: "relay: sometimes\n"})
    program(world, "codex")
    answer = status(world, root, "--json").json()
    assert answer["ok"] is True
    data = answer["data"]
    assert data["host"] == "claude"
    assert data["target"] == "codex"
    assert data["project"] == str(root)
    assert data["set_up"] is True
    assert data["selector"] is None
    assert data["trouble"]["problem"] == "config.selector"
    assert data["programs"] == {"codex": f"{world.bin}/codex", "claude": None}
