"""`packet`: all that a monitor of one leg needs, so that it composes no command itself."""

from __future__ import annotations

import shlex
from typing import Union

from relay_runtime.adapters import ADAPTERS
from relay_runtime.adapters.leg import Invocation
from relay_runtime.answer import Answer
from relay_runtime.attempts.attempt import read_spec
from relay_runtime.attempts.environment import child_environment
from relay_runtime.attempts.progress import interval
from relay_runtime.context import Context
from relay_runtime.errors import Exit, RelayError
from relay_runtime.readiness import executable
from relay_runtime.relay.assignment import Assignment, next_assignment
from relay_runtime.relay.command_line import invocation
from relay_runtime.relay.current import current
from relay_runtime.relay.leg_files import attempt_files
from relay_runtime.relay.machine import followers
from relay_runtime.relay.next_step import POLL_SECONDS
from relay_runtime.relay.report import as_data, report
from relay_runtime.relay.settle import settle
from relay_runtime.state.store import Stored
from relay_runtime.state.values import State

SESSION_PLACE = "{SESSION_ID}"

Value = Union[str, int, "list[str]"]


def packet(context: Context, wgid: str | None, *, shell: bool, every: int | None = None) -> Answer:
    """The leg that is due or alive, as `KEY: value` lines; or the plain client command that would run.

    `every` are the seconds wanted between two looks at the progress.
    """
    stored = settle(current(context, wgid), context).stored
    assignment = _assignment(stored)
    if shell:
        return _shell(stored, assignment, context)
    values = {**_values(stored, assignment, context), "PROGRESS_INTERVAL_SECONDS": interval(every)}
    lines = tuple(f"{key}: {_shown(value)}" for key, value in values.items())
    return report(stored, context, lines, data={"packet": values})


def _assignment(stored: Stored) -> Assignment:
    """The attempt that is due, or for a living leg the values of its round."""
    state = stored.relay.state
    if state is not State.TARGET_IMPLEMENTING and State.TARGET_IMPLEMENTING not in followers(state):
        raise RelayError("packet.no-leg", f"No leg is due in {state.value}.", exit=Exit.HALT)
    return next_assignment(stored)


def _values(stored: Stored, assignment: Assignment, context: Context) -> dict[str, Value]:
    relay, root = stored.relay, str(stored.files.project.root)
    files = attempt_files(stored.files, relay.target, assignment.round)

    def call(*words: str) -> list[str]:
        return [*context.package.call, *words, "--project", root, "--wgid", relay.wgid]

    return {
        "TARGET": relay.target,
        "TRANSPORT": relay.transport,
        "ROUND": assignment.round,
        "CWD": relay.cwd,
        "COMMAND": call("launch"),
        "POLL_COMMAND": call("poll", "--wait", str(POLL_SECONDS[relay.host])),
        "SESSION_ID_COMMAND": call("session"),
        "COMPLETION_COMMAND": call("complete"),
        "RESULT_SUBTYPE_COMMAND": call("result"),
        "PROGRESS_COMMAND": call("progress"),
        "RESUME_COMMAND": call("launch", "--session", SESSION_PLACE),
        "DECIDE_COMMAND": call("decide", "WORD"),
        "TIMEOUT_MINUTES": stored.record.settings.timeout_minutes,
        "LOG_PATH": str(files.log),
        "ERROR_PATH": str(files.err),
        "LAST_MESSAGE_PATH": str(files.last),
        "EXIT_PATH": str(files.exit),
    }


def _shown(value: Value) -> str:
    if not isinstance(value, list):
        return str(value)
    # The place holder stays readable; nothing else of ours needs quoting away.
    return " ".join(word if word == SESSION_PLACE else shlex.quote(word) for word in value)


def _shell(stored: Stored, assignment: Assignment, context: Context) -> Answer:
    """The client's command line: that of the living leg, else the one that launch would run."""
    relay = stored.relay
    files = attempt_files(stored.files, relay.target, assignment.round)
    if relay.state is State.TARGET_IMPLEMENTING:
        spec = read_spec(files.spec)
        made = Invocation(spec.argv, spec.stdin, spec.cwd, spec.environ)
    else:
        program = ADAPTERS[relay.target].CLIENT.program
        binary = executable.find(program, child_environment(context.environ)) or program
        made = invocation(stored, assignment, binary, context)
    line = made.as_shell(files.log, files.err)
    return Answer(message=line, data={**as_data(stored), "shell": line})
