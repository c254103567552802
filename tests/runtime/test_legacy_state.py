"""Schema 1: read in the words of schema 2, never rewritten by reading, and never taken for what it is not."""

from pathlib import Path

import pytest

from relay_runtime.errors import RelayError
from relay_runtime.paths import Project
from relay_runtime.state.files import RelayFiles
from relay_runtime.state.store import load, read_relay
from support.legacy import BRIEF, WORDS, a_legacy_state
from support.relays import FOLDER, WGID
from support.world import build_tree, tree_digest


def lies(root: Path, text: str) -> RelayFiles:
    build_tree(root, {f"{FOLDER}/state.md": text, f"{FOLDER}/brief-r0.md": BRIEF})
    return RelayFiles(Project(root), WGID)


@pytest.mark.parametrize(("old", "new"), WORDS.items())
def test_every_old_state_has_its_role_state(tmp_path: Path, old: str, new: str) -> None:
    """REQ LEG-01, LEG-02, LEG-05."""
    files = lies(tmp_path, a_legacy_state(old))
    before = tree_digest(tmp_path)
    relay = load(files).relay
    assert (relay.state.value, relay.host, relay.target) == (new, "claude", "codex")
    assert tree_digest(tmp_path) == before


def test_ids_paths_checkpoints_and_rounds_are_kept(tmp_path: Path) -> None:
    """REQ LEG-03, LEG-04, LEG-06."""
    files = lies(tmp_path, a_legacy_state("CODEX_DONE", round=1, thread="01a2-b3", sha1="b" * 40))
    stored = load(files)
    assert stored.relay.session_id == "01a2-b3"
    assert stored.relay.log_path == f"{FOLDER}/codex-log-r1.jsonl"
    assert [(row.label, row.sha) for row in stored.relay.checkpoints] == [("C0", "a" * 40), ("C1", "b" * 40)]
    assert stored.relay.rounds[0].result == "a | b"
    assert (stored.relay.model, stored.relay.effort) == ("gpt-5-codex", "high")
    assert (stored.record.settings.model, stored.record.settings.sandbox) == (
        "gpt-5-codex",
        "workspace-write",
    )
    assert stored.record.plan.goal == "Greet the user by name."
    assert [spec.path for spec in stored.record.plan.specs] == ["knowzcode/specs/Greeter.md"]


def test_the_shortest_file_is_enough(tmp_path: Path) -> None:
    """REQ LEG-01."""
    relay = read_relay(lies(tmp_path, "# Relay State\n\n- **Mode:** `codex`\n- **State:** PLANNED\n"))
    assert (relay.wgid, relay.round, relay.branch) == (WGID, 0, f"kc-relay/{WGID}")
    assert relay.cwd == str(tmp_path)


def test_a_relay_that_names_no_branch_is_on_the_present_one(tmp_path: Path) -> None:
    """REQ A-28."""
    files = lies(tmp_path, "# Relay State\n\n**Mode:** codex\n**State:** PLANNED\n")
    build_tree(tmp_path, {".git/HEAD": "ref: refs/heads/feature/greeting\n"})
    assert read_relay(files).branch == "feature/greeting"
    tree = build_tree(tmp_path, {"git/HEAD": "ref: refs/heads/linked\n"})
    (tree / ".git" / "HEAD").unlink()
    (tree / ".git").rmdir()
    (tree / ".git").write_text(f"gitdir: {tree}/git\n")
    assert read_relay(files).branch == "linked"


def test_a_written_schema_1_is_the_same(tmp_path: Path) -> None:
    """REQ A-33."""
    text = a_legacy_state("PLANNED").replace("**Mode:**", "**Schema:** 1\n**Mode:**")
    assert read_relay(lies(tmp_path, text)).state.value == "PLANNED"


@pytest.mark.parametrize(
    ("change", "problem", "named"),
    [
        (("**Mode:** codex", "**Mode:** gemini"), "state.mode", "gemini"),
        (("**Mode:** codex", "**Schema:** 3\n**Mode:** codex"), "state.schema", "3"),
        (("**Mode:** codex\n", ""), "state.damaged", "Schema"),
        (("**State:** CODEX_DONE", "**State:** CODEX_BUSY"), "state.damaged", "CODEX_BUSY"),
        (("**Round:** 0", "**Round:** many"), "state.damaged", "many"),
        (("**Round:** 0", "**Round:** 7"), "state.damaged", "7"),
    ],
)
def test_anything_else_is_refused_untouched(
    tmp_path: Path, change: tuple[str, str], problem: str, named: str
) -> None:
    """REQ LEG-08, STA-14."""
    files = lies(tmp_path, a_legacy_state("CODEX_DONE").replace(*change))
    before = tree_digest(tmp_path)
    with pytest.raises(RelayError) as caught:
        read_relay(files)
    assert (caught.value.problem, int(caught.value.exit)) == (problem, 3)
    assert named in caught.value.message
    assert tree_digest(tmp_path) == before
