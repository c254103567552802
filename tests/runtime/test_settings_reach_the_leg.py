"""What a project configures is what a leg gets, in every leg, and nothing of the other provider."""

import json
from typing import Any

import pytest

from support.plans import a_feedback, a_gap, a_plan
from support.relaying import Relaying, make_relaying
from support.world import World

CODEX_KEYS = (
    "relay_codex_model: codex-marker",
    "relay_codex_effort: low",
    "relay_codex_fix_effort: medium",
    "relay_codex_sandbox: danger-full-access",
    "relay_model: legacy-marker",
    "relay_effort: minimal",
    "relay_sandbox: workspace-write",
)
CLAUDE_KEYS = (
    "relay_claude_model: claude-marker",
    "relay_claude_effort: max",
    "relay_claude_fix_effort: xhigh",
    "relay_claude_permission_mode: acceptEdits",
    "relay_claude_max_budget_usd: 2.5",
)


def relayed(world: World, host: str) -> tuple[Relaying, str]:
    """A relay of round 0 and one fix round under all keys of both providers; and what start printed."""
    relaying = make_relaying(world, host)
    text = "```yaml\n" + "\n".join((*CODEX_KEYS, *CLAUDE_KEYS)) + "\n```\n"
    relaying.repo.commit({"knowzcode/knowzcode_orchestration.md": text})
    words = ("start", "--tier", "3", "--gate2-approved", "--resolution", relaying.token())
    said = relaying.run(*words, stdin=json.dumps(a_plan())).out
    relaying.plays(relaying.works(), relaying.works(text="again\n"))
    relaying.leg()
    relaying.json("checkpoint")
    relaying.json("review", stdin=json.dumps(a_feedback(a_gap())))
    relaying.leg()
    return relaying, said


def pair(argv: list[str], flag: str) -> str:
    return argv[argv.index(flag) + 1]


def kept(relaying: Relaying) -> str:
    """Everything that the relay's folder holds, and every word that the target was called with."""
    (folder,) = relaying.repo.root.glob("knowzcode/workgroups/*-relay")
    texts = [path.read_text(errors="replace") for path in sorted(folder.iterdir())]
    return "\n".join([*texts, *(json.dumps(call["argv"]) for call in relaying.legs())])


def test_a_codex_leg_gets_its_own_keys_and_no_claude_key(world: World) -> None:
    """REQ CFG-09, CFG-13, CFG-24, CXA-06, HYC-02."""
    relaying, said = relayed(world, "claude")
    first, fix = (call["argv"] for call in relaying.legs())
    assert "sandbox danger-full-access" in said
    assert [pair(argv, "-m") for argv in (first, fix)] == ["codex-marker", "codex-marker"]
    assert 'model_reasoning_effort="low"' in first
    assert 'model_reasoning_effort="medium"' in fix
    assert pair(first, "-s") == "danger-full-access"
    assert 'sandbox_mode="danger-full-access"' in fix
    assert not [word for word in ("claude-marker", "acceptEdits", "legacy-marker") if word in kept(relaying)]


def test_a_claude_leg_gets_its_own_keys_and_no_codex_key(world: World) -> None:
    """REQ CFG-15, CFG-18, CFG-19, CFG-21, CFG-23, HYA-04, HYA-07."""
    relaying, said = relayed(world, "codex")
    legs: list[list[Any]] = [call["argv"] for call in relaying.legs()]
    assert "acceptEdits" in said
    assert [pair(argv, "--permission-mode") for argv in legs] == ["dontAsk", "dontAsk"]
    assert [pair(argv, "--model") for argv in legs] == ["claude-marker", "claude-marker"]
    assert [pair(argv, "--effort") for argv in legs] == ["max", "xhigh"]
    assert [pair(argv, "--max-budget-usd") for argv in legs] == ["2.5", "2.5"]
    assert not [word for word in ("codex-marker", "legacy-marker", "danger-full") if word in kept(relaying)]


@pytest.mark.parametrize("host", ["claude", "codex"])
def test_without_keys_the_defaults_hold_and_no_budget_is_named(world: World, host: str) -> None:
    """REQ CFG-20, CFG-26."""
    relaying = make_relaying(world, host)
    relaying.start()
    relaying.leg()
    (call,) = relaying.legs()
    assert "--max-budget-usd" not in call["argv"]
    assert {"codex": "gpt-5.6-sol", "claude": "opus"}[relaying.target] in call["argv"]
