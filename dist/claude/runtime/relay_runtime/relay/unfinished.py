"""The unfinished relays of a checkout, as status shows them: what has ended unread comes first."""

from __future__ import annotations

from dataclasses import dataclass

from relay_runtime.answer import Next
from relay_runtime.context import Context
from relay_runtime.errors import Exit, RelayError
from relay_runtime.relay.current import check_place
from relay_runtime.relay.next_step import next_step
from relay_runtime.relay.report import as_data
from relay_runtime.relay.settle import Settled, settle
from relay_runtime.relay.tell import AFTER_A_LEG, tell
from relay_runtime.state.files import RelayFiles
from relay_runtime.state.store import Stored, load, read_relay

TAG = "[RELAY-STATUS]"


@dataclass(frozen=True)
class Unfinished:
    """`next` is None where there is not exactly one relay to go on with; `exit` is 3 if one is not ours."""

    lines: tuple[str, ...]
    data: tuple[dict[str, object], ...]
    next: Next | None
    exit: Exit


def unfinished(wgids: tuple[str, ...], context: Context) -> Unfinished:
    """Look at every relay of `wgids` that is not final; outcomes that nobody was told count as told now."""
    project = context.project()
    news: list[str] = []
    lines: list[str] = []
    data: list[dict[str, object]] = []
    mine: list[Stored] = []
    exit = Exit.DONE
    for wgid in wgids:
        files = RelayFiles(project, wgid)
        try:
            relay = read_relay(files)
            if relay.state.final:
                continue
            check_place(relay, context)
            stored = load(files)
            # Showing a relay of schema 1 rewrites nothing, not even when its leg has ended.
            settled = settle(stored, context) if files.record.exists() else Settled(stored)
        except RelayError as error:
            lines.append(f"{TAG} {wgid}: {error.message} {error.hint}".rstrip())
            data.append({"wgid": wgid, "problem": error.problem})
            exit = Exit.HALT
            continue
        stored = settled.stored
        if stored.record.unread and stored.relay.state in AFTER_A_LEG:
            news += tell(settled, context).lines
            stored = load(files)
        lines.append(_line(stored))
        data.append(as_data(stored))
        mine.append(stored)
    following = next_step(mine[0], context) if len(mine) == 1 else None
    return Unfinished((*news, *lines), tuple(data), following, exit)


def _line(stored: Stored) -> str:
    relay = stored.relay
    session = "present" if relay.session_id else "none"
    process = f", pid {relay.pid}" if relay.pid else ""
    return (
        f"{TAG} {relay.wgid}: {relay.host} → {relay.target}, {relay.state.value}, round {relay.round}"
        f"{process}, session {session}, state file {stored.files.relative(stored.files.state)}"
    )
