"""One target at a time in a checkout: two would edit the same files."""

from __future__ import annotations

from relay_runtime.attempts.attempt import Life, life
from relay_runtime.clock import Clock
from relay_runtime.errors import Exit, RelayError
from relay_runtime.paths import Project
from relay_runtime.relay.leg_files import attempt_files
from relay_runtime.state.files import RelayFiles, list_wgids
from relay_runtime.state.store import read_relay
from relay_runtime.state.values import State


def check_nobody_works(project: Project, clock: Clock) -> None:
    """Refuse (7) while a leg of any relay of this checkout is alive.

    A state file that cannot be read announces no leg; the verbs about that relay say what is wrong with it.
    """
    for wgid in list_wgids(project):
        files = RelayFiles(project, wgid)
        try:
            relay = read_relay(files)
        except RelayError:
            continue
        if relay.state is not State.TARGET_IMPLEMENTING:
            continue
        if life(attempt_files(files, relay.target, relay.round), clock) not in (Life.ENDED, Life.LOST):
            raise RelayError(
                "relay.busy",
                f"A leg of {wgid} is alive in this checkout (pid {relay.pid or 'not known yet'}).",
                exit=Exit.BUSY,
                hint=f"Wait for it or end it: poll or abort with --wgid {wgid}",
            )
