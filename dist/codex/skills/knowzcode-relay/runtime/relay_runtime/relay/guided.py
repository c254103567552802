"""A refusal of a verb about a relay also says how that relay goes on."""

from __future__ import annotations

from typing import Callable

from relay_runtime.answer import Answer
from relay_runtime.context import Context
from relay_runtime.errors import RelayError
from relay_runtime.relay.current import check_place, find
from relay_runtime.relay.next_step import next_step
from relay_runtime.relay.report import as_data
from relay_runtime.state.store import Stored, load


def guided(context: Context, wgid: str | None, act: Callable[[], Answer]) -> Answer:
    """The answer of `act`; what it refuses comes with the relay's next step, where there is such a relay."""
    try:
        return act()
    except RelayError as error:
        stored = _stored(context, wgid)
        if stored is None:
            raise
        return Answer(
            message=error.message,
            exit=error.exit,
            lines=(error.as_line(),),
            hint=error.hint,
            next=next_step(stored, context),
            data={**as_data(stored), "problem": error.problem, **error.data},
        )


def _stored(context: Context, wgid: str | None) -> Stored | None:
    """The relay, unless reading it is what went wrong."""
    try:
        stored = load(find(context, wgid))
        check_place(stored.relay, context)
    except RelayError:
        return None
    return stored
