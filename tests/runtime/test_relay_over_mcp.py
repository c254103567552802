"""A relay whose target is reached through a registered MCP server."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from relay_runtime.mcp.server import living
from support.mcp import THREAD, calls, register
from support.plans import a_feedback, a_gap, a_plan
from support.relaying import Relaying, make_relaying
from support.waiting import wait_for
from support.world import World

WRITES = [["src/greet.py", "print('Hello, Ada')\n"], ["src/greet.py", "print('Hello, Ada Lovelace')\n"]]


@pytest.fixture
def relaying(world: World) -> Iterator[Relaying]:
    """After the test its relay, if there is one, is aborted, since its server would wait for a fix round."""
    relaying = make_relaying(world, "claude")
    yield relaying
    relaying.json("abort")


def started(relaying: Relaying) -> str:
    answer = relaying.start()
    assert answer["ok"], answer
    return answer["data"]["wgid"]


def configure(relaying: Relaying, transport: str) -> None:
    text = f"# Orchestration\n\n```yaml\nrelay_transport: {transport}\n```\n"
    relaying.repo.commit({"knowzcode/knowzcode_orchestration.md": text})


def to_fix_round(relaying: Relaying) -> None:
    """From a leg that is done to the fix round that its review asks for."""
    assert relaying.json("checkpoint")["ok"]
    review = relaying.json("review", stdin=json.dumps(a_feedback(a_gap())))
    assert review["data"]["state"] == "FIX_ROUND", review


def test_call_and_reply_in_one_server(relaying: Relaying) -> None:
    """REQ TRN-05, TRN-08, TRN-09: the fix round replies in the thread; finish ends the server."""
    log = register(relaying.world, writes=WRITES)
    wgid = started(relaying)
    assert relaying.relay(wgid).transport == "mcp"
    assert relaying.leg()["data"]["outcome"] == "done"
    to_fix_round(relaying)
    assert relaying.leg()["data"]["outcome"] == "done"
    assert [(one["name"], one["arguments"].get("threadId")) for one in calls(log)] == [
        ("codex", None),
        ("codex-reply", THREAD),
    ]
    assert relaying.relay(wgid).session_id == THREAD
    assert relaying.legs() == []
    assert relaying.json("checkpoint")["ok"]
    assert relaying.json("review", stdin=json.dumps(a_feedback()))["ok"]
    assert living(relaying.folder(wgid)) is not None
    assert relaying.json("finish")["data"]["state"] == "DONE"
    assert living(relaying.folder(wgid)) is None
    assert not (relaying.folder(wgid) / "mcp-in").exists()


def test_a_severed_call_goes_on_by_exec_resume(relaying: Relaying) -> None:
    """REQ TRN-10, FAIL-08: the same session, and the state says exec."""
    register(relaying.world, writes=WRITES, die=1)
    wgid = started(relaying)
    assert relaying.leg()["data"]["outcome"] == "failed"
    relaying.plays(relaying.works(), [*relaying.dialect.start(THREAD), *relaying.works()[2:]])
    assert relaying.leg()["data"]["outcome"] == "done"
    (call,) = relaying.legs()
    assert call["argv"][:2] == ["exec", "resume"]
    assert THREAD in call["argv"]
    assert relaying.relay(wgid).transport == "exec"


def test_a_server_that_ended_between_the_rounds_is_replaced_by_exec(relaying: Relaying) -> None:
    log = register(relaying.world, writes=WRITES, die=2)
    wgid = started(relaying)
    relaying.leg()
    to_fix_round(relaying)
    server = living(relaying.folder(wgid))
    assert server is not None
    relaying.leg()  # dies in the middle of the reply
    assert living(relaying.folder(wgid)) is None
    again = relaying.works(text="print('Hello, Countess')\n")
    relaying.plays(relaying.works(), [*relaying.dialect.start(THREAD), *again[2:]])
    assert relaying.leg()["data"]["outcome"] == "done"
    assert len(calls(log)) == 2
    assert relaying.relay(wgid).transport == "exec"


@pytest.mark.parametrize(
    ("scenario", "said"),
    [(None, ""), ({"tools": []}, "[RELAY-TRANSPORT] exec: The MCP server codex gives no thread id.")],
)
def test_auto_falls_back_to_exec(relaying: Relaying, scenario: dict[str, Any] | None, said: str) -> None:
    """REQ TRN-04, TRN-06: without a word where none is registered, else with a note."""
    if scenario is not None:
        register(relaying.world, **scenario)
    answer = relaying.run(
        *("start", "--tier", "3", "--gate2-approved", "--resolution", relaying.token()),
        stdin=json.dumps(a_plan()),
    )
    assert answer.code == 0, answer.out
    notes = [line for line in answer.out.splitlines() if line.startswith("[RELAY-TRANSPORT]")]
    assert notes == ([said] if said else [])
    (state,) = Path(relaying.repo.root / "knowzcode/workgroups").glob("*-relay/state.md")
    assert "**Transport:** exec" in state.read_text()


def test_exec_does_not_look_for_a_server(relaying: Relaying) -> None:
    configure(relaying, "exec")
    log = register(relaying.world)
    assert relaying.relay(started(relaying)).transport == "exec"
    assert calls(log) == []


def test_a_forced_transport_that_is_not_there_halts(relaying: Relaying) -> None:
    """REQ TRN-07, A-41: never another transport in silence, and nothing is touched."""
    configure(relaying, "mcp")
    before = relaying.everything()
    answer = relaying.start()
    assert (answer["code"], answer["data"]["problem"]) == (3, "transport.no-server")
    assert "No MCP server called codex is registered" in answer["message"]
    assert relaying.everything() == before


def test_abort_ends_the_server(relaying: Relaying) -> None:
    register(relaying.world, writes=WRITES)
    wgid = started(relaying)
    relaying.leg()
    assert living(relaying.folder(wgid)) is not None
    assert relaying.json("abort")["ok"]
    assert living(relaying.folder(wgid)) is None


def test_no_tool_of_the_host_has_to_last_as_long_as_the_call(relaying: Relaying) -> None:
    """REQ TRN-11: launch returns while the server works; only the leg's own time budget bounds the call."""
    gate = relaying.world.root / "gate"
    log = register(relaying.world, writes=WRITES, wait=str(gate))
    started(relaying)
    packet = relaying.json("packet")["data"]["packet"]
    assert (packet["TRANSPORT"], packet["TIMEOUT_MINUTES"]) == ("mcp", 90)
    assert relaying.json("launch")["ok"]
    wait_for(lambda: calls(log), what="the call")
    assert relaying.json("poll", "--wait", "0")["data"]["outcome"] is None
    gate.touch()
    assert relaying.until_ended()["data"]["outcome"] == "done"


def test_a_claude_target_is_reached_by_exec(world: World) -> None:
    """REQ TRN-01: whatever servers the user has."""
    relaying = make_relaying(world, "codex")
    log = register(world, writes=WRITES)
    wgid = started(relaying)
    assert relaying.leg()["data"]["outcome"] == "done"
    assert (relaying.relay(wgid).transport, calls(log)) == ("exec", [])
