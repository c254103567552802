"""`finish`: the host's part is done."""

from __future__ import annotations

from relay_runtime.answer import Answer
from relay_runtime.context import Context
from relay_runtime.mcp import server as mcp_server
from relay_runtime.relay.current import current
from relay_runtime.relay.next_step import check_turn
from relay_runtime.relay.report import report
from relay_runtime.relay.settle import settle_locked
from relay_runtime.relay.transition import advance
from relay_runtime.state.store import load, locked
from relay_runtime.state.values import State


def finish(context: Context, wgid: str | None) -> Answer:
    """After a clean native gap loop go to FINALIZING; from there to DONE."""
    files = current(context, wgid).files
    with locked(files, "finish", context.clock):
        stored = settle_locked(load(files), context).stored
        if stored.relay.state is State.HOST_TAKEOVER:
            mcp_server.close(files.folder, context.clock)  # no leg follows
            stored = advance(stored, State.FINALIZING, context.clock)
            line = "[RELAY-FINISH] The host took over; after Phase 3 call finish once more"
            return report(stored, context, (line,))
        check_turn(stored, State.DONE, context)
        mcp_server.close(files.folder, context.clock)
        stored = advance(stored, State.DONE, context.clock)
    relay = stored.relay
    commits = ", ".join(f"{row.label} {row.sha[:12]}" for row in relay.checkpoints)
    line = (
        f"[RELAY-FINISH] {relay.wgid} is DONE: {relay.target}, "
        f"{relay.round} fix round{'s' * (relay.round != 1)}, on {relay.branch}, {commits}"
    )
    return report(stored, context, (line,))
