"""Which relay a verb is about, and what is said when there is none, several, or one of somebody else."""

import json
from pathlib import Path
from typing import Any

import pytest

from support.relaying import Relaying, make_relaying
from support.runtime_package import run_runtime
from support.waiting import wait_for
from support.world import World, build_tree


@pytest.fixture
def relaying(world: World) -> Relaying:
    return make_relaying(world, "claude")


def problem(answer: dict[str, Any]) -> tuple[int, str]:
    return answer["code"], answer["data"]["problem"]


def test_without_a_relay_the_searched_folder_is_named(relaying: Relaying) -> None:
    """Field report 54."""
    answer = relaying.json("poll", "--wait", "0")
    assert problem(answer) == (2, "relay.none")
    assert str(relaying.repo.root) in answer["message"]
    assert "--project" in answer["hint"]


def test_several_unfinished_relays_are_listed_and_one_can_be_named(relaying: Relaying) -> None:
    """Field report 46."""
    wgids = [relaying.start()["data"]["wgid"] for _ in range(2)]
    answer = relaying.json("abort")
    assert problem(answer) == (2, "relay.several")
    assert all(wgid in answer["message"] for wgid in wgids)
    assert relaying.json("abort", "--wgid", wgids[0])["data"]["wgid"] == wgids[0]
    assert relaying.json("session")["data"]["wgid"] == wgids[1]


@pytest.mark.parametrize("name", ["kc-feat-demo-20260101-000000", "../../etc", "-f"])
def test_an_unknown_id_is_a_usage_error(relaying: Relaying, name: str) -> None:
    assert relaying.run("session", f"--wgid={name}").code == 2


def test_the_relay_is_found_from_a_folder_below_and_through_a_link(relaying: Relaying, world: World) -> None:
    """Field reports 48 and 54."""
    wgid = relaying.start()["data"]["wgid"]
    link = world.root / "link"
    link.symlink_to(relaying.repo.root)
    for cwd in (relaying.repo.root / "src", link):
        answer = run_runtime(world, "claude", "result", "--json", cwd=cwd).json()
        assert answer["data"]["wgid"] == wgid
    answer = run_runtime(world, "claude", "result", "--project", str(link), "--json").json()
    assert answer["data"]["wgid"] == wgid


def test_a_repository_inside_of_the_project_is_named_as_what_was_searched(
    relaying: Relaying, world: World
) -> None:
    """Field report 54."""
    relaying.start()
    inner = relaying.repo.root / "src" / "inner"
    inner.mkdir()
    relaying.repo("init", "-q", str(inner))
    answer = run_runtime(world, "claude", "session", "--json", cwd=inner).json()
    assert problem(answer) == (2, "relay.none")
    assert str(inner) in answer["message"]


def test_the_other_host_s_relay_is_refused_with_the_right_host(relaying: Relaying) -> None:
    """REQ RSM-09 (A-34)."""
    wgid = relaying.start()["data"]["wgid"]
    before = (relaying.folder(wgid) / "state.md").read_bytes()
    for verb in ("poll", "launch", "checkpoint", "finish", "abort", "status"):
        answer = run_runtime(relaying.world, "codex", verb, cwd=relaying.repo.root)
        assert answer.code == 3
        assert "Go on with it in claude." in answer.out
    assert (relaying.folder(wgid) / "state.md").read_bytes() == before


def test_a_relay_of_a_folder_that_moved_is_refused(relaying: Relaying, world: World) -> None:
    """REQ RSM-09; field reports 58 and 62: and the old folder is not made again."""
    relaying.start()
    moved = world.root / "moved"
    relaying.repo.root.rename(moved)
    answer = run_runtime(world, "claude", "launch", "--json", cwd=moved).json()
    assert problem(answer) == (3, "relay.moved")
    assert not relaying.repo.root.exists()


def test_a_linked_worktree_has_relays_of_its_own(relaying: Relaying, world: World) -> None:
    """REQ PRE-08; field report 62."""
    linked = world.root / "linked"
    relaying.repo("worktree", "add", "-q", str(linked))
    build_tree(linked, {"knowzcode/workgroups/.keep": ""})
    there = Relaying(world, type(relaying.repo)(linked, relaying.repo.environ), "claude", relaying.client)
    assert there.start()["ok"]
    assert there.leg()["data"]["state"] == "TARGET_DONE"
    assert there.legs()[0]["cwd"] == str(linked)
    assert problem(relaying.json("poll", "--wait", "0")) == (2, "relay.none")


