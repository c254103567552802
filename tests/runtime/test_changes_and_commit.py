"""Exact paths, and commits that are scoped, bounded and proven."""

import os
import time

import pytest

from relay_runtime.attempts.process import identify
from relay_runtime.errors import RelayError
from relay_runtime.gitrepo.changes import Change, Kind, changes, ignored
from relay_runtime.gitrepo.commit import commit_paths
from support.repo import Repo, make_repo
from support.world import World, build_tree

ODD = ("docs/設計 説明.md", "a\tb", "-rf", ":(top)x", "*.py", "end\n", 'q"uote', "back\\slash", "--output=x")


def refused(repo: Repo, *paths: str, seconds: float = 30) -> RelayError:
    """The refusal of a commit, after proof that HEAD and index are as they were."""
    head, index = repo("rev-parse", "HEAD"), repo("ls-files", "--stage")
    with pytest.raises(RelayError) as caught:
        commit_paths(repo.git, paths, "message", seconds)
    assert (repo("rev-parse", "HEAD"), repo("ls-files", "--stage")) == (head, index)
    assert not (repo.root / ".git/index.lock").exists()
    return caught.value


def test_odd_names_are_listed_and_committed_exactly(world: World) -> None:
    """Field report 65; REQ REV-01."""
    repo = make_repo(world)
    build_tree(repo.root, dict.fromkeys(ODD, "x\n"))
    (repo.root / os.fsdecode(b"latin\xe9")).write_text("x\n")
    names = (*ODD, os.fsdecode(b"latin\xe9"))
    assert {one.path for one in changes(repo.git)} == set(names)
    build_tree(repo.root, {"a.py": "not ours\n"})
    commit_paths(repo.git, names, "message")
    assert [one.path for one in changes(repo.git)] == ["a.py"]
    assert not (repo.root / "x").exists()


def test_a_rename_a_deletion_and_a_file_that_became_a_folder(world: World) -> None:
    """Field report 65."""
    repo = make_repo(world)
    repo.commit({"old": "same\n", "gone": "1\n", "file": "2\n"})
    (repo.root / "old").rename(repo.root / "new")
    (repo.root / "gone").unlink()
    (repo.root / "file").unlink()
    build_tree(repo.root, {"file/inner": "3\n"})
    paths = tuple(one.path for one in changes(repo.git))
    assert paths == ("file", "file/inner", "gone", "new", "old")
    commit_paths(repo.git, paths, "message")
    assert changes(repo.git) == ()
    assert repo("ls-files") == "README.md\nfile/inner\nnew"


def test_staged_untracked_submodule_and_nested_repository_are_told_apart(world: World) -> None:
    """Field reports 69 and 71; REQ PRE-05."""
    repo = make_repo(world)
    inner = make_repo(world, "inner")
    repo("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.root), "sub")
    repo("commit", "-q", "-m", "submodule")
    build_tree(repo.root, {"sub/README.md": "edited\n", "README.md": "edited\n", "new": "", "nest/f": ""})
    repo("add", "README.md")
    repo("init", "-q", "nest")
    repo("-C", "nest", "commit", "-q", "--allow-empty", "-m", "one")
    (repo.root / "dangling").symlink_to("nowhere")
    os.mkfifo(repo.root / "fifo")
    assert changes(repo.git) == (
        Change("README.md", Kind.TRACKED, staged=True),
        Change("dangling", Kind.UNTRACKED),
        Change("nest/", Kind.REPOSITORY),
        Change("new", Kind.UNTRACKED),
        Change("sub", Kind.SUBMODULE),
    )


def test_ignored_paths_are_known(world: World) -> None:
    repo = make_repo(world)
    repo.commit({".gitignore": "workgroups/\n*.log\n"})
    asked = ("workgroups/a", "b.log", "c", "-x.log")
    assert ignored(repo.git, asked) == {"workgroups/a", "b.log", "-x.log"}


def test_only_the_named_paths_are_committed_on_top_of_head(world: World) -> None:
    """REQ REV-03, PRE-06."""
    repo = make_repo(world)
    head = repo("rev-parse", "HEAD")
    build_tree(repo.root, {"mine": "1\n", "yours": "2\n"})
    made = commit_paths(repo.git, ("mine",), 'KnowzCode "relay"\n\n# no comment')
    assert repo("rev-parse", f"{made}^") == head
    assert repo("show", "--name-only", "--format=%s", made) == 'KnowzCode "relay"\n\nmine'
    assert (repo.root / "yours").exists()


def test_a_foreign_staged_path_is_refused_and_stays_staged(world: World) -> None:
    """REQ REV-05."""
    repo = make_repo(world)
    build_tree(repo.root, {"mine": "1\n", "yours": "2\n"})
    repo("add", "yours")
    assert refused(repo, "mine").problem == "commit.foreign"
    assert repo("diff", "--cached", "--name-only") == "yours"


def test_a_whitespace_error_is_refused_with_the_finding(world: World) -> None:
    """REQ REV-02."""
    repo = make_repo(world)
    build_tree(repo.root, {"mine": "trailing \n"})
    assert "mine:1: trailing whitespace" in refused(repo, "mine").message


def test_a_hanging_hook_is_bounded(world: World) -> None:
    """Field report 72: bounded, nothing left running, work still in the tree."""
    repo = make_repo(world)
    build_tree(repo.root, {"mine": "1\n"})
    marker = world.root / "hook-pid"
    repo.hook("pre-commit", f"echo $$ > '{marker}'\nexec sleep 600\n")
    started = time.monotonic()
    found = refused(repo, "mine", seconds=1)
    assert time.monotonic() - started < 20
    assert "did not end within 1 seconds" in found.message
    assert (repo.root / "mine").read_text() == "1\n"
    assert identify(int(marker.read_text())) is None


def test_a_hanging_signing_program_is_bounded(world: World) -> None:
    """Field report 72."""
    repo = make_repo(world)
    program = build_tree(world.bin, {"sign": "#!/bin/sh\nexec sleep 600\n"}) / "sign"
    program.chmod(0o755)
    repo("config", "commit.gpgsign", "true")
    repo("config", "gpg.program", str(program))
    build_tree(repo.root, {"mine": "1\n"})
    assert "did not end" in refused(repo, "mine", seconds=1).message


def test_a_hook_that_says_no_is_heard(world: World) -> None:
    """Field report 72: its output is shown and it is not skipped."""
    repo = make_repo(world)
    build_tree(repo.root, {"mine": "1\n"})
    repo.hook("pre-commit", "echo 'line 7 is too long' >&2\nexit 1\n")
    assert "line 7 is too long" in refused(repo, "mine").message


def test_a_hook_that_rewrites_the_file_leaves_the_difference_in_the_tree(world: World) -> None:
    """Field report 72."""
    repo = make_repo(world)
    build_tree(repo.root, {"mine": "1\n"})
    repo.hook("pre-commit", "echo rewritten > mine\n")
    made = commit_paths(repo.git, ("mine",), "message")
    assert repo("show", f"{made}:mine") == "1"
    assert [one.path for one in changes(repo.git)] == ["mine"]


def test_a_background_child_of_a_hook_does_not_hold_us(world: World) -> None:
    """Field report 40."""
    repo = make_repo(world)
    build_tree(repo.root, {"mine": "1\n"})
    marker = world.root / "child"
    repo.hook("post-commit", f"sleep 600 &\necho $! > '{marker}'\n")
    started = time.monotonic()
    commit_paths(repo.git, ("mine",), "message")
    assert time.monotonic() - started < 20
    os.kill(int(marker.read_text()), 9)
