"""What a target did against its orders is seen, named with both ids, and not undone."""

from collections.abc import Callable

import pytest

from relay_runtime.fields import Fields
from relay_runtime.gitrepo import snapshot
from support.repo import Repo, make_repo
from support.world import World, build_tree


def edit(repo: Repo) -> None:
    build_tree(repo.root, {"README.md": "edited\n", "new": "1\n", "knowzcode/workgroups/x/log": "2\n"})


def commit(repo: Repo) -> None:
    repo.commit({"new": "1\n"})


def switch(repo: Repo) -> None:
    repo("switch", "-q", "-c", "elsewhere")


def stash(repo: Repo) -> None:
    build_tree(repo.root, {"README.md": "edited\n"})
    repo("stash")


def hook(repo: Repo) -> None:
    repo.hook("pre-commit", "exit 0\n")


def hooks_path(repo: Repo) -> None:
    repo("config", "core.hooksPath", "elsewhere")


def spec(repo: Repo) -> None:
    build_tree(repo.root, {"knowzcode/specs/A.md": "easier\n"})


def clean(repo: Repo) -> None:
    (repo.root / "precious").unlink()


@pytest.mark.parametrize(
    ("act", "expected"),
    [
        (edit, []),
        (commit, ["head"]),
        (switch, ["branch"]),
        (stash, ["stash"]),
        (hook, ["hooks"]),
        (hooks_path, ["hooks"]),
        (spec, ["knowzcode"]),
        (clean, ["cleaned"]),
    ],
)
def test_each_departure_is_told(world: World, act: Callable[[Repo], None], expected: list[str]) -> None:
    """REQ REV-06, REV-14; field report 67."""
    repo = make_repo(world)
    repo.commit({"knowzcode/specs/A.md": "hard\n", ".gitignore": "workgroups/\n"})
    build_tree(repo.root, {"precious": "1\n"})
    before = snapshot.take(repo.git)
    act(repo)
    assert [one.what for one in snapshot.compare(before, snapshot.take(repo.git))] == expected


def test_a_moved_head_is_reported_with_both_ids(world: World) -> None:
    """REQ REV-06."""
    repo = make_repo(world)
    before = snapshot.take(repo.git)
    now = repo.commit({"new": "1\n"})
    (found,) = snapshot.compare(before, snapshot.take(repo.git))
    assert before.head in found.sentence
    assert now in found.sentence
    assert repo("rev-parse", "HEAD") == now


def test_a_snapshot_comes_back_from_its_fields(world: World) -> None:
    taken = snapshot.take(make_repo(world).git)
    assert snapshot.read(Fields(vars(taken) | {"untracked": list(taken.untracked)}, "x")) == taken
