"""--with jobs: a second plugin beside the first, owned, upgraded and removed like it, and never alone."""

import json
from pathlib import Path

import pytest

from knowzcode_relay.errors import Exit, RelayError
from knowzcode_relay.install.exactness import judge
from support.checkout import ROOT, run_program
from support.installing import Machine, claude_package, jobs_package
from support.world import World, build_tree, tree_digest

RELAY = "knowzcode@knowzcode-relay"
JOBS = "cc-agents@knowzcode-relay"


@pytest.fixture
def machine(world: World) -> Machine:
    return Machine(world).with_claude()


def test_installing_says_at_once_what_the_client_cannot(machine: Machine) -> None:
    build_tree(machine.world.home / ".claude", {"settings.json": json.dumps({"disableAllHooks": True})})

    (found,) = machine.install(claude_package(), jobs_package()).exactness

    assert found.exact is False


def enabled(machine: Machine) -> dict[str, bool]:
    return json.loads((machine.world.home / ".claude/settings.json").read_text())["enabledPlugins"]


def listed(machine: Machine) -> list[str]:
    record = json.loads((machine.plugin.parent / ".claude-plugin/marketplace.json").read_text())
    return [plugin["source"] for plugin in record["plugins"]]


def plugin(machine: Machine) -> Path:
    return machine.plugin.parent / "cc-agents"


def versions(machine: Machine) -> dict[str, str]:
    return {each["platform"]: each["version"] for each in machine.manifest()["installs"]}


def test_both_plugins_lie_in_one_marketplace_and_are_on(machine: Machine) -> None:
    machine.install(claude_package(), jobs_package())

    assert enabled(machine) == {RELAY: True, JOBS: True}
    assert listed(machine) == ["./knowzcode", "./cc-agents"]
    for file in jobs_package().all_files:
        assert (plugin(machine) / file.path).read_bytes() == file.data


def test_it_can_be_added_later_and_then_changes_with_the_relay(machine: Machine) -> None:
    machine.install(claude_package())
    assert listed(machine) == ["./knowzcode"]

    machine.install(claude_package(), jobs_package())
    assert listed(machine) == ["./knowzcode", "./cc-agents"]

    both = {"claude": claude_package("2.0.0"), "cc-agents": jobs_package("2.0.0")}
    machine.change("upgrade", both, ("claude",))
    assert versions(machine) == {"claude": "2.0.0", "cc-agents": "2.0.0"}
    assert (plugin(machine) / "version.txt").read_text() == "2.0.0"


def test_uninstall_takes_both_and_leaves_nothing(machine: Machine) -> None:
    before = tree_digest(machine.world.home)
    machine.install(claude_package(), jobs_package())
    usage = {"pluginUsage": {JOBS: 1, RELAY: 1}, "declinedPlugins": [JOBS]}
    build_tree(machine.world.home / ".claude", {".claude.json": json.dumps(usage)})
    build_tree(machine.world.home / ".claude/plugins", {"data/cc-agents-knowzcode-relay/f": "x"})

    machine.uninstall("claude")

    kept = {path: what for path, what in tree_digest(machine.world.home).items() if path not in before}
    assert not [path for path in kept if "cc-agents" in path or "knowzcode" in path]
    assert not [path for path, (_, data) in kept.items() if b"cc-agents" in data or b"knowzcode" in data]
    assert enabled(machine) == {}


def test_an_edited_file_of_it_stays_and_is_said(machine: Machine) -> None:
    """The user's bytes are the user's, in this package as in the others."""
    machine.install(claude_package(), jobs_package())
    file = plugin(machine) / "agents/job.md"
    file.write_text("mine")

    both = {"claude": claude_package("2.0.0"), "cc-agents": jobs_package("2.0.0")}
    machine.change("upgrade", both, ("claude",))
    assert file.read_text() == "mine"

    removed = machine.uninstall("claude")
    assert file.read_text() == "mine"
    assert any(str(file) in sentence for sentence in removed.said)


