"""What a host's sandbox leaves us, and the refusal that names how to leave it."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from relay_runtime.errors import Exit
from relay_runtime.paths import Project
from relay_runtime.readiness.hostbox import HostBox, look, read_only
from support.runtime_package import package_of
from support.world import World, tree_digest

ARGV = ("python3", "/a b/relay.py", "start")


def box(
    host: str = "codex",
    *,
    network: bool = True,
    git: bool = True,
    told: bool = False,
    lasting: bool = True,
) -> HostBox:
    return HostBox(host=host, network=network, git=git, told=told, lasting=lasting)


def test_outside_any_sandbox(world: World, tmp_path: Path) -> None:
    """Here, where tests run unsandboxed, nothing is lacking, nothing is refused and nothing is written."""
    subprocess.run(["git", "init", "-q", tmp_path / "p"], check=True, env=world.environ())
    before = tree_digest(tmp_path / "p")
    found = look("codex", Project(tmp_path / "p"), world.environ())
    assert found == box()
    assert (found.boxed, found.outside(ARGV)) == (False, "")
    assert found.stopped(ARGV) is None
    assert tree_digest(tmp_path / "p") == before


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (box(network=False), "no network"),
        (box(git=False), "a read-only .git"),
        (box(network=False, git=False), "no network, a read-only .git"),
        (box(lasting=False), "no process that outlives it"),
    ],
)
def test_codex_host_is_told_the_escalated_call(found: HostBox, words: str) -> None:
    """Field report 89: exit 3 before anything starts, with the whole call to make instead."""
    answer = found.stopped(ARGV, "plan")
    assert answer is not None and answer.next is not None
    assert (answer.data["problem"], answer.exit) == ("host.sandboxed", Exit.HALT)
    assert words in answer.message
    following = answer.next.as_text()
    assert following.startswith("next: Outside the sandbox, which asks the user")
    call = json.loads(following[following.index("{") :])
    assert (call["cmd"], call["sandbox_permissions"]) == (
        "python3 '/a b/relay.py' start",
        "require_escalated",
    )
    assert (answer.next.argv, answer.next.input_schema) == (ARGV, "plan")


def test_what_needs_no_lasting_process_goes_on_without() -> None:
    """A leg in the foreground, a checkpoint."""
    assert box(lasting=False).stopped(ARGV, lasting=False) is None


def test_claude_host_is_told_the_setting() -> None:
    """Claude Code's own sandbox can leave out exactly the relay's command."""
    hint = box("claude", network=False).outside(("kc-relay", "start"))
    assert '"kc-relay *" to sandbox.excludedCommands' in hint
    assert hint.endswith("kc-relay start")


def test_a_mark_alone_refuses_nothing() -> None:
    """A variable may be left over; what a trial proved is what stops a run."""
    found = box(told=True)
    assert found.stopped(ARGV) is None
    assert found.boxed


@pytest.mark.parametrize("value", ["", "1"])
def test_marks_of_the_own_host_only(world: World, value: str) -> None:
    """An empty variable is none."""
    environ = world.environ(CODEX_SANDBOX_NETWORK_DISABLED=value)
    assert look("codex", Project(world.root), environ).told is bool(value)
    assert look("claude", Project(world.root), environ).told is False


def test_a_folder_without_permission_is_not_read_only(tmp_path: Path) -> None:
    """Only a mount counts, and a path that does not exist lies where its parent does."""
    (tmp_path / "locked").mkdir(mode=0o500)
    assert read_only(tmp_path / "locked" / "none" / "below") is False


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bwrap makes the read-only mount")
@pytest.mark.parametrize("where", ["repository", "worktree"])
def test_read_only_repository_is_found(world: World, tmp_path: Path, where: str) -> None:
    """A linked worktree is judged by the repository that it points to, whose folder git writes."""
    repository = tmp_path / "repository"
    environ = world.environ(GIT_AUTHOR_NAME="a", GIT_AUTHOR_EMAIL="a", GIT_COMMITTER_NAME="a")
    environ["GIT_COMMITTER_EMAIL"] = "a"
    for words in (
        ["init", "-q", repository],
        ["-C", repository, "commit", "-q", "--allow-empty", "-m", "first"],
        ["-C", repository, "worktree", "add", "-q", tmp_path / "worktree"],
    ):
        subprocess.run(["git", *words], check=True, env=environ)
    git = repository / ".git"
    relay = package_of(world, "codex") / "runtime" / "relay.py"
    answer = subprocess.run(
        [
            *("bwrap", "--bind", "/", "/", "--ro-bind", git, git, "--dev", "/dev"),
            *(sys.executable, "-I", relay, "detect", "--json"),
        ],
        cwd=tmp_path / where,
        env=environ,
        capture_output=True,
        check=True,
    )
    assert json.loads(answer.stdout)["data"]["host_sandbox"] == {
        "sandboxed": True,
        "network": True,
        "git_writable": False,
        "lasting": True,
    }


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bwrap makes the namespace")
def test_a_namespace_that_ends_with_the_command_is_found(world: World, tmp_path: Path) -> None:
    """Also where network and `.git` are there, as with Codex's network_access and writable_roots."""
    relay = package_of(world, "codex") / "runtime" / "relay.py"
    helper = tmp_path / "codex-linux-sandbox"
    helper.symlink_to(str(shutil.which("bwrap")))
    answer = subprocess.run(
        [
            *(helper, "--bind", "/", "/", "--dev", "/dev", "--unshare-pid", "--proc", "/proc"),
            *(sys.executable, "-I", relay, "detect", "--json"),
        ],
        cwd=tmp_path,
        env=world.environ(),
        capture_output=True,
        check=True,
    )
    assert json.loads(answer.stdout)["data"]["host_sandbox"]["lasting"] is False
