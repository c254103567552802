"""State files of schema 1, as hosts wrote them before there was a runtime."""

from typing import Any

from support.relays import WGID

WORDS = {
    "INIT": "INIT",
    "PLANNED": "PLANNED",
    "CODEX_IMPLEMENTING": "TARGET_IMPLEMENTING",
    "CODEX_FAILED": "TARGET_FAILED",
    "CODEX_DONE": "TARGET_DONE",
    "REVIEWING": "REVIEWING",
    "FIX_ROUND": "FIX_ROUND",
    "CLAUDE_TAKEOVER": "HOST_TAKEOVER",
    "FINALIZING": "FINALIZING",
    "DONE": "DONE",
    "ABORTED": "ABORTED",
}

BRIEF = f"""\
# KnowzCode Relay Brief — {WGID} (round 0)

## Goal
Greet the user by name.

## Change Set
1. Greeter: says the name

## Specifications
- knowzcode/specs/Greeter.md: one greeting

## Constraints
- TDD.
"""

WORKGROUP = f"# WorkGroup: {WGID}\n\n**Primary Goal:** Greet.\n"


def a_legacy_state(word: str, **values: Any) -> str:
    """A schema 1 state; `sha0` and `sha1` are its checkpoints, `round` its round, `cwd` its folder."""
    known = {"round": 0, "cwd": "/repo", "thread": "pending", "sha0": "a" * 40, "sha1": "", **values}
    done = f"| C1 | {known['sha1']} | Codex round 0 |\n" if known["sha1"] else ""
    return f"""\
# Relay State: {WGID}

**Mode:** codex
**State:** {word}
**Round:** {known["round"]}
**Max Fix Rounds:** 2
**Thread ID:** {known["thread"]}
**Model:** gpt-5-codex
**Effort:** high
**Sandbox:** workspace-write
**Branch:** kc-relay/{WGID}
**CWD:** {known["cwd"]}
**PID:** 12345
**Log Path:** knowzcode/workgroups/{WGID}-relay/codex-log-r{known["round"]}.jsonl
**Updated:** 2026-01-01T00:00:00Z

## Checkpoints
| Label | SHA | Meaning |
|---|---|---|
| C0 | {known["sha0"]} | Specs approved |
{done}
## Round Log
| Round | Leg | Started | Ended | Exit | Result |
|---|---|---|---|---|---|
| 0 | codex-implement | 2026-01-01T00:00:00Z | — | — | a | b |
"""
