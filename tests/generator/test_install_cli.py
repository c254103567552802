"""The installing verbs from the command line: options, exit codes, the JSON envelope, completion."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from knowzcode_relay import __version__
from support.checkout import ROOT, run_program
from support.world import World, build_tree, tree_digest

Completed = subprocess.CompletedProcess[str]


def run(world: World, *words: str, **variables: str) -> Completed:
    return run_program(ROOT, *words, environ=world.environ(**variables))


def answer(world: World, *words: str) -> dict[str, Any]:
    done = run(world, *words, "--json")
    data = json.loads(done.stdout)
    assert data["code"] == done.returncode
    assert data["verb"] == words[0]
    return data


def refused(world: World, code: int, *words: str, **variables: str) -> str:
    """The one line that a refusal prints. The tree is as it was."""
    before = tree_digest(world.root)
    done = run(world, *words, **variables)
    assert (done.returncode, done.stderr) == (code, "")
    assert tree_digest(world.root) == before
    return done.stdout.splitlines()[0]


def test_gemini_is_refused_by_name_with_the_reason(world: World) -> None:
    """REQ PKG-05."""
    for words in ("gemini", "codex,gemini"):
        line = refused(world, 2, "install", "--platforms", words)
        assert line.startswith("error: Gemini CLI is no relay host")


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["--platforms", "cursor"], "'cursor' is not a platform"),
        (["--platforms", ""], "'' is not a platform"),
        ([], "Missing option '--platforms'"),
        (["--platforms", "claude", "--scope", "project"], "Claude Code keeps the absolute path"),
        (["--platforms", "all", "--scope", "project"], "Claude Code keeps the absolute path"),
        (["--platforms", "codex", "--scope", "system"], "Invalid value for '--scope'"),
        (["--platforms", "codex", "--project", "/"], "the scope is user"),
        (["--platforms", "codex", "--scope", "project", "--project", "nowhere"], "is not a folder"),
    ],
)
def test_words_that_cannot_be_meant_are_usage_errors(world: World, words: list[str], part: str) -> None:
    assert part in refused(world, 2, "install", *words)


def test_install_ends_with_what_is_where_and_with_the_readiness_of_both_targets(world: World) -> None:
    """REQ PKG-03: the version is the package's everywhere."""
    done = run(world, "install", "--platforms", "codex,claude")

    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0].startswith(f"codex user {world.home}/.codex/skills {__version__}: ")
    assert any(
        line.startswith(f"claude user {world.home}/.claude/skills/knowzcode {__version__}: ")
        for line in lines
    )
    assert [line.split()[1] for line in lines if line.startswith("target ")] == ["codex", "claude"]
    for name in ("not-installed", "target codex"):
        assert name in done.stdout


def test_status_lists_each_install_with_the_path_of_its_runtime(world: World) -> None:
    run(world, "install", "--platforms", "all")

    installs = {each["platform"]: each for each in answer(world, "status")["data"]["installs"]}

    assert installs.keys() == {"claude", "codex"}
    for each in installs.values():
        assert (each["scope"], each["version"], each["state"]) == ("user", __version__, "current")
        assert Path(each["runtime"]).is_file()
        assert Path(each["runtime"]).is_relative_to(each["root"])
    assert answer(world, "status")["data"]["readiness"]["codex"]["status"] == "not-installed"


def test_verify_and_doctor_answer_in_json(world: World) -> None:
    run(world, "install", "--platforms", "codex")
    assert answer(world, "verify")["data"]["differences"] == []
    (world.home / ".codex/skills/knowzcode-work/SKILL.md").write_text("mine")
    found = answer(world, "verify")
    assert (found["code"], found["data"]["differences"][0]["problem"]) == (8, "changed")

    subjects = {each["subject"] for each in answer(world, "doctor")["data"]["findings"]}
    assert subjects >= {"python", "python3", "git", "codex", "claude", "install"}


def test_dry_run_diff_and_json_show_one_plan_and_change_nothing(world: World) -> None:
    before = tree_digest(world.root)

    plan = answer(world, "install", "--platforms", "codex", "--dry-run")["data"]
    text = run(world, "install", "--platforms", "codex", "--dry-run").stdout
    diff = run(world, "install", "--platforms", "codex", "--diff").stdout

    assert tree_digest(world.root) == before
    paths = {each["path"] for each in plan["actions"] if each["action"] == "create"}
    skills = world.home / ".codex" / "skills"
    folders = Counter(Path(path).relative_to(skills).parts[0] for path in paths)
    assert set(folders) == {f"knowzcode-{name}" for name in ("relay", "work", "continue", "status", "setup")}
    counts = {name: f"{number} file{'s' if number > 1 else ''}" for name, number in folders.items()}
    assert all(f"new: {skills / name}: create {count}\n" in text for name, count in counts.items())
    assert {
        line.removeprefix("+++ ").strip() for line in diff.splitlines() if line.startswith("+++ ")
    } <= paths
    assert "+name: knowzcode-work" in diff


