"""OpenCode as a target of jobs: its program, and what the records of `opencode run --format json` say."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping

from relay_runtime.adapters.base import Client, Status
from relay_runtime.attempts.events import Event, child, number, text
from relay_runtime.attempts.facts import Facts, Usage, clipped, excerpt

CLIENT = Client(
    title="OpenCode",
    program="opencode",
    minimum=(1, 18, 0),
    missing_below="older releases were never tried",
    version_arguments=("--version",),
    login_arguments=("auth", "list"),
    login_command="opencode auth login",
    remedies={
        Status.MISSING: "Install OpenCode with `npm i -g opencode-ai`, then run `opencode auth login`.",
        Status.UNAUTHED: "Run `opencode auth login` for the provider of the job's backend.",
    },
    sandbox_programs=(),
    sandbox_flags=(),
)

_CLASSES = (
    "bash",
    "doom_loop",
    "edit",
    "external_directory",
    "read",
    "task",
    "webfetch",
    "websearch",
)
_ASKS = ("! permission requested: ", "\x1b[93m\x1b[1m! \x1b[0mpermission requested: ")

# A question is said in words, not as JSON, and nobody is there to answer it.
BRIEF: Mapping[bytes, Event] = {
    f"{start}{name}".encode(): {"type": "permission.asked", "permission": name}
    for start in _ASKS
    for name in _CLASSES
}
KEEPS_LAST: bool = False

_BROKEN_STREAM = "The provider's answers break off."
_REFUSED = ("The user rejected permission", "The user has specified a rule which prevents")


def read(facts: Facts, event: Event) -> Facts:
    kind, part = text(event, "type"), child(event, "part")
    facts = facts.but(events=facts.events + 1, session_id=facts.session_id or text(event, "sessionID"))
    if kind.startswith("permission"):
        asked = child(event, "properties") or part or event
        return facts.but(waiting=text(asked, "permission") or text(asked, "type") or kind)
    facts = facts.but(waiting="")
    if kind == "step_start":
        return facts.but(completed=False, terminal="")
    if kind == "text":
        return _text(facts, part)
    if kind == "tool_use":
        return _tool(facts.progressed(), part)
    if kind == "step_finish":
        return _finish(facts, part)
    if kind == "error":
        return _error(facts, child(event, "error"))
    return facts


def effective_exit(exit: int, facts: Facts) -> int:
    """OpenCode ends with 0 after a cut answer, a refused tool and a broken stream."""
    return 1 if exit == 0 and not (facts.completed and facts.session_id) else exit


def _text(facts: Facts, part: Event) -> Facts:
    """A message may come in several parts, and only the last message is the answer."""
    said, message = text(part, "text"), text(part, "messageID")
    before = facts.final_message if message == facts.message else ""
    return facts.but(message=message, final_message=before + said, excerpt=excerpt(said) or facts.excerpt)


def _tool(facts: Facts, part: Event) -> Facts:
    tool, state = text(part, "tool"), child(part, "state")
    given, error = child(state, "input"), text(state, "error")
    if tool == "invalid":  # the model called what our rules leave no trace of
        return facts.refused(text(given, "tool") or tool, _key(tool, given))
    facts = facts.but(operation=excerpt(f"{tool} {text(state, 'status')}", 80))
    if error.startswith(_REFUSED):
        return facts.refused(tool, _key(tool, given))
    if tool == "bash":
        return facts.but(commands=facts.commands + 1)
    path = text(child(state, "metadata"), "filepath") or text(given, "filePath")
    return facts.touched(path) if path and tool in ("write", "edit") else facts


def _key(tool: str, given: Event) -> int:
    return zlib.crc32(json.dumps([tool, given], sort_keys=True).encode())


def _finish(facts: Facts, part: Event) -> Facts:
    reason = text(part, "reason")
    tokens = child(part, "tokens")
    used = facts.usage
    facts = facts.but(
        completed=reason == "stop",
        terminal=reason or "step_finish",
        usage=Usage(used.input + number(tokens, "input"), used.output + number(tokens, "output")),
    )
    if reason == "unknown":  # it tries again, without end
        return facts.but(retry=_BROKEN_STREAM, retry_kind="network")
    if reason == "stop" and text(part, "messageID") != facts.message:
        facts = facts.but(final_message="")
    return facts.progressed()


def _error(facts: Facts, error: Event) -> Facts:
    data = child(error, "data")
    status = number(data, "statusCode")
    return facts.but(
        completed=False,
        terminal="error",
        error=clipped(text(data, "message")) or text(error, "name") or "error",
        error_kind=str(status) if status else text(error, "name"),
    )
