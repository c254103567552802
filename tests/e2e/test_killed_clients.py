"""Kill -9 of a real client and its supervisor in the middle of a leg: the same session goes on."""

import json
import os
import signal
from typing import Any

import pytest

from knowzcode_relay.rehearsal import processes, relayfile, scene
from knowzcode_relay.rehearsal.clients import CLIENTS
from knowzcode_relay.rehearsal.model_server import ModelServer
from knowzcode_relay.rehearsal.request import Request
from knowzcode_relay.rehearsal.script import Hang, Step, Text
from support.staged import staged
from support.waiting import wait_for
from support.world import World


@pytest.mark.parametrize(
    "target",
    [
        pytest.param("codex", marks=pytest.mark.client("codex")),
        pytest.param("claude", marks=pytest.mark.client("claude")),
    ],
)
def test_a_killed_leg_goes_on_in_its_session(world: World, target: str) -> None:
    """REQ EXE-09: edits and session survive, and nothing of the first attempt is alive beside the second."""

    def model(request: Request) -> Step:
        if request.number == 1:
            return CLIENTS[target].command(f"mkdir -p greeting && echo Hello > {scene.RESULT}")
        return Hang() if request.number == 2 else Text("### Files Changed\n" + scene.RESULT)

    with ModelServer(model) as server, staged(world, target, server) as ready:

        def record() -> dict[str, Any]:
            return json.loads((ready.relay_folder / "attempt-r0.json").read_text())

        launched = ready.until("launch")["launch"]
        wait_for(lambda: len(server.requests) == 2, 60, "the model's silence")
        wait_for(lambda: record()["facts"]["session_id"], what="the session's id")

        session = record()["facts"]["session_id"]
        for which in ("supervisor", "target"):
            os.kill(record()[which]["pid"], signal.SIGKILL)
        poll = ready.go_on(launched, "poll")["poll"]
        assert poll.lines[0].endswith(f"{target} round 0 attempt 1: lost → TARGET_FAILED")
        assert poll.exit == 1
        assert processes.gone(ready.stage.root, 5)
        again = ready.go_on(poll, "checkpoint")
        assert "attempt 2, resumed session" in again["launch"].lines[0]
        assert again["poll"].lines[0].endswith(f"{target} round 0 attempt 2: done → TARGET_DONE")
        assert again["checkpoint"].exit == 0
        assert relayfile.read(ready.stage.repository)["Session ID"] == session
        assert ready.stage.git("show", f"HEAD:{scene.RESULT}") == "Hello"
