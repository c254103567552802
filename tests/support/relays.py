"""Relays as values, for tests that need one."""

from dataclasses import replace
from typing import Any

from relay_runtime.state.relay import Checkpoint, Relay, RoundRow
from relay_runtime.state.values import State

WGID = "kc-feat-demo-20260101-000000"
FOLDER = f"knowzcode/workgroups/{WGID}-relay"


def a_relay(**changes: Any) -> Relay:
    """A relay from a claude host to a codex target that has just been planned, with `changes`."""
    planned = Relay(
        wgid=WGID,
        host="claude",
        target="codex",
        selector="other",
        source="flag-automatic",
        state=State.PLANNED,
        round=0,
        max_fix_rounds=2,
        session_id=None,
        manual_attach=None,
        target_version="0.171.0",
        transport="exec",
        model="gpt-5.6-sol",
        effort="xhigh",
        isolation="sandbox workspace-write",
        branch=f"kc-relay/{WGID}",
        cwd="/repo",
        pid=None,
        log_path=f"{FOLDER}/codex-log-r0.jsonl",
        error_path=f"{FOLDER}/codex-err-r0.log",
        last_message_path=f"{FOLDER}/codex-last-r0.md",
        result_subtype=None,
        last_output=None,
        updated="2026-01-01T00:00:00Z",
        checkpoints=(Checkpoint("C0", "a" * 40, "Specs approved — pre-relay baseline"),),
        rounds=(RoundRow(0, "target-implement", "2026-01-01T00:00:00Z", "—", "—", "running"),),
    )
    return replace(planned, **changes)