def test_a_collision_is_8_and_lists_all_of_them(world: World) -> None:
    names = ("knowzcode-relay", "knowzcode-work")
    build_tree(world.home, {f".codex/skills/{name}/SKILL.md": "theirs" for name in names})

    found = answer(world, "install", "--platforms", "codex")

    assert (found["code"], found["data"]["problem"], len(found["data"]["conflicts"])) == (8, "place.taken", 2)
    assert run(world, "install", "--platforms", "codex", "--replace").returncode == 0


def test_upgrade_takes_what_is_installed_and_names_what_is_not(world: World) -> None:
    assert "There is no user install" in refused(world, 3, "upgrade")
    run(world, "install", "--platforms", "codex")

    assert run(world, "upgrade").returncode == 0
    assert "for claude" in refused(world, 3, "upgrade", "--platforms", "claude")


def test_project_scope_without_platforms_means_those_that_can_be_had(world: World) -> None:
    project = world.root / "project"
    (project / ".git").mkdir(parents=True)
    place = ("--scope", "project", "--project", str(project))
    run(world, "install", "--platforms", "codex", *place)

    assert run(world, "upgrade", *place).returncode == 0
    assert run(world, "uninstall", *place).returncode == 0
    assert [path.name for path in project.iterdir()] == [".git"]


def test_uninstall_of_nothing_is_done_already(world: World) -> None:
    assert answer(world, "uninstall")["message"] == "Nothing is installed there."
    assert [path.name for path in world.home.iterdir()] == [".codex"]


@pytest.mark.parametrize("home", ["", "relative", "/nowhere/at/all"])
def test_no_home_is_a_sentence(world: World, home: str) -> None:
    line = refused(world, 3, "install", "--platforms", "codex", HOME=home)
    assert line == "error: HOME does not name a home folder."


def test_a_file_where_a_folder_belongs_is_a_sentence(world: World) -> None:
    (world.home / ".codex/skills").write_text("a file")
    line = refused(world, 3, "install", "--platforms", "codex,claude")
    assert line == f"error: {world.home}/.codex/skills is not a folder. Nothing was changed."


@pytest.mark.parametrize("part", [".", ".codex"])
def test_a_read_only_place_is_a_sentence_and_nothing_is_half_written(world: World, part: str) -> None:
    """Field report 85: home read-only."""
    place = world.home / part
    before = tree_digest(world.root)
    box = ["bwrap", "--dev-bind", "/", "/", "--ro-bind", str(place), str(place)]
    program = "import sys; from knowzcode_relay.cli import main; main()"
    done = subprocess.run(
        [*box, "--", sys.executable, "-c", program, "install", "--platforms", "all"],
        env={**world.environ(), "PYTHONPATH": str(ROOT / "generator"), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (3, "")
    assert "cannot be written" in done.stdout.splitlines()[0]
    assert tree_digest(world.root) == before


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_the_shells_script(world: World, shell: str) -> None:
    done = run(world, "completion", shell)
    assert done.returncode == 0
    assert f"_KNOWZCODE_RELAY_COMPLETE={shell}_complete" in done.stdout


def test_completion_knows_the_verbs(world: World) -> None:
    words = {
        "_KNOWZCODE_RELAY_COMPLETE": "bash_complete",
        "COMP_WORDS": "knowzcode-relay un",
        "COMP_CWORD": "1",
    }
    assert run(world, **words).stdout.split() == ["plain,uninstall"]


def test_the_installed_runtime_runs_with_the_standard_library_alone(world: World) -> None:
    """REQ PKG-09: from a path with spaces."""
    home = str(world.root / "a codex home")
    run(world, "install", "--platforms", "codex", CODEX_HOME=home)
    runtime = Path(home) / "skills/knowzcode-relay/runtime/relay.py"

    done = subprocess.run(
        [sys.executable, "-I", "-S", str(runtime), "detect", "--json"],
        env=world.environ(),
        cwd=world.home,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert json.loads(done.stdout)["data"]["targets"].keys() == {"codex", "claude"}
