"""Whether a relay can use the registered server: it must be callable and give thread ids."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from relay_runtime.attempts.events import Event, child, children, text
from relay_runtime.clock import Clock
from relay_runtime.errors import RelayError
from relay_runtime.mcp.registry import SERVER, registered
from relay_runtime.mcp.server import Conversation, close, start


@dataclass(frozen=True)
class Offer:
    """`usable`, or a sentence that says why not."""

    usable: bool
    reason: str = ""


def offer(environ: Mapping[str, str], project: Path, clock: Clock) -> Offer:
    """Start the registered server once, ask for its tools, and end it."""
    found = registered(environ, project)
    if found is None:
        return Offer(False, f"No MCP server called {SERVER} is registered.")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            server = start(folder, found, environ, project)
            tools = children(Conversation(server, clock).greet(), "tools")
        except OSError as error:
            return Offer(False, f"The MCP server {SERVER} cannot be started: {error.strerror or error}.")
        except RelayError as error:
            return Offer(False, f"The MCP server {SERVER} is not callable: {error.message}")
        finally:
            close(folder, clock)
    if {"codex", "codex-reply"} <= {text(tool, "name") for tool in tools if _gives_thread_id(tool)}:
        return Offer(True)
    return Offer(False, f"The MCP server {SERVER} gives no thread id.")


def _gives_thread_id(tool: Event) -> bool:
    return "threadId" in child(child(tool, "outputSchema"), "properties")
