"""`config persist` changes one value and no other byte."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from relay_runtime import config
from relay_runtime.config.persist import TEMPLATE, persist, with_selector
from relay_runtime.paths import Project
from support.runtime_package import Completed, run_runtime
from support.world import World, build_tree, tree_digest

NAME = "knowzcode/knowzcode_orchestration.md"


@pytest.fixture
def project(world: World) -> Path:
    return build_tree(world.root / "my project", {"knowzcode/specs/a.md": "spec\n"})


def run_persist(world: World, project: Path, *words: str) -> Completed:
    return run_runtime(world, "claude", "config", "persist", *words, cwd=project)


CASES = {
    "in place": ("# T\n```yaml\nrelay: codex\n```\n", "# T\n```yaml\nrelay: other\n```\n"),
    "comment kept": ("```yaml\nrelay:  'codex'   # why\n```\n", "```yaml\nrelay:  other   # why\n```\n"),
    "no value yet": ("```yaml\nrelay: # who\n```\n", "```yaml\nrelay: other # who\n```\n"),
    "no value, no space": ("```yaml\nrelay:\n```\n", "```yaml\nrelay: other\n```\n"),
    "null": ("```yaml\nrelay: ~\n```\n", "```yaml\nrelay: other\n```\n"),
    "twice": ("relay: none\n```yaml\nrelay: none\n```\n", "relay: other\n```yaml\nrelay: other\n```\n"),
    "bom and crlf": (
        "\ufeff# T\r\n\r\n```yaml\r\nrelay: none\r\n```\r\n",
        "\ufeff# T\r\n\r\n```yaml\r\nrelay: other\r\n```\r\n",
    ),
    "no final newline": ("text\n\nrelay: none", "text\n\nrelay: other"),
    "added to the first block": (
        "```yaml\nprofile: teams\n```\n```yaml\nx: 1\n```\n",
        "```yaml\nprofile: teams\nrelay: other\n```\n```yaml\nx: 1\n```\n",
    ),
    "added to the block of other relay settings": (
        "```yaml\nprofile: teams\n```\n```yaml\nrelay_transport: exec\n```\n",
        "```yaml\nprofile: teams\n```\n```yaml\nrelay_transport: exec\nrelay: other\n```\n",
    ),
    "added with the block's indentation": (
        "- a\n\n  ```yaml\n  profile: teams\n  ```\n",
        "- a\n\n  ```yaml\n  profile: teams\n  relay: other\n  ```\n",
    ),
    "added with the file's line ends": (
        "```yaml\r\nprofile: teams\r\n```",
        "```yaml\r\nprofile: teams\r\nrelay: other\r\n```",
    ),
    "not added to a list": (
        "```yaml\n- a\n- b\n```\n\n```yaml\nx: 1\n```\n",
        "```yaml\n- a\n- b\n```\n\n```yaml\nx: 1\nrelay: other\n```\n",
    ),
    "not added behind a second document": (
        "```yaml\n---\na: 1\n---\nb: 2\n```\n",
        "```yaml\n---\na: 1\n---\nb: 2\n```\n\n```yaml\nrelay: other\n```\n",
    ),
    "added behind a document's start": (
        "```yaml\n---\na: 1\n```\n",
        "```yaml\n---\na: 1\nrelay: other\n```\n",
    ),
    "added to an empty block": ("```yaml\n# later\n```\n", "```yaml\n# later\nrelay: other\n```\n"),
    "added to an open block": ("```yaml\nprofile: teams", "```yaml\nprofile: teams\nrelay: other"),
    "a block of its own": ("# T\n\ntext", "# T\n\ntext\n\n```yaml\nrelay: other\n```\n"),
    "a block of its own, crlf": ("# T\r\n", "# T\r\n\r\n```yaml\r\nrelay: other\r\n```\r\n"),
    "an empty file": ("", "```yaml\nrelay: other\n```\n"),
    "only a bom": ("\ufeff", "\ufeff```yaml\nrelay: other\n```\n"),
    "an example in a comment": (
        "<!--\n```yaml\nrelay: codex\n```\n-->\n",
        "<!--\n```yaml\nrelay: codex\n```\n-->\n\n```yaml\nrelay: other\n```\n",
    ),
    "stray bytes": ("caf\udce9\n\nrelay: none\n", "caf\udce9\n\nrelay: other\n"),
}


@pytest.mark.parametrize(("before", "after"), CASES.values(), ids=CASES.keys())
def test_keeps_every_other_byte(project: Path, before: str, after: str) -> None:
    """REQ RES-21, field report 84; and a second call does not even touch the file."""
    path = project / NAME
    path.write_bytes(before.encode("utf-8", "surrogateescape"))
    assert persist(Project(project), "other") is True
    assert path.read_bytes() == after.encode("utf-8", "surrogateescape")
    stamp = path.stat().st_mtime_ns, path.stat().st_ino
    assert persist(Project(project), "other") is False
    assert (path.stat().st_mtime_ns, path.stat().st_ino) == stamp


@pytest.mark.parametrize("mode", [0o600, 0o666, 0o640])
def test_keeps_the_mode(project: Path, mode: int) -> None:
    """REQ RES-21: a private or shared file stays so, whatever the umask."""
    path = project / NAME
    path.write_text("relay: none\n")
    path.chmod(mode)
    persist(Project(project), "other")
    assert path.read_text() == "relay: other\n"
    assert path.stat().st_mode & 0o777 == mode


def test_says_what_it_did_and_what_is_next(world: World, project: Path) -> None:
    """REQ RES-21: also when there was nothing to do."""
    (project / NAME).write_text("relay: codex\n")
    first, second = run_persist(world, project), run_persist(world, project)
    assert first.out == f"[RELAY-CONFIG] {NAME} now says relay: other.\nnext: kc-relay status\n"
    assert second.out == f"[RELAY-CONFIG] {NAME} already said relay: other.\nnext: kc-relay status\n"
    assert first.code == second.code == 0


def test_turns_the_opt_in_off_again(world: World, project: Path) -> None:
    """The way back is as short as the way in."""
    (project / NAME).write_text("relay: other # yes\n")
    assert run_persist(world, project, "none").code == 0
    assert (project / NAME).read_text() == "relay: none # yes\n"


@pytest.mark.parametrize("word", ["codex", "claude", "auto", "gemini", ""])
def test_never_saves_a_provider(world: World, project: Path, word: str) -> None:
    """REQ RES-21: a name would be wrong from one of the two hosts."""
    before = tree_digest(project)
    done = run_persist(world, project, word)
    assert done.code == 2
    assert "hint: One of: other none" in done.out
    assert tree_digest(project) == before


def test_a_missing_file_is_made_from_the_template(world: World, project: Path) -> None:
    """In a project that has the folder knowzcode/."""
    assert run_persist(world, project).code == 0
    assert (project / NAME).read_bytes() == with_selector(TEMPLATE.read_bytes(), "other", NAME)
    assert config.selector(config.load(Project(project))) == "other"


def test_a_project_without_knowzcode_is_sent_to_setup(world: World) -> None:
    """Saving an opt-in is no reason to spread files over a project."""
    bare = build_tree(world.root / "bare", {"a.txt": "a"})
    before = tree_digest(bare)
    done = run_persist(world, bare)
    assert done.code == 3
    assert done.out == (
        f"[RELAY-HALT] {bare} has no folder knowzcode.\n"
        "hint: Run setup there first, or name the project: --project DIR\n"
    )
    assert tree_digest(bare) == before


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("relay: 'none\n", "config.yaml"),
        ("relay: none\nrelay: codex\n", "config.conflict"),
        ("text\n\n<!-- open\n", "config.left-open"),
        ("```text\nopen\n", "config.left-open"),
        ("```yaml\n- open list\n", "config.left-open"),
        ("r\0\n", "config.encoding"),
    ],
)
def test_a_file_it_cannot_be_sure_about_stays_as_it_is(
    world: World, project: Path, content: str, problem: str
) -> None:
    """Field report 84: stop with an explanation."""
    (project / NAME).write_text(content)
    done = run_persist(world, project, "--json")
    assert (project / NAME).read_text() == content
    assert done.json()["data"]["problem"] == problem
    assert done.code == 3


@pytest.mark.parametrize("link", [NAME, "knowzcode"])
def test_a_link_out_of_the_project_is_not_followed(world: World, link: str) -> None:
    """What lies outside is not ours to write."""
    outside = build_tree(world.root / "outside", {"knowzcode_orchestration.md": "relay: none\n"})
    root = build_tree(world.root / "linked", {"a": ""})
    if link == NAME:
        (root / "knowzcode").mkdir()
        (root / NAME).symlink_to(outside / "knowzcode_orchestration.md")
    else:
        (root / "knowzcode").symlink_to(outside)
    before = tree_digest(outside)
    done = run_persist(world, root)
    assert done.code == 3
    assert f"is not inside {root}." in done.out
    assert tree_digest(outside) == before


def test_a_link_within_the_project_is_written_through(world: World, project: Path) -> None:
    """The link stays a link."""
    build_tree(project, {"docs/config.md": "relay: none\n"})
    (project / NAME).symlink_to("../docs/config.md")
    assert run_persist(world, project).code == 0
    assert (project / NAME).is_symlink()
    assert (project / "docs/config.md").read_text() == "relay: other\n"


def test_two_at_once_write_one_after_the_other(world: World, project: Path) -> None:
    """A held lock is exit 7 and names the holder; the file stays as it is."""
    (project / NAME).write_text("relay: none\n")
    lock = project / "knowzcode/workgroups/.config.lock"
    lock.parent.mkdir()
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import fcntl, json, os, sys\n"
            "handle = open(sys.argv[1], 'w')\n"
            "fcntl.flock(handle, fcntl.LOCK_EX)\n"
            "json.dump({'pid': os.getpid(), 'purpose': 'test'}, handle)\n"
            "handle.flush()\n"
            "print('held', flush=True)\n"
            "sys.stdin.read()\n",
            str(lock),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        done = run_persist(world, project)
    assert done.code == 7
    assert f"is held by process {holder.pid} (test)." in done.out
    assert (project / NAME).read_text() == "relay: none\n"
    assert run_persist(world, project).code == 0


@pytest.mark.skipif(os.name != "posix", reason="needs a full disk made of a small one")
def test_a_failed_write_leaves_the_old_file(world: World, project: Path) -> None:
    """All or nothing: a file size limit stands for a full disk."""
    path = project / NAME
    path.write_text("x" * 20000 + "\n\nrelay: none\n")
    before = path.read_bytes()
    script = (
        "import resource, runpy, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (8000, 8000))\n"
        "from relay_runtime.config.persist import persist\n"
        "from relay_runtime.paths import Project\n"
        "from pathlib import Path\n"
        "persist(Project(Path(sys.argv[1])), 'other')\n"
    )
    runtime = Path(config.__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-B", "-c", script, str(project)],
        env=world.environ(PYTHONPATH=str(runtime)),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "cannot be written: File too large." in done.stderr
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir() if each.name.endswith(".tmp")] == []


def test_json(world: World, project: Path) -> None:
    """What a program reads."""
    (project / NAME).write_text("relay: codex\n")
    answer = json.loads(run_persist(world, project, "--json").out)
    assert answer["ok"] is True
    data = answer["data"]
    assert (data["file"], data["selector"], data["changed"]) == (NAME, "other", True)
    assert data["next"]["argv"] == ["kc-relay", "status"]
