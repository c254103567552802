"""What the records of `claude -p --output-format stream-json` say."""

from __future__ import annotations

import json
import re
import zlib
from datetime import datetime, timezone

from relay_runtime.attempts.events import Event, child, children, number, text, texts
from relay_runtime.attempts.facts import Call, Facts, Usage, base_name, clipped, excerpt
from relay_runtime.clock import iso

# Most of a log are pieces of text on their way: they prove life and nothing else.
BRIEF: dict[bytes, Event] = {b'{"type":"stream_event"': {"type": "stream_event"}}

_WRITERS = frozenset({"Edit", "Write"})
_DENIED = re.compile(
    r"^(?:Permission to use \S+ (?:with command .{0,200} )?has been denied|Claude requested permissions to )",
    re.DOTALL,
)
# The last one is what 2.1.332 says where TMPDIR is so long that no socket fits below it.
_SANDBOX = re.compile(
    r"^(?:Exit code \d+\n)?(?:bwrap: |sandbox-exec: |socat\[|Sandbox is required but failed to initialize)"
)
_ENDED = frozenset({"completed", "failed"})


def read(facts: Facts, event: Event) -> Facts:
    kind = text(event, "type")
    if kind == "stream_event":
        return facts.progressed()
    facts = facts.but(events=facts.events + 1)
    if kind == "system":
        return _system(facts, event)
    if kind == "assistant":
        return _assistant(facts, event)
    if kind == "user":
        return _user(facts.progressed(), event)
    if kind == "rate_limit_event":
        return _rate_limit(facts, event)
    if kind == "result":
        return _result(facts, event)
    return facts


def _system(facts: Facts, event: Event) -> Facts:
    kind = text(event, "subtype")
    if kind == "init":  # once per turn; the turn that counts is the last one
        return facts.but(
            session_id=facts.session_id or text(event, "session_id"),
            model=text(event, "model"),
            completed=False,
        )
    if kind == "api_retry":
        error, status = text(event, "error"), number(event, "error_status")
        words = f"{error} (status {status})" if status else error
        auth = error == "authentication_failed"
        return facts.but(retry=clipped(words or "unknown"), retry_kind="auth" if auth else "network")
    task = text(event, "task_id")
    if kind == "task_started" and task:
        return facts.but(background=(*facts.background, task))
    if (text(event, "status") or text(child(event, "patch"), "status")) in _ENDED:
        return facts.but(background=tuple(one for one in facts.background if one != task))
    return facts


def _assistant(facts: Facts, event: Event) -> Facts:
    error = text(event, "error")
    if error:  # the client's own message about a failed call
        return facts.but(error_kind=error)
    facts = facts.progressed()
    inner = event.get("parent_tool_use_id") is not None  # of a sub-agent, not the target's own words
    for block in children(child(event, "message"), "content"):
        if text(block, "type") == "text" and not inner:
            facts = facts.but(excerpt=excerpt(text(block, "text")))
        elif text(block, "type") == "tool_use":
            facts = _tool_use(facts, block)
    return facts


def _tool_use(facts: Facts, block: Event) -> Facts:
    tool, given = text(block, "name"), child(block, "input")
    key = zlib.crc32(json.dumps([tool, given], sort_keys=True).encode())
    name = excerpt(tool, 40)
    path = base_name(text(given, "file_path")) if tool in _WRITERS else ""
    return facts.called(Call(text(block, "id"), name, key, path)).but(operation=f"{name} in progress")


def _user(facts: Facts, event: Event) -> Facts:
    for block in children(child(event, "message"), "content"):
        if text(block, "type") == "tool_result":
            facts = _tool_result(facts, block)
    return facts


def _tool_result(facts: Facts, block: Event) -> Facts:
    wanted = text(block, "tool_use_id")
    call = next((one for one in facts.running if one.id == wanted), None)
    if call is None:
        return facts
    failed = block.get("is_error") is True
    facts = facts.but(
        running=tuple(one for one in facts.running if one is not call),
        operation=f"{call.tool} {'error' if failed else 'ok'}",
    )
    said = _words(block) if failed else ""
    if _DENIED.match(said):
        return facts.refused(call.tool, call.key)
    if call.path and not failed:
        return facts.touched(call.path)
    if call.tool != "Bash":
        return facts
    facts = facts.but(commands=facts.commands + 1)
    if _SANDBOX.match(said):
        return facts.but(sandbox_failures=facts.sandbox_failures + 1, sandbox_error=excerpt(said))
    return facts


def _rate_limit(facts: Facts, event: Event) -> Facts:
    info = child(event, "rate_limit_info")
    moment = number(info, "resetsAt")
    if text(info, "status") != "rejected" or not moment:
        return facts
    return facts.but(resets_at=iso(datetime.fromtimestamp(moment, timezone.utc)))


def _result(facts: Facts, event: Event) -> Facts:
    """Only subtype and is_error together mean success: a failed login is `success` with is_error."""
    subtype, failed = text(event, "subtype"), event.get("is_error") is not False
    said = text(event, "result")
    asked = event.get("num_turns") != 0  # 0: the client answered by itself, as to an unknown command
    good = subtype == "success" and not failed and asked
    tools = [excerpt(text(one, "tool_name"), 40) for one in children(event, "permission_denials")]
    return _usage(facts, event).but(
        session_id=facts.session_id or text(event, "session_id"),
        completed=good,
        terminal=subtype or "result",
        final_message=said,
        error="" if good else clipped("\n".join(filter(None, [said, *texts(event, "errors")])) or subtype),
        denied=tuple(dict.fromkeys(filter(None, (*facts.denied, *tools))))[:10],
    )


def _usage(facts: Facts, event: Event) -> Facts:
    """Each result counts its own turn."""
    usage = child(event, "usage")
    names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    read_in = sum(number(usage, name) for name in names)
    return facts.but(
        usage=Usage(facts.usage.input + read_in, facts.usage.output + number(usage, "output_tokens"))
    )


def _words(block: Event) -> str:
    """What a tool result says: a text, or a list of texts."""
    return text(block, "content") or "\n".join(text(part, "text") for part in children(block, "content"))
