"""What one sees of a relay while it goes on: counts, times, the WorkGroup's note, and nobody's account."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from support.dialects import SESSION, Step
from support.fake_client import PROBES, rule
from support.following import Follower, started
from support.plans import a_feedback, a_gap
from support.relaying import Relaying, leg_rules, make_relaying
from support.waiting import wait_for
from support.world import World

DIRECTIONS = pytest.mark.parametrize("host", ["claude", "codex"])
MAIL, COST = "ada.lovelace@example.org", "0.123457"


def events_told(relaying: Relaying) -> int:
    """The event count that the verb progress tells."""
    (line,) = [one for one in relaying.run("progress").out.splitlines() if "events: " in one]
    return int(line.rpartition(" ")[2])


def waiting(relaying: Relaying, *before: Step) -> tuple[Path, list[Step]]:
    """A leg that tells its session, takes the steps `before`, and works on when the file exists."""
    gate = relaying.world.root / "gate"
    told = relaying.dialect.start()
    return gate, [*told, *before, ["await", str(gate)], *relaying.works()[len(told) :]]


@DIRECTIONS
def test_the_event_count_never_falls_where_a_round_is_resumed(world: World, host: str) -> None:
    """REQ PRG-15: the events of an attempt that failed stay counted, and are no news of the next one."""
    relaying = make_relaying(world, host)
    assert relaying.start()["ok"]
    dialect = relaying.dialect
    failing = [*dialect.start(), *dialect.speak("on it") * 30, *dialect.fail("server")]
    gate, resumed = waiting(relaying)
    relaying.client.plays(*leg_rules(dialect, failing, resumed), *PROBES[relaying.target])
    assert relaying.leg()["data"]["state"] == "TARGET_FAILED"
    before = events_told(relaying)
    assert before == len(failing)
    assert relaying.json("launch")["ok"]
    wait_for(lambda: events_told(relaying) > before, what="the events of the resumed leg")
    assert events_told(relaying) == before + len(dialect.start())
    gate.touch()
    relaying.until_ended()
    assert events_told(relaying) > before + len(dialect.start())


@DIRECTIONS
def test_the_first_poll_tells_the_session_and_no_end(world: World, host: str) -> None:
    """REQ HST-05, CLA-06: while there is no exit marker there is no outcome, whatever the stream says."""
    relaying = make_relaying(world, host)
    assert relaying.start()["ok"]
    gate, steps = waiting(relaying, *relaying.dialect.finish())
    relaying.plays(steps)
    launched = relaying.json("launch")["data"]
    polled = relaying.json("poll", "--wait", "3")["data"]
    assert (polled["session_id"], polled["outcome"]) == (SESSION, None)
    assert relaying.relay(launched["wgid"]).session_id == SESSION
    assert not (relaying.folder(launched["wgid"]) / "exit-r0").exists()
    gate.touch()
    assert relaying.until_ended()["data"]["outcome"] == "done"


@DIRECTIONS
def test_every_transition_has_a_later_time_and_reaches_the_workgroup_note(world: World, host: str) -> None:
    """REQ STA-09, STA-10, SNP-03: State, Round and Session of the note are those of the state file."""
    relaying = make_relaying(world, host)
    window, answer = started(relaying)
    follower = Follower(relaying, window, legs=[relaying.works(), relaying.works(text="print('Hi')\n")])
    follower.reviews = [a_feedback(a_gap())]
    wgid = answer["data"]["wgid"]
    note = relaying.repo.root / f"knowzcode/workgroups/{wgid}.md"
    times: dict[str, str] = {}
    while answer["data"]["state"] != "DONE":
        answer = follower.step(answer)
        relay = relaying.relay(wgid)
        where = f"**State:** {relay.state.value} | **Round:** {relay.round}"
        assert (
            f"**Target:** {relaying.target} | {where} | **Session:** {relay.session_id or 'pending'}\n"
            in (note.read_text("utf-8"))
        )
        times[where] = relay.updated
    assert len(times) >= 7
    assert list(times.values()) == sorted(set(times.values()))
    assert all(moment.endswith("Z") and "T" in moment for moment in times.values())


def test_cost_and_account_of_claude_are_told_to_nobody(world: World) -> None:
    """REQ CLA-07: subtype, is_error and last output are kept; the client's own log is its evidence."""
    relaying = make_relaying(world, "codex")
    steps = relaying.works()
    steps[-1][1]["total_cost_usd"] = float(COST)
    login = json.dumps({"loggedIn": True, "authMethod": "claude.ai", "email": MAIL, "orgName": MAIL})
    probes = (rule("auth", "status", "--json", stdout=login + "\n"), *PROBES["claude"])
    relaying.client.plays(*leg_rules(relaying.dialect, steps), *probes)
    said = [relaying.run("detect", "claude").out, relaying.run("detect", "claude", "--json").out]
    said.append(json.dumps(relaying.start()))
    said.append(relaying.run("launch").out)
    said.append(json.dumps(relaying.until_ended()))
    verbs = ("poll", "progress", "result", "session", "complete", "status", "resume", "packet", "checkpoint")
    said += [relaying.run(verb, *json_).out for verb in verbs for json_ in ((), ("--json",))]
    said.append(relaying.run("review", stdin=json.dumps(a_feedback())).out)
    said.append(relaying.run("finish").out)
    wgid = relaying.json("runs", "list")["data"]["runs"][0]["wgid"]
    relay = relaying.relay(wgid)
    assert (relay.state.value, relay.result_subtype) == ("DONE", "success")
    assert relay.last_output is not None
    written = {path.name: path.read_text("utf-8") for path in relaying.folder(wgid).iterdir()}
    assert COST in written.pop("claude-log-r0.jsonl")
    for text in (*said, *written.values()):
        assert MAIL not in text
        assert COST not in text
        assert "total_cost" not in text


