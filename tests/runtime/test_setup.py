"""`setup` prepares a project once and never touches what it finds."""

import os
import subprocess
from pathlib import Path

import pytest

from relay_runtime import config
from relay_runtime.config.persist import persist
from relay_runtime.paths import Project
from relay_runtime.project.files import as_written
from support.runtime_package import Completed, run_runtime
from support.world import World, build_tree, tree_digest

CONFIG = "knowzcode/knowzcode_orchestration.md"
IGNORE = "knowzcode/.gitignore"
INNER = "knowzcode/workgroups/.gitignore"
LOCK = "knowzcode/workgroups/.config.lock"


def git(world: World, root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["git", *words], cwd=root, env=world.environ(), capture_output=True, text=True, timeout=60
    )


@pytest.fixture
def repository(world: World) -> Path:
    root = build_tree(world.root / "my project", {"a.txt": "a\n"})
    assert git(world, root, "init", "-q").returncode == 0
    return root


def setup(world: World, root: Path, *words: str) -> Completed:
    return run_runtime(world, "claude", "setup", *words, cwd=root)


def is_ignored(world: World, root: Path) -> bool:
    return git(world, root, "check-ignore", "-q", "knowzcode/workgroups/kc-feat-x/state.md").returncode == 0


def files(root: Path) -> set[str]:
    return {name for name in tree_digest(root) if not name.startswith(".git/")}


def test_a_fresh_repository(world: World, repository: Path) -> None:
    """REQ PKG-01, A-27: one line per file, state ignored, what is left is to be committed."""
    home = tree_digest(world.home)
    done = setup(world, repository)
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        f"[RELAY-SETUP] project {repository}\n"
        "[RELAY-SETUP] made knowzcode/\n"
        "[RELAY-SETUP] made knowzcode/workgroups/\n"
        "[RELAY-SETUP] made knowzcode/specs/\n"
        f"[RELAY-SETUP] wrote {CONFIG}\n"
        f"[RELAY-SETUP] wrote {IGNORE}\n"
        "next: kc-relay detect\n"
    )
    assert is_ignored(world, repository)
    status = git(world, repository, "status", "--porcelain", "-uall").stdout.splitlines()
    assert status == ["?? a.txt", f"?? {IGNORE}", f"?? {CONFIG}"]
    assert config.selector(config.load(Project(repository))) == "none"
    assert tree_digest(world.home) == home


def test_a_second_time_changes_nothing(world: World, repository: Path) -> None:
    """Field report 84: idempotent, and it says so."""
    setup(world, repository)
    before = tree_digest(repository)
    done = setup(world, repository)
    assert done.out == (
        f"[RELAY-SETUP] project {repository}\n"
        f"[RELAY-SETUP] kept {CONFIG}\n"
        f"[RELAY-SETUP] kept {IGNORE}\n"
        "next: kc-relay detect\n"
    )
    after = tree_digest(repository)
    del before[LOCK], after[LOCK]
    assert after == before


def test_foreign_files_are_kept_and_named(world: World, repository: Path) -> None:
    """REQ RES-22: a configuration that is there stays, literal selector and all."""
    own = {CONFIG: "# Ours\r\n\r\nrelay: codex", IGNORE: "secrets/\n", "knowzcode/specs/a.md": "spec"}
    build_tree(repository, own)
    done = setup(world, repository)
    assert done.code == 0
    assert f"[RELAY-SETUP] kept {CONFIG}, which is yours\n" in done.out
    assert f"[RELAY-SETUP] kept {IGNORE}, which is yours\n" in done.out
    assert f"[RELAY-SETUP] wrote {INNER}\n" in done.out
    assert {name: (repository / name).read_bytes().decode() for name in own} == own
    assert is_ignored(world, repository)
    assert INNER not in git(world, repository, "status", "--porcelain", "-uall").stdout


@pytest.mark.parametrize("rule", ["knowzcode/workgroups/\n", "knowzcode/\n", "workgroups\n"])
def test_a_project_that_ignores_the_folder_already(world: World, repository: Path, rule: str) -> None:
    """REQ A-27: no second rule where one works."""
    build_tree(repository, {".gitignore": rule})
    done = setup(world, repository)
    assert done.code == 0
    assert not (repository / IGNORE).exists()
    assert not (repository / INNER).exists()
    assert is_ignored(world, repository)
    assert setup(world, repository).code == 0
    assert not (repository / IGNORE).exists()


def test_a_rule_that_cannot_win_halts(world: World, repository: Path) -> None:
    """REQ A-27: state must never end in a commit."""
    build_tree(repository, {INNER: "!*\n", IGNORE: "\n"})
    done = setup(world, repository)
    assert done.code == 3
    assert "[RELAY-HALT] git does not ignore knowzcode/workgroups/" in done.out
    assert "hint: See which rule wins: git check-ignore -v --no-index" in done.out
    assert (repository / INNER).read_text() == "!*\n"