def test_damaged_state_is_named_and_never_overwritten(relaying: Relaying) -> None:
    """REQ STA-14; field report 53: empty, cut, of another schema, and with a key renamed."""
    wgid = relaying.start()["data"]["wgid"]
    for name, (old, new), expected in (
        ("state.md", ("", 0), "state.empty"),
        ("state.md", ("", 300), "state.damaged"),
        ("state.md", ("**Schema:** 2", "**Schema:** 9"), "state.schema"),
        ("relay.json", ("", 0), "record.damaged"),
        ("relay.json", ("", 300), "record.damaged"),
        ("relay.json", ('"schema": 1', '"schema": 9'), "record.schema"),
        ("relay.json", ('"goal"', '"gaol"'), "record.damaged"),
    ):
        path = relaying.folder(wgid) / name
        whole = path.read_text()
        broken = whole.replace(old, new, 1) if isinstance(new, str) else whole[:new]
        path.write_text(broken)
        for verb in ("poll", "abort"):
            assert problem(relaying.json(verb)) == (3, expected)
        status = relaying.run("status")
        assert status.code == 3
        assert str(path) in status.out
        assert path.read_text() == broken
        path.write_text(whole)


def test_a_missing_record_is_said(relaying: Relaying) -> None:
    """REQ STA-14."""
    path = relaying.folder(relaying.start()["data"]["wgid"]) / "relay.json"
    path.unlink()
    answer = relaying.json("launch")
    assert problem(answer) == (3, "state.missing")
    assert str(path) in answer["message"]


def test_status_shows_an_unread_outcome_first_and_once(relaying: Relaying) -> None:
    """REQ FAIL-07, MAN-03; field report 20: nobody polled."""
    wgid = relaying.start()["data"]["wgid"]
    relaying.json("launch")
    exit_marker = relaying.folder(wgid) / "exit-r0"
    wait_for(exit_marker.exists)
    first, second = relaying.run("status").out, relaying.run("status").out
    assert first.splitlines()[0] == "[RELAY-OUTCOME] codex round 0 attempt 1: done → TARGET_DONE"
    assert "RELAY-OUTCOME" not in second
    assert f"[RELAY-STATUS] {wgid}: claude → codex, TARGET_DONE, round 0" in second
    assert second.splitlines()[-1] == f"next: kc-relay checkpoint --wgid {wgid}"
    assert (first.count("RELAY-ATTACH"), second.count("RELAY-ATTACH")) == (1, 0)


def test_the_packet_names_every_command_path_and_limit(relaying: Relaying) -> None:
    """REQ HST-04, EXE-01, EXE-02, SEL-05."""
    data = relaying.start()["data"]
    packet = relaying.json("packet")["data"]["packet"]
    folder = relaying.folder(data["wgid"])
    assert packet["LOG_PATH"] == str(folder / "codex-log-r0.jsonl")
    assert packet["ERROR_PATH"] == str(folder / "codex-err-r0.log")
    assert packet["LAST_MESSAGE_PATH"] == str(folder / "codex-last-r0.md")
    assert packet["EXIT_PATH"] == str(folder / "exit-r0")
    assert (packet["TARGET"], packet["TRANSPORT"], packet["ROUND"]) == ("codex", "exec", 0)
    assert packet["TIMEOUT_MINUTES"] == 90
    assert json.dumps(packet).count("{SESSION_ID}") == 1
    relaying.leg()
    for name in ("SESSION_ID", "COMPLETION", "RESULT_SUBTYPE", "PROGRESS"):
        words = packet[f"{name}_COMMAND"]
        answer = run_runtime(relaying.world, "claude", *words[1:], "--json", cwd=Path("/")).json()
        assert answer["code"] == 0
        assert answer["data"]["outcome"] == "done"
    assert relaying.json("result")["data"]["terminal"] == "turn.completed"


def test_the_plain_command_is_what_the_leg_runs(relaying: Relaying) -> None:
    relaying.start()
    line = relaying.json("packet", "--shell")["data"]["shell"]
    relaying.leg()
    (call,) = relaying.legs()
    assert all(word in line for word in call["argv"])
    assert relaying.json("packet")["data"]["problem"] == "packet.no-leg"