def test_a_failed_registration_takes_the_relay_back_too(machine: Machine) -> None:
    """All of a change or nothing of it."""
    machine.with_claude(refuse=[f"install {JOBS}"])
    with pytest.raises(RelayError, match="did not register cc-agents"):
        machine.install(claude_package(), jobs_package())

    assert enabled(machine) == {}
    assert not machine.data.exists()


def test_a_plugin_of_its_name_from_elsewhere_is_named_and_left(machine: Machine) -> None:
    own = {".claude-plugin/plugin.json": json.dumps({"name": "cc-agents"})}
    build_tree(machine.world.home / ".claude/skills/mine", own)
    before = tree_digest(machine.world.home)

    with pytest.raises(RelayError, match="makes a drop-in plugin of our name") as caught:
        machine.install(claude_package(), jobs_package())

    assert caught.value.exit is Exit.CONFLICT
    assert tree_digest(machine.world.home) == before


def test_without_the_client_both_are_drop_ins(machine: Machine) -> None:
    machine.without_claude().install(claude_package(), jobs_package())

    skills = machine.world.home / ".claude/skills"
    assert sorted(path.name for path in skills.iterdir()) == ["cc-agents", "knowzcode"]

    machine.with_claude().change(
        "upgrade", {"claude": claude_package(), "cc-agents": jobs_package()}, ("claude",)
    )
    assert not skills.exists()
    assert enabled(machine) == {RELAY: True, JOBS: True}


@pytest.mark.parametrize(
    ("words", "code", "part"),
    [
        (["install", "--platforms", "codex", "--with", "jobs"], 2, "--with jobs is for claude only"),
        (["uninstall", "--platforms", "codex", "--with", "jobs"], 2, "--with jobs is for claude only"),
        (["install", "--platforms", "claude", "--with", "x"], 2, "'x' is nothing that can be added"),
        (["upgrade", "--with", "jobs"], 3, "no user install to upgrade for"),
    ],
)
def test_what_cannot_be_had_is_refused(world: World, words: list[str], code: int, part: str) -> None:
    done = run_program(ROOT, *words, environ=world.environ())

    assert done.returncode == code
    assert part in done.stdout
    assert not (world.home / ".local/share").exists()


def test_status_lists_it_by_its_package(machine: Machine) -> None:
    """Platform claude, package cc-agents; a sentence says whether its answers are exact."""
    words = ("--platforms", "claude", "--json")
    environ = machine.world.environ()
    run_program(ROOT, "install", *words, "--with", "jobs", environ=environ)

    data = json.loads(run_program(ROOT, "status", *words, environ=environ).stdout)["data"]

    installs = [(each["platform"], each["package"], each["state"]) for each in data["installs"]]
    assert installs == [("claude", "knowzcode", "current"), ("claude", "cc-agents", "current")]
    assert [each["exact"] for each in data["jobs"]] == [None]
    verified = json.loads(run_program(ROOT, "verify", *words, environ=environ).stdout)
    assert verified["data"]["differences"] == []


def exactness(machine: Machine, version: str = "2.1.332") -> tuple[bool | None, str]:
    found = judge(ROOT / "runtime/relay.py", version, machine.project, machine.around)
    return found.exact, f"{found.text} {found.remedy}"


@pytest.mark.parametrize(
    ("version", "file", "part"),
    [
        ("2.1.197", "", "Claude Code 2.1.197 is older than 2.1.294"),
        ("2.1.332", "home/.claude/settings.json", ".claude/settings.json disables all hooks"),
        ("2.1.332", "project/.claude/settings.json", "project/.claude/settings.json disables all hooks"),
        ("2.1.332", "project/.claude/settings.local.json", "settings.local.json disables all hooks"),
    ],
)
def test_it_is_said_beforehand_when_the_client_cannot(
    machine: Machine, version: str, file: str, part: str
) -> None:
    build_tree(machine.world.root, {file: json.dumps({"disableAllHooks": True})} if file else {})

    exact, said = exactness(machine, version)

    assert exact is False
    assert part in said
    assert "knowzcode-relay job run < header" in said
