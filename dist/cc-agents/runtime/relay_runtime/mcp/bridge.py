"""One leg over MCP: a program that a supervisor watches as if it were `codex exec`."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO

from relay_runtime.adapters.leg import Invocation, LegRequest
from relay_runtime.attempts.events import Event, child, text
from relay_runtime.attempts.process import ATTEMPT, alive
from relay_runtime.attempts.wake import Wake
from relay_runtime.clock import Clock
from relay_runtime.errors import Exit, RelayError
from relay_runtime.fields import Fields
from relay_runtime.fsio import write_atomic
from relay_runtime.mcp import translate
from relay_runtime.mcp.registry import registered
from relay_runtime.mcp.server import Conversation, Server, close, living, start
from relay_runtime.package import RUNTIME_FILE

VERB = "mcp-leg"
_LOOK_EVERY = 0.2


@dataclass(frozen=True)
class Call:
    """What is asked of the server. With a `thread` it is a reply, and only that is sent with the prompt."""

    cwd: str
    folder: str
    last: str
    model: str
    effort: str
    sandbox: str
    thread: str = ""

    def tool(self) -> str:
        return "codex-reply" if self.thread else "codex"

    def arguments(self, prompt: str) -> dict[str, object]:
        if self.thread:
            return {"prompt": prompt, "threadId": self.thread}
        return {
            "prompt": prompt,
            "cwd": self.cwd,
            "sandbox": self.sandbox,
            "approval-policy": "never",
            "model": self.model,
            "config": {"model_reasoning_effort": self.effort},
        }


def invocation(leg: LegRequest, thread: str = "") -> Invocation:
    """The leg as a process to supervise: the first call, or the reply in a server that still lives."""
    call = Call(str(leg.cwd), str(leg.folder), str(leg.last), leg.model, leg.effort, leg.sandbox, thread)
    argv = (sys.executable, "-I", str(RUNTIME_FILE), VERB, json.dumps(asdict(call)))
    return Invocation(argv=argv, stdin=leg.prompt, cwd=leg.cwd, remove=(leg.last,))


def can_reply(folder: Path) -> bool:
    """Whether the server of this relay still lives, which alone knows the thread."""
    return living(folder) is not None


def read_call(words: str) -> Call:
    """The call in our own argument; ValueError for anything else."""
    fields = Fields(json.loads(words), VERB)
    names = ("cwd", "folder", "last", "model", "effort", "sandbox", "thread")
    return Call(*(fields.text(name) for name in names))


def run(
    call: Call, prompt: bytes, environ: Mapping[str, str], clock: Clock, wake: Wake, out: BinaryIO
) -> int:
    """Make the call and write its events to `out`; the exit status.

    After success the server stays for the next round. After anything else it is closed.
    """
    status = 1
    try:
        talk = Conversation(_server(call, environ, clock), clock, lambda: wake.signalled != 0)
        status = _call(call, prompt.decode("utf-8", "replace"), talk, wake, out)
    except RelayError as error:
        _say(out, *translate.ended(error.message, {}, failed=True))
    finally:
        if status != 0:
            close(Path(call.folder), clock)
    return status


def _server(call: Call, environ: Mapping[str, str], clock: Clock) -> Server:
    folder = Path(call.folder)
    if call.thread:
        found = living(folder)
        if found is None:
            raise RelayError("mcp.gone", "Session not found: the MCP server that knows it is gone.")
        return found
    close(folder, clock)  # of an earlier session
    command = registered(environ, Path(call.cwd))
    if command is None:
        raise RelayError("mcp.unregistered", "The MCP server is not registered any more.", exit=Exit.HALT)
    # The server is no stray of this leg: it stays for the next one under a mark of its own.
    clean = {name: value for name, value in environ.items() if name != ATTEMPT}
    try:
        server = start(folder, command, clean, Path(call.cwd))
    except OSError as error:
        raise RelayError("mcp.start", f"The MCP server cannot be started: {error}.") from error
    return server


def _call(call: Call, prompt: str, talk: Conversation, wake: Wake, out: BinaryIO) -> int:
    if not call.thread:
        talk.greet()
    wanted = talk.request("tools/call", {"name": call.tool(), "arguments": call.arguments(prompt)})
    if call.thread:
        _say(out, *translate.thread_started(call.thread))
    used: Event = {}
    while True:
        living_still = alive(
            talk.server.process
        )  # asked before the last look, so that no last word is missed
        for message in talk.news():
            if message.get("id") == wanted:
                return _result(call, message, used, out)
            told = child(child(message, "params"), "msg")
            used = translate.usage(told) or used
            _say(out, *translate.events(told))
        if wake.signalled:
            talk.notify("notifications/cancelled", {"requestId": wanted, "reason": "the leg was stopped"})
            return 128 + wake.signalled
        if not living_still:
            raise RelayError("mcp.severed", "The connection to the MCP server was lost.")
        wake.wait(_LOOK_EVERY)


def _result(call: Call, message: Event, used: Event, out: BinaryIO) -> int:
    result = child(message, "result")
    content = text(child(result, "structuredContent"), "content")
    failed = result.get("isError") is True or not result
    if not failed:
        write_atomic(Path(call.last), content.encode("utf-8", "replace"))
    _say(out, *translate.ended(content or text(child(message, "error"), "message"), used, failed=failed))
    return 1 if failed else 0


def _say(out: BinaryIO, *events: Event) -> None:
    for event in events:
        out.write(json.dumps(event).encode() + b"\n")
    out.flush()
