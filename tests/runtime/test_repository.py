"""Which repositories a relay can work in; each refusal has its own sentence."""

from pathlib import Path

import pytest

from relay_runtime.errors import Exit, RelayError
from relay_runtime.gitrepo.branch import check_free, create, undo
from relay_runtime.gitrepo.changes import changes
from relay_runtime.gitrepo.repository import default_branches, inspect
from support.repo import Repo, make_repo
from support.world import World, build_tree


def refusal(repo: Repo) -> RelayError:
    with pytest.raises(RelayError) as refused:
        inspect(repo.git)
    assert refused.value.exit == Exit.HALT
    assert refused.value.hint
    return refused.value


def test_an_ordinary_repository_has_head_and_branch(world: World) -> None:
    repo = make_repo(world)
    found = inspect(repo.git)
    assert (found.top, found.branch, found.head) == (repo.root, "main", repo("rev-parse", "HEAD"))
    assert found.notes == ()


def test_a_plain_folder_is_refused(world: World) -> None:
    """REQ PRE-12. Field report 11: and no repository is made."""
    folder = world.root / "plain"
    folder.mkdir()
    assert refusal(Repo(folder, world.environ())).problem == "git.none"
    assert list(folder.iterdir()) == []


def test_a_bare_repository_is_refused(world: World) -> None:
    """Field report 73."""
    folder = world.root / "bare.git"
    folder.mkdir()
    repo = Repo(folder, world.environ())
    repo("init", "-q", "--bare")
    assert refusal(repo).problem == "git.bare"


def test_a_repository_without_commit_is_refused(world: World) -> None:
    """REQ PRE-12; field report 73."""
    assert refusal(make_repo(world, empty=True)).message == "The branch main has no commit yet."


def test_an_orphan_branch_is_refused(world: World) -> None:
    """Field report 73."""
    repo = make_repo(world)
    repo("checkout", "-q", "--orphan", "fresh")
    assert refusal(repo).message == "The branch fresh has no commit yet."


def conflict(repo: Repo) -> None:
    repo("checkout", "-q", "-b", "other")
    repo.commit({"README.md": "other\n"})
    repo("checkout", "-q", "main")
    repo.commit({"README.md": "main\n"})


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (("merge", "other"), "A merge is under way"),
        (("rebase", "other"), "A rebase is under way"),
        (("cherry-pick", "other"), "A cherry-pick is under way"),
        (("revert", "--no-edit", "HEAD~1"), "A revert is under way"),
        (("stash", "apply"), "unmerged files"),
    ],
)
def test_work_under_way_is_named(world: World, command: tuple[str, ...], expected: str) -> None:
    """REQ PRE-12; field report 73."""
    repo = make_repo(world)
    repo.commit({"README.md": "before\n"})
    if command[0] == "stash":
        build_tree(repo.root, {"README.md": "stashed\n"})
        repo("stash")
    conflict(repo)
    with pytest.raises(AssertionError):
        repo(*command)
    assert expected in refusal(repo).message


def test_a_bisect_is_named(world: World) -> None:
    repo = make_repo(world)
    repo("bisect", "start")
    assert "A bisect is under way" in refusal(repo).message


def test_a_left_index_lock_is_named(world: World) -> None:
    repo = make_repo(world)
    build_tree(repo.root, {".git/index.lock": ""})
    assert refusal(repo).problem == "git.locked"


def test_a_missing_identity_is_refused(world: World) -> None:
    """Field report 73."""
    repo = make_repo(world)
    (world.home / ".gitconfig").write_text("[user]\n\tuseConfigOnly = true\n")
    assert refusal(repo).problem == "git.identity"


def test_a_project_below_the_top_folder_is_refused(world: World) -> None:
    repo = make_repo(world)
    (repo.root / "part").mkdir()
    found = refusal(Repo(repo.root / "part", repo.environ))
    assert found.problem == "git.subfolder"
    assert str(repo.root) in found.message


def test_without_git_that_is_said(world: World) -> None:
    repo = make_repo(world)
    assert refusal(Repo(repo.root, {"PATH": str(world.bin)})).problem == "git.missing"


def test_a_detached_head_is_allowed_and_said(world: World) -> None:
    """REQ PRE-12; field report 73."""
    repo = make_repo(world)
    repo("checkout", "-q", "--detach")
    found = inspect(repo.git)
    assert found.branch is None
    assert "detached" in found.notes[0]


