"""A relay of schema 1 goes on to its end with a fake target, and is upgraded on the way, not before."""

import json
from pathlib import Path

import pytest

from relay_runtime.paths import Project
from relay_runtime.state.files import RelayFiles
from relay_runtime.state.store import read_relay
from support.dialects import SESSION, Codex
from support.following import Follower, window_of
from support.legacy import BRIEF, WORDS, WORKGROUP, a_legacy_state
from support.plans import a_feedback, a_gap
from support.relaying import Relaying, make_relaying
from support.relays import WGID
from support.world import World, build_tree, tree_digest

CODEX = Codex()
THREAD = SESSION
FINAL = ("DONE", "ABORTED")


def lies(relaying: Relaying, word: str, **values: object) -> Path:
    """The project as an old host left it: branch, state, brief, WorkGroup; gives the relay's folder."""
    repo, folder = relaying.repo, relaying.folder(WGID)
    base = repo("rev-parse", "HEAD")
    repo("switch", "-q", "-c", f"kc-relay/{WGID}")
    if values.pop("committed", False):
        values["sha1"] = repo.commit({"src/greet.py": "print('Hello, Ada')\n"}, "old checkpoint")
    told = {"cwd": repo.root, "sha0": base, "thread": THREAD, **values}
    build_tree(
        repo.root,
        {
            f"knowzcode/workgroups/{WGID}.md": WORKGROUP,
            f"{folder.relative_to(repo.root)}/state.md": a_legacy_state(word, **told),
            f"{folder.relative_to(repo.root)}/brief-r0.md": BRIEF,
        },
    )
    return folder


COMMITTED = ("REVIEWING", "FIX_ROUND", "CLAUDE_TAKEOVER", "FINALIZING")


@pytest.mark.parametrize("word", [word for word in WORDS if word not in ("INIT", *FINAL)])
def test_every_unfinished_state_is_carried_to_the_end(world: World, word: str) -> None:
    """REQ LEG-04, LEG-05, LEG-06, LEG-09, RSM-07."""
    relaying = make_relaying(world, "claude")
    folder = lies(relaying, word, committed=word in COMMITTED)
    if word == "CODEX_DONE":
        build_tree(relaying.repo.root, {"src/greet.py": "print('Hello, Ada')\n"})
    if word == "FIX_ROUND":
        build_tree(folder, {"fix-prompt-r1.md": "# Fix\n", "feedback-r1.md": "# Review\n"})
    before, window = tree_digest(folder), window_of(relaying)
    resumed = window("resume")
    if word == "CODEX_IMPLEMENTING":  # nothing proves that it ended well, which is a transition
        assert resumed["data"]["state"] == "TARGET_FAILED"
    else:
        assert (resumed["code"], resumed["data"]["state"]) == (0, WORDS[word])
        assert tree_digest(folder) == before
    follower = Follower(relaying, window)
    follower.legs = [relaying.works(text="print('Hi')\n")] * 2
    follower.until("DONE", answer=resumed)
    text = (folder / "state.md").read_text()
    assert "**Schema:** 2" in text
    assert (folder / "state-schema1.md").read_text() == before["state.md"][1].decode()
    assert "| C0 |" in text
    assert "| 0 | codex-implement |" in text


def test_a_failed_leg_goes_on_in_its_thread(world: World) -> None:
    """REQ LEG-03, LEG-09: the old thread is resumed, with the recorded model."""
    relaying = make_relaying(world, "claude")
    lies(relaying, "CODEX_FAILED")
    follower = Follower(relaying, window_of(relaying))
    follower.until("DONE", answer=follower.window("resume"))
    argv = relaying.legs()[0]["argv"]
    assert argv[:2] == ["exec", "resume"]
    assert THREAD in argv
    assert "gpt-5-codex" in argv