def test_outside_git(world: World) -> None:
    """Field report 11: it works, says what is missing, and never makes a repository."""
    root = build_tree(world.root / "plain", {"a.txt": "a"})
    done = setup(world, root)
    assert done.code == 0
    assert (
        f"[RELAY-SETUP] {root} is in no git repository. A relay needs one, with a first commit.\n" in done.out
    )
    assert (root / IGNORE).is_file()
    assert not (root / ".git").exists()
    assert git(world, root, "init", "-q").returncode == 0
    assert is_ignored(world, root)


def test_without_git_on_path(world: World, repository: Path) -> None:
    """A missing program is a sentence, not a fault."""
    done = run_runtime(world, "claude", "setup", cwd=repository, environ=world.environ(PATH=str(world.bin)))
    assert done.code == 0
    assert "[RELAY-SETUP] git is not on PATH.\n" in done.out


def test_from_a_subfolder_of_the_project(world: World, repository: Path) -> None:
    """Field report 54: the project is the one around, and it is named."""
    folder = repository / "src" / "deep"
    folder.mkdir(parents=True)
    done = setup(world, folder)
    assert f"[RELAY-SETUP] project {repository}\n" in done.out
    assert (repository / CONFIG).is_file()
    assert list(folder.iterdir()) == []


def test_a_project_named_by_flag(world: World, repository: Path) -> None:
    """`next:` goes on naming it."""
    done = run_runtime(world, "claude", "setup", "--project", str(repository))
    assert done.out.endswith(f"next: kc-relay detect --project '{repository}'\n")
    assert (repository / CONFIG).is_file()


def test_variables_of_a_git_hook_around_us_change_nothing(world: World, repository: Path) -> None:
    """GIT_DIR of another repository must not answer for this one."""
    other = world.root / "other"
    other.mkdir()
    git(world, other, "init", "-q")
    environ = world.environ(GIT_DIR=str(other / ".git"), GIT_WORK_TREE=str(other))
    assert run_runtime(world, "claude", "setup", cwd=repository, environ=environ).code == 0
    assert is_ignored(world, repository)
    assert files(other) == {".git"}


@pytest.mark.parametrize("name", ["knowzcode", "knowzcode/workgroups", CONFIG])
def test_links_out_of_the_project_halt(world: World, repository: Path, name: str) -> None:
    """Nothing is written outside the project."""
    outside = build_tree(world.root / "outside", {"a": "a"})
    (repository / name).parent.mkdir(exist_ok=True)
    (repository / name).symlink_to(outside / "new.md" if name == CONFIG else outside)
    before = tree_digest(outside)
    done = setup(world, repository)
    assert done.code == 3
    assert f"[RELAY-HALT] {name} is not inside {repository}." in done.out
    assert tree_digest(outside) == before


def test_a_file_where_the_folder_belongs_halts(world: World, repository: Path) -> None:
    """The user's file stays."""
    build_tree(repository, {"knowzcode": "mine"})
    done = setup(world, repository)
    assert done.code == 3
    assert f"[RELAY-HALT] {repository / 'knowzcode'} cannot be made: File exists." in done.out
    assert (repository / "knowzcode").read_text() == "mine"


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes into read-only folders")
def test_a_read_only_project_halts(world: World, repository: Path) -> None:
    """The folder is named."""
    repository.chmod(0o555)
    done = setup(world, repository)
    repository.chmod(0o755)
    assert done.code == 3
    assert "cannot be made: Permission denied." in done.out


def test_json(world: World, repository: Path) -> None:
    """What a program reads."""
    build_tree(repository, {CONFIG: "mine\n"})
    data = setup(world, repository, "--json").json()["data"]
    assert data["project"] == str(repository)
    assert data["written"] == ["knowzcode/workgroups/", "knowzcode/specs/", IGNORE]
    assert data["kept"] == [CONFIG]
    assert data["ignored"] is True


def test_what_setup_wrote_is_known_again(world: World, repository: Path) -> None:
    """The Gate #2 checkpoint takes these files along, as long as nobody changed them."""
    project = Project(repository)
    assert not as_written(project, CONFIG)
    setup(world, repository)
    assert as_written(project, CONFIG)
    assert as_written(project, IGNORE)
    assert not as_written(project, "a.txt")
    persist(project, "other")
    assert as_written(project, CONFIG)
    with (repository / CONFIG).open("a") as handle:
        handle.write("\nmine\n")
    assert not as_written(project, CONFIG)
