"""`runs`: every relay of a repository, whatever its host or condition; prune only takes what is over."""

from dataclasses import replace
from pathlib import Path

import pytest

from support.following import Follower, started, window_of
from support.legacy import a_legacy_state
from support.relaying import Relaying, make_relaying
from support.relays import WGID
from support.repo import Repo
from support.waiting import wait_for
from support.world import World, build_tree, tree_digest


@pytest.fixture
def relaying(world: World) -> Relaying:
    return make_relaying(world, "claude")


def old(relaying: Relaying, number: int, word: str) -> str:
    """A relay of schema 1 with this state, the older the smaller its number."""
    wgid = WGID[:-6] + f"{number:06}"
    place = relaying.folder(wgid).relative_to(relaying.repo.root)
    state = a_legacy_state(word, cwd=relaying.repo.root)
    build_tree(
        relaying.repo.root,
        {f"{place}/state.md": state, f"{place}/exit-r0": "0\n", f"knowzcode/workgroups/{wgid}.md": "mine\n"},
    )
    return wgid


def test_all_relays_of_all_worktrees_and_hosts_are_listed_unread_ones_first(relaying: Relaying) -> None:
    """Field reports 20 and 48: what ended unseen comes first, what is stale is said."""
    finished = old(relaying, 1, "DONE")
    tree = relaying.world.root / "linked"
    relaying.repo("worktree", "add", "-q", "-b", "feature", str(tree))
    there = replace(relaying, repo=Repo(tree, relaying.repo.environ))
    window, answer = started(there)
    window("launch")
    wait_for((there.folder(answer["data"]["wgid"]) / "exit-r0").exists, what="the end")
    broken = old(relaying, 2, "DONE")
    (relaying.folder(broken) / "state.md").write_text("")
    before = tree_digest(relaying.repo.root)
    seen = window_of(relaying).elsewhere(host="codex")
    runs = seen("runs", "list")["data"]["runs"]
    assert [run["wgid"] for run in runs] == [answer["data"]["wgid"], broken, finished]
    assert [(run["state"], run["unread"]) for run in runs] == [
        ("TARGET_IMPLEMENTING", True),
        (None, False),
        ("DONE", False),
    ]
    assert runs[0]["leg"] == "its leg ended and nobody was told"
    assert "is empty" in runs[1]["problem"]
    assert tree_digest(relaying.repo.root) == before


def test_one_relay_is_shown_with_its_history_and_evidence(relaying: Relaying) -> None:
    window, answer = started(relaying)
    Follower(relaying, window).until("DONE", answer=answer)
    shown = window("runs", "show", answer["data"]["wgid"])
    assert (shown["code"], shown["data"]["state"]) == (0, "DONE")
    assert "round 0 target-implement:" in window.text
    assert "codex-log-r0.jsonl" in window.text
    assert window("runs", "show", WGID)["code"] == 2
    assert window("runs", "show", "../x")["code"] == 2


def test_prune_keeps_the_newest_finished_ones_and_everything_unfinished(relaying: Relaying) -> None:
    """Field report 52: whatever is not over stays, however old it is."""
    oldest = old(relaying, 1, "CODEX_FAILED")
    finished = [old(relaying, number, "DONE") for number in range(2, 6)]
    broken = old(relaying, 0, "DONE")
    (relaying.folder(broken) / "state.md").write_text("torn")
    window = window_of(relaying)
    preview = window("runs", "prune", "--keep", "1", "--dry-run")
    assert preview["data"]["deleted"] == finished[2::-1]
    assert all(relaying.folder(wgid).is_dir() for wgid in finished)
    assert window("runs", "prune", "--keep", "1")["data"]["deleted"] == finished[2::-1]
    left = sorted(path.name for path in relaying.folder(oldest).parent.glob("*-relay"))
    assert left == sorted(f"{wgid}-relay" for wgid in (broken, oldest, finished[3]))
    assert relaying.folder(finished[0]).with_name(f"{finished[0]}.md").read_text() == "mine\n"


def test_prune_does_not_follow_a_link(relaying: Relaying, world: World) -> None:
    wgid = old(relaying, 1, "DONE")
    folder, outside = relaying.folder(wgid), world.root / "outside"
    folder.rename(outside)
    folder.symlink_to(outside)
    before = tree_digest(outside)
    assert window_of(relaying)("runs", "prune", "--keep", "0")["data"]["deleted"] == []
    assert tree_digest(outside) == before


def test_a_negative_number_is_refused(relaying: Relaying) -> None:
    assert window_of(relaying)("runs", "prune", "--keep", "-1")["code"] == 2


def test_without_relays_it_says_so(relaying: Relaying) -> None:
    window = window_of(relaying)
    assert window("runs", "list")["data"]["runs"] == []
    assert Path(str(relaying.repo.root)).name in window.text
