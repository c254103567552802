"""`resume`: say where a relay stands, after a cleared context, a crash, a reboot or in another window.

Everything comes from the state and the leg's evidence. Settings and target are never resolved again.
"""

from __future__ import annotations

import shlex
from dataclasses import replace

from relay_runtime.answer import Answer, Next
from relay_runtime.context import Context
from relay_runtime.errors import Exit
from relay_runtime.relay import waiting_start
from relay_runtime.relay.current import current, unfinished
from relay_runtime.relay.elsewhere import elsewhere
from relay_runtime.relay.poll import progress_now, running_line
from relay_runtime.relay.report import report
from relay_runtime.relay.settle import settle
from relay_runtime.relay.tell import exit_of, tell
from relay_runtime.state.store import Stored
from relay_runtime.state.values import State

TAG = "[RELAY-RESUME]"


def resume(context: Context, wgid: str | None) -> Answer:
    """Join a live leg, take over the result of an ended one, heal a dead one, and name the next step."""
    if wgid is None:
        nothing = _without_relay(context)
        if nothing is not None:
            return nothing
    settled = settle(current(context, wgid), context)
    stored = settled.stored
    head = _head(stored)
    if stored.relay.state is State.TARGET_IMPLEMENTING:
        lines = (head, running_line(settled), *progress_now(settled))
        return report(stored, context, lines)
    if stored.record.unread or settled.ended:
        told = tell(settled, context)
        return replace(told, lines=(head, *told.lines, *_left(stored)))
    due = stored.record.pending is not None
    lines = (head, *_left(stored))
    return report(stored, context, lines, exit=(exit_of(stored) or Exit.PAUSE) if due else Exit.DONE)


def _without_relay(context: Context) -> Answer | None:
    """What to do when no relay, or not exactly one, is unfinished here; None when there is one."""
    waiting = waiting_start.waiting(context.project())
    if waiting is not None:
        return Answer(
            message="A start waits for a login.",
            exit=Exit.PAUSE,
            lines=(f"{TAG} A start waits for a login.",),
            next=Next(
                argv=context.call("decide", "retry"),
                question="Logged in now? To decline and work natively: "
                + shlex.join(context.call("decide", "native")),
            ),
        )
    if unfinished(context.project()):
        return None
    others = elsewhere(context)
    if not others:
        line = f"{TAG} There is no unfinished relay in {context.project().workgroups}."
        return Answer(
            message=line.partition("] ")[2],
            lines=(line,),
            next=Next(step="go on natively with the open WorkGroup, if there is one"),
            data={"wgid": None, "state": None},
        )
    lines = tuple(f"{TAG} {one.wgid} is unfinished in {one.root}." for one in others)
    call = (*context.package.call, "resume", "--project", str(others[0].root), "--wgid", others[0].wgid)
    ask = "" if len(others) == 1 else f"Which of these {len(others)} relays? The first one?"
    return Answer(
        message=lines[0].partition("] ")[2],
        lines=lines,
        next=Next(argv=call, question=ask),
        data={"elsewhere": [{"project": str(one.root), "wgid": one.wgid} for one in others]},
    )


def _head(stored: Stored) -> str:
    relay = stored.relay
    attempts = stored.record.of_round(relay.round)
    attempt = f" attempt {attempts[-1].number}" if attempts else ""
    newest = relay.checkpoints[-1] if relay.checkpoints else None
    return (
        f"{TAG} {relay.wgid}: {relay.host} → {relay.target}, {relay.state.value}, round {relay.round} of "
        f"{relay.max_fix_rounds}{attempt}; branch {relay.branch}, "
        f"checkpoint {f'{newest.label} {newest.sha[:12]}' if newest else 'none'}, "
        f"session {'present' if relay.session_id else 'pending'}"
    )


def _left(stored: Stored) -> tuple[str, ...]:
    """What a host that remembers nothing must read before it can take the next step."""
    relay, files = stored.relay, stored.files
    lines: list[str] = []
    if relay.state in (State.TARGET_DONE, State.REVIEWING):
        base, head = relay.checkpoint(f"C{relay.round}"), relay.checkpoint(relay.to_review)
        if head is not None:
            lines.append(f"[RELAY-REVIEW] Review C{relay.round}..{relay.to_review}: git diff {base}..{head}")
        lines.append(f"[RELAY-REVIEW] The target's report: {relay.last_message_path}")
    if relay.state is State.HOST_TAKEOVER:
        newest = [files.feedback(number) for number in range(relay.round + 1, 0, -1)]
        gaps = next((path for path in newest if path.is_file()), files.brief())
        lines.append(
            f"[RELAY-TAKEOVER] Complete what {files.relative(gaps)} asks for natively, run the tests, then "
            "finish."
        )
    return tuple(lines)