def test_a_shallow_clone_and_a_linked_worktree_are_allowed_and_said(world: World) -> None:
    """Field report 73."""
    origin = make_repo(world, "origin")
    origin.commit({"a": "1"})
    shallow = world.root / "shallow"
    origin("clone", "-q", "--depth=1", f"file://{origin.root}", str(shallow))
    assert "shallow" in inspect(Repo(shallow, origin.environ).git).notes[0]
    linked = world.root / "linked"
    origin("worktree", "add", "-q", str(linked))
    assert "linked worktree" in inspect(Repo(linked, origin.environ).git).notes[0]


def test_variables_of_a_surrounding_git_hook_do_not_redirect_us(world: World) -> None:
    repo = make_repo(world)
    other = make_repo(world, "other")
    redirected = Repo(repo.root, {**repo.environ, "GIT_DIR": str(other.root / ".git")})
    assert inspect(redirected.git).git_dir == repo.root / ".git"


def test_a_file_system_monitor_of_the_repository_is_not_run(world: World) -> None:
    repo = make_repo(world)
    program = build_tree(repo.root, {"monitor": "#!/bin/sh\ntouch PWNED\n"}) / "monitor"
    program.chmod(0o755)
    repo("config", "core.fsmonitor", "./monitor")
    assert [one.path for one in changes(repo.git)] == ["monitor"]
    assert not (repo.root / "PWNED").exists()


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        ((), ("main",)),
        ((("branch", "master"), ("config", "--global", "init.defaultBranch", "trunk")), ("main", "master")),
        ((("branch", "develop"), ("config", "init.defaultBranch", "develop")), ("develop",)),
        ((("branch", "-m", "work"),), ()),
    ],
)
def test_the_default_branch_without_a_remote(
    world: World, make: tuple[tuple[str, ...], ...], expected: tuple[str, ...]
) -> None:
    """REQ PRE-03: the configured name counts when the branch exists, else the usual names."""
    repo = make_repo(world)
    for words in make:
        repo(*words)
    assert default_branches(repo.git) == expected


def test_the_remote_names_the_default_branch(world: World) -> None:
    """REQ PRE-03."""
    origin = make_repo(world, "origin")
    origin("branch", "-m", "release")
    clone = world.root / "clone"
    origin("clone", "-q", str(origin.root), str(clone))
    assert default_branches(Repo(clone, origin.environ).git) == ("release",)


@pytest.mark.parametrize("detached", [False, True])
def test_the_relay_branch_starts_at_head_and_can_be_taken_back(world: World, detached: bool) -> None:
    """REQ PRE-03, PRE-11."""
    repo = make_repo(world)
    head = repo("rev-parse", "HEAD")
    if detached:
        repo("checkout", "-q", "--detach")
    before = (
        repo("for-each-ref"),
        (repo.root / ".git/HEAD").read_bytes(),
        (repo.root / ".git/index").read_bytes(),
    )
    found = inspect(repo.git)
    create(repo.git, found, "kc-relay/x")
    assert repo("symbolic-ref", "HEAD") == "refs/heads/kc-relay/x"
    assert repo("rev-parse", "HEAD") == head
    undo(repo.git, found, "kc-relay/x")
    after = (
        repo("for-each-ref"),
        (repo.root / ".git/HEAD").read_bytes(),
        (repo.root / ".git/index").read_bytes(),
    )
    assert after == before


def test_git_finds_the_way_back_from_the_relay_branch(world: World) -> None:
    repo = make_repo(world)
    create(repo.git, inspect(repo.git), "kc-relay/x")
    repo("checkout", "-q", "-")
    assert repo("symbolic-ref", "--short", "HEAD") == "main"


@pytest.mark.parametrize("taken", ["kc-relay/x", "kc-relay"])
def test_a_taken_branch_name_is_refused(world: World, taken: str) -> None:
    """REQ PRE-13."""
    repo = make_repo(world)
    repo("branch", taken)
    with pytest.raises(RelayError, match=f"The branch {taken} exists"):
        check_free(repo.git, "kc-relay/x")


def test_refs_that_look_like_options_are_only_names(world: World) -> None:
    """Field report 70."""
    repo = make_repo(world)
    head = repo("rev-parse", "HEAD")
    for name in ("-f", "--output=x"):
        build_tree(repo.root, {f".git/refs/heads/{name}": head + "\n"})
    build_tree(repo.root, {".git/HEAD": "ref: refs/heads/-f\n"})
    found = inspect(repo.git)
    assert found.branch == "-f"
    create(repo.git, found, "kc-relay/x")
    undo(repo.git, found, "kc-relay/x")
    assert (repo.root / ".git/HEAD").read_text() == "ref: refs/heads/-f\n"
    assert not Path(repo.root, "x").exists()