def test_no_jq_is_needed(world: World) -> None:
    """REQ SEL-07: a whole relay with git and nothing else of the system on PATH."""
    for name in ("git", "ps"):
        found = shutil.which(name)
        if found:
            (world.bin / name).symlink_to(found)
    bare = replace(world, variables={"PATH": str(world.bin)})
    assert shutil.which("jq", path=bare.environ()["PATH"]) is None
    relaying = make_relaying(bare, "claude")
    window, answer = started(relaying)
    Follower(relaying, window).until("DONE", answer=answer)
    assert relaying.json("result", "--wgid", answer["data"]["wgid"])["data"]["terminal"] == "turn.completed"


def test_a_message_that_is_only_in_the_log_is_shown_and_proves_nothing(world: World) -> None:
    """REQ CXA-05, SEL-01: without the file of the final message the last one of the log is what was said."""
    relaying = make_relaying(world, "claude")
    assert relaying.start()["ok"]
    steps = [*relaying.dialect.speak("first"), *relaying.works(), *relaying.dialect.speak("the last words")]
    completed = steps.pop(-2)
    relaying.plays([*(one for one in steps if one[0] != "last"), completed])
    ended = relaying.leg()
    assert ended["data"]["state"] == "TARGET_FAILED"
    assert '"the last words"' in relaying.run("progress").out
    assert not (relaying.folder(ended["data"]["wgid"]) / "codex-last-r0.md").exists()


def test_a_stream_without_a_terminal_event_has_an_unknown_one(world: World) -> None:
    """REQ SEL-03: also where its lines are no JSON."""
    relaying = make_relaying(world, "claude")
    assert relaying.start()["ok"]
    relaying.plays([*relaying.dialect.start(), ["raw", '{"type":"turn.completed"\nturn.failed\n']])
    assert relaying.leg()["data"]["state"] == "TARGET_FAILED"
    assert relaying.json("result")["data"]["terminal"] == "unknown"
