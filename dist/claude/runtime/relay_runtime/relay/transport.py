"""How a leg reaches its target: a process per leg, or calls to a registered MCP server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from relay_runtime.adapters import LEGS
from relay_runtime.clock import Clock
from relay_runtime.errors import Exit, RelayError
from relay_runtime.mcp import bridge
from relay_runtime.mcp.offer import offer
from relay_runtime.mcp.registry import registered
from relay_runtime.relay.assignment import Assignment
from relay_runtime.state.store import Stored

EXEC = "exec"
MCP = "mcp"


@dataclass(frozen=True)
class Transport:
    """`name` is what the state says, `lines` what the user should know about the choice."""

    name: str
    lines: tuple[str, ...] = ()


def choose(target: str, wanted: str, environ: Mapping[str, str], project: Path, clock: Clock) -> Transport:
    """`auto` takes a registered server with thread ids, else exec; a forced `mcp` is that or a halt."""
    if wanted == EXEC or not LEGS[target].OVER_MCP:
        return Transport(EXEC)
    if wanted != MCP and registered(environ, project) is None:
        return Transport(EXEC)
    found = offer(environ, project, clock)
    if found.usable:
        return Transport(MCP)
    if wanted == MCP:
        raise RelayError(
            "transport.no-server",
            f"relay_transport: mcp is not possible. {found.reason}",
            exit=Exit.HALT,
            hint="Set relay_transport: auto or exec.",
        )
    return Transport(EXEC, (f"[RELAY-TRANSPORT] exec: {found.reason}",))


def of_attempt(stored: Stored, assignment: Assignment) -> str:
    """The transport of the next attempt: once a call failed or its server is gone, exec goes on."""
    if stored.relay.transport != MCP:
        return EXEC
    if assignment.session:
        return MCP if bridge.can_reply(stored.files.folder) else EXEC
    return EXEC if stored.record.attempts else MCP