def test_the_evidence_of_an_old_leg_is_recognised(world: World) -> None:
    """REQ LEG-04, RSM-03: marker, stream and last message under the old names."""
    relaying = make_relaying(world, "claude")
    folder = lies(relaying, "CODEX_IMPLEMENTING", round=1, thread="pending", committed=True)
    log = [step[1] for step in [*CODEX.start(), *CODEX.finish()] if step[0] == "say"]

    build_tree(
        folder,
        {
            "codex-log-r1.jsonl": "".join(json.dumps(one) + "\n" for one in log),
            "codex-last-r1.md": "### Files Changed\nsrc/greet.py\n",
            "codex-err-r1.log": "",
            "exit-r1": "0\n",
        },
    )
    build_tree(relaying.repo.root, {"src/greet.py": "print('Hi')\n"})
    resumed = window_of(relaying)("resume")
    assert (resumed["data"]["state"], resumed["data"]["outcome"]) == ("TARGET_DONE", "done")
    assert resumed["data"]["session_id"] == SESSION
    relay = read_relay(RelayFiles(Project(relaying.repo.root), WGID))
    assert (relay.round, relay.checkpoint("C1") is not None) == (1, True)


@pytest.mark.parametrize("word", WORDS)
def test_status_shows_every_state_and_rewrites_nothing(world: World, word: str) -> None:
    """REQ LEG-05."""
    relaying = make_relaying(world, "claude")
    folder = lies(relaying, word, committed=word in COMMITTED)
    before, window = tree_digest(folder), window_of(relaying)
    assert window("status")["code"] == 0
    assert (WORDS[word] in window.text) is (word not in FINAL)
    assert tree_digest(folder) == before


def test_the_least_that_an_old_host_wrote_is_enough(world: World) -> None:
    """REQ LEG-09: no WorkGroup file, no branch, no checkpoint."""
    relaying = make_relaying(world, "claude")
    relaying.repo("switch", "-q", "-c", "feature")
    folder = relaying.folder(WGID)
    state = f"**Mode:** codex\n**State:** CODEX_FAILED\n**Round:** 0\n**Thread ID:** {THREAD}\n"
    build_tree(folder, {"state.md": state, "brief-r0.md": BRIEF})
    follower = Follower(relaying, window_of(relaying))
    follower.legs = [relaying.works(), relaying.works(text="print('Hi')\n")]
    follower.reviews = [a_feedback(a_gap())]
    follower.until("DONE", answer=follower.window("resume"))
    assert (folder / "state-schema1.md").read_text() == state


@pytest.mark.parametrize("word", FINAL)
def test_a_finished_relay_of_old_is_only_shown(world: World, word: str) -> None:
    """REQ LEG-05."""
    relaying = make_relaying(world, "claude")
    folder = lies(relaying, word, committed=True)
    before, window = tree_digest(folder), window_of(relaying)
    shown = window("resume", "--wgid", WGID)
    assert (shown["code"], shown["data"]["state"], shown["data"]["next"]["argv"]) == (0, word, [])
    assert window("status")["code"] == 0
    assert tree_digest(folder) == before


def test_a_start_of_old_that_was_cut_off_can_only_be_ended(world: World) -> None:
    relaying = make_relaying(world, "claude")
    lies(relaying, "INIT")
    window = window_of(relaying)
    ended = window.follow(window("resume"))
    assert ended["data"]["state"] == "ABORTED"


def test_the_same_gap_in_old_and_new_reviews_counts_from_the_first_new_one(world: World) -> None:
    """REQ REV-10, LEG-06."""
    relaying = make_relaying(world, "claude")
    lies(relaying, "REVIEWING", committed=True)
    follower = Follower(relaying, window_of(relaying))
    follower.legs = [relaying.works(text="print('Hi')\n")]
    follower.reviews = [a_feedback(a_gap()), a_feedback(a_gap())]
    follower.until("DONE", answer=follower.window("resume"))
    assert follower.path()[-3:] == ["HOST_TAKEOVER", "FINALIZING", "DONE"]


def test_a_codex_host_is_told_whose_relay_it_is(world: World) -> None:
    """REQ A-34, RSM-09."""
    relaying = make_relaying(world, "claude")
    lies(relaying, "CODEX_FAILED")
    refused = window_of(relaying).elsewhere(host="codex")("resume")
    assert (refused["code"], refused["data"]["problem"]) == (3, "relay.other-host")
