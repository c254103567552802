"""The command: renders in a checkout, compares without writing, and refuses elsewhere."""

import json
from pathlib import Path

import pytest

from support.checkout import ROOT, copy_checkout, run_program
from support.world import World, tree_digest


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    return copy_checkout(tmp_path / "a checkout é")


def test_the_committed_packages_are_what_the_templates_give(world: World) -> None:
    """REQ PKG-04: byte-identical mirrors, proven by the check."""
    done = run_program(ROOT, "generate", "--check", environ=world.environ())

    assert (done.returncode, done.stderr) == (0, ""), done.stdout


@pytest.mark.parametrize(
    "path",
    [
        "dist/claude/runtime/relay.py",
        "dist/codex/skills/knowzcode-relay/runtime/relay.py",
        "dist/claude/skills/work/references/relay-execution.md",
        "dist/codex/skills/knowzcode-work/references/relay-execution.md",
        ".claude-plugin/marketplace.json",
    ],
)
def test_check_names_a_changed_file_and_changes_nothing(checkout: Path, world: World, path: str) -> None:
    """REQ PKG-04: change one byte, exit 8."""
    (checkout / path).write_bytes((checkout / path).read_bytes() + b"x")
    before = tree_digest(checkout)

    done = run_program(checkout, "generate", "--check", environ=world.environ())

    assert done.returncode == 8
    assert f"bytes   {path}\n" in done.stdout
    assert tree_digest(checkout) == before


def test_generate_brings_dist_up_to_date_and_says_what_it_did(checkout: Path, world: World) -> None:
    before = tree_digest(checkout)
    (checkout / "dist/claude/bin/kc-relay").chmod(0o644)
    (checkout / "dist/codex/extra").write_bytes(b"x")

    done = run_program(checkout, "generate", "--json", environ=world.environ())

    assert json.loads(done.stdout)["data"]["differences"] == [
        {"path": "dist/claude/bin/kc-relay", "kind": "mode"},
        {"path": "dist/codex/extra", "kind": "extra"},
    ]
    assert tree_digest(checkout) == before


def test_check_answers_in_json(checkout: Path, world: World) -> None:
    (checkout / "dist/claude/bin/kc-relay").unlink()

    done = run_program(checkout, "generate", "--check", "--json", environ=world.environ())

    answer = json.loads(done.stdout)
    assert (done.returncode, answer["code"], answer["ok"]) == (8, 8, False)
    assert answer["data"]["differences"] == [{"path": "dist/claude/bin/kc-relay", "kind": "missing"}]


def test_a_template_mistake_is_said_in_one_sentence_and_nothing_is_written(
    checkout: Path, world: World
) -> None:
    (checkout / "skill_templates/skills/relay.md").write_text("{{ nobody_said }}\n")
    before = tree_digest(checkout / "dist")

    done = run_program(checkout, "generate", environ=world.environ())

    assert done.returncode == 1
    assert done.stdout == "error: skills/relay.md, line 1: 'nobody_said' is undefined.\n"
    assert tree_digest(checkout / "dist") == before


def test_generate_refuses_outside_a_checkout(tmp_path: Path, world: World) -> None:
    elsewhere = copy_checkout(tmp_path / "elsewhere", ("generator", "runtime", "skill_templates"))

    done = run_program(elsewhere, "generate", environ=world.environ())

    assert done.returncode == 3
    assert "source checkout" in done.stdout
    assert not (elsewhere / "dist").exists()
