"""What the records of `codex exec --json` say."""

from __future__ import annotations

import re

from relay_runtime.attempts.events import Event, child, children, number, text
from relay_runtime.attempts.facts import Facts, Usage, clipped, excerpt

_RETRY = re.compile(r"^Reconnecting\.\.\. (?:\d+/\d+ |waiting for network )\((?P<what>.*)\)$", re.DOTALL)
_AUTH = re.compile(r"\b401 Unauthorized\b|refresh token|token_(?:expired|invalidated|revoked)", re.IGNORECASE)
_RESET = re.compile(r"try again (?:at|in) (?P<when>[^\n]+?)\.?$", re.IGNORECASE | re.MULTILINE)
_SANDBOX = re.compile(r"^(?:bwrap: |error building bubblewrap|sandbox-exec: |codex-linux-sandbox: )")


def read(facts: Facts, event: Event) -> Facts:
    facts = facts.but(events=facts.events + 1)
    kind = text(event, "type")
    if kind == "thread.started":
        return facts if facts.session_id else facts.but(session_id=text(event, "thread_id"))
    if kind == "turn.started":
        return facts.but(completed=False)
    if kind == "turn.completed":
        return _usage(facts.progressed(), event).but(completed=True, terminal=kind, error="")
    if kind == "turn.failed":
        said = text(child(event, "error"), "message")
        reset = _RESET.search(said)
        return facts.but(
            completed=False,
            terminal=kind,
            error=clipped(said) or facts.error or kind,
            resets_at=excerpt(reset["when"], 80) if reset else "",
        )
    if kind == "error":
        return _error(facts, text(event, "message"))
    return _item(facts, kind, child(event, "item")) if kind.startswith("item.") else facts


def _error(facts: Facts, said: str) -> Facts:
    """Most error events are retries in progress; only turn.failed is a failure."""
    retry = _RETRY.match(said)
    if retry is None:
        return facts.but(error=clipped(said))
    what = retry["what"]
    return facts.but(retry=clipped(what), retry_kind="auth" if _AUTH.search(what) else "network")


def _item(facts: Facts, kind: str, item: Event) -> Facts:
    what = text(item, "type")
    if what == "error":  # a warning: an unknown model, a fallback to another transport
        return facts
    facts = facts.progressed()
    if what == "agent_message":
        said = text(item, "text")
        return facts.but(final_message=said, excerpt=excerpt(said))
    if what == "reasoning":
        return facts
    status = text(item, "status") or ("completed" if kind == "item.completed" else "in progress")
    if what == "command_execution":
        return _command(facts, kind, status, item)
    if what == "file_change":
        facts = facts.but(operation=f"file change {status}")
        return facts.touched(*filter(None, (text(one, "path") for one in children(item, "changes"))))
    return facts.but(operation=excerpt(f"{what} {status}", 80))


def _command(facts: Facts, kind: str, status: str, item: Event) -> Facts:
    if kind != "item.completed":
        return facts.but(operation="command in progress")
    facts = facts.but(
        operation=f"command {excerpt(status, 40)} (exit {number(item, 'exit_code')})",
        commands=facts.commands + 1,
    )
    output = text(item, "aggregated_output")
    if status == "failed" and _SANDBOX.match(output):
        return facts.but(sandbox_failures=facts.sandbox_failures + 1, sandbox_error=excerpt(output))
    return facts


def _usage(facts: Facts, event: Event) -> Facts:
    usage = child(event, "usage")
    return facts.but(usage=Usage(number(usage, "input_tokens"), number(usage, "output_tokens")))
