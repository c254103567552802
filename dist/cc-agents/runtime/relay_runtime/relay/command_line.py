"""How the client is called for an attempt."""

from __future__ import annotations

from pathlib import Path

from relay_runtime import rehearsal
from relay_runtime.adapters import LEGS
from relay_runtime.adapters.leg import Invocation, LegRequest
from relay_runtime.context import Context
from relay_runtime.mcp import bridge
from relay_runtime.relay import transport
from relay_runtime.relay.assignment import Assignment
from relay_runtime.state.store import Stored


def _request(stored: Stored, assignment: Assignment, binary: str, context: Context) -> LegRequest:
    """The run as the adapter is asked for it."""
    settings, files = stored.record.settings, stored.files
    return LegRequest(
        binary=binary,
        cwd=Path(stored.relay.cwd),
        prompt=assignment.prompt,
        last=files.last_message(stored.relay.target, assignment.round),
        folder=files.folder,
        model=settings.model,
        effort=assignment.effort,
        sandbox=settings.sandbox,
        permission_mode=settings.permission_mode,
        max_budget_usd=settings.max_budget_usd,
        endpoint=rehearsal.endpoint(context.environ),
    )


def invocation(stored: Stored, assignment: Assignment, binary: str, context: Context) -> Invocation:
    """The client's command line for the attempt."""
    leg = LEGS[stored.relay.target]
    wanted = _request(stored, assignment, binary, context)
    if transport.of_attempt(stored, assignment) == transport.MCP:
        return bridge.invocation(wanted, assignment.session)
    if assignment.session:
        return leg.resume_invocation(wanted, assignment.session)
    return leg.invocation(wanted)
