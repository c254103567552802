"""The ownership manifest: what is damaged, newer or unsafe is three different answers."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from knowzcode_relay.errors import Exit, RelayError
from knowzcode_relay.install.manifest import Manifest, dump, load, parse
from knowzcode_relay.install.status import status
from support.installing import Machine, claude_package, codex_package
from support.world import World, build_tree, tree_digest


@pytest.fixture
def machine(world: World) -> Machine:
    machine = Machine(world)
    machine.install(codex_package())
    return machine


def tamper(machine: Machine, change: Callable[[dict[str, Any]], object]) -> None:
    record = machine.manifest()
    change(record)
    (machine.data / "manifest.json").write_text(json.dumps(record))


def test_it_reads_back_what_it_wrote(machine: Machine) -> None:
    build_tree(machine.world.home, {".claude/skills/knowzcode:relay/SKILL.md": "theirs"})
    machine.install(claude_package(), replace=True)
    found = load(machine.data)
    assert parse(json.loads(json.dumps(dump(found)))) == found
    assert {each.site.platform for each in found.installs} == {"claude", "codex"}


def test_a_missing_manifest_is_an_empty_one(world: World) -> None:
    assert load(world.home) == Manifest()


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"schema": 1}', '{"schema": 1, "made": [], "installs": [{}]}']
)
def test_a_damaged_manifest_is_never_taken_for_an_empty_one(machine: Machine, text: str) -> None:
    (machine.data / "manifest.json").write_text(text)
    before = tree_digest(machine.world.home)

    for act in (machine.uninstall, lambda: machine.install(codex_package("2.0.0"), replace=True)):
        with pytest.raises(RelayError) as caught:
            act()
        assert (caught.value.exit, caught.value.problem) == (Exit.HALT, "manifest.damaged")
    assert tree_digest(machine.world.home) == before


def test_a_newer_manifest_is_listed_and_never_changed(machine: Machine) -> None:
    tamper(
        machine, lambda record: record.update(schema=2, installs=[{**record["installs"][0], "files": "new"}])
    )
    before = tree_digest(machine.world.home)

    for act in (machine.uninstall, lambda: machine.upgrade(codex_package("2.0.0"))):
        with pytest.raises(RelayError) as caught:
            act()
        assert (caught.value.exit, caught.value.problem) == (Exit.HALT, "manifest.newer")
    assert tree_digest(machine.world.home) == before

    found = status(("codex",), {"codex": codex_package()}, machine.project, machine.around)
    assert (found.newer, found.listing[0]["platform"], found.listing[0]["version"]) == (2, "codex", "1.0.0")


@pytest.mark.parametrize("path", ["../../x", "/etc/x", "a/../../x", "a//x", "C:/x", "a\\x", "."])
def test_a_path_that_leaves_the_install_is_refused_and_the_rest_is_removed(
    machine: Machine, path: str
) -> None:
    """Field report 82: entries `../../x` and an absolute path."""
    outside = build_tree(machine.world.home, {"x": "theirs"}) / "x"

    def plant(record: dict[str, Any]) -> None:
        files = record["installs"][0]["files"]
        files[path] = files["knowzcode-work/SKILL.md"]

    tamper(machine, plant)
    with pytest.raises(RelayError) as caught:
        machine.upgrade(codex_package("2.0.0"))
    assert (caught.value.exit, caught.value.problem) == (Exit.HALT, "manifest.unsafe")

    result = machine.uninstall()

    assert result.exit is Exit.CONFLICT
    assert any(repr(path) in sentence for sentence in result.said)
    assert outside.read_text() == "theirs"
    assert not machine.codex.exists()


def test_folders_that_the_manifest_claims_are_removed_only_when_empty(machine: Machine) -> None:
    theirs = build_tree(machine.world.home, {"theirs/f": "x"}) / "theirs"
    tamper(machine, lambda record: record["installs"][0]["made"].append(str(theirs)))

    machine.uninstall()

    assert (theirs / "f").read_text() == "x"


def test_a_backup_that_was_damaged_stops_the_uninstall_with_our_file_in_place(world: World) -> None:
    machine = Machine(world)
    build_tree(machine.codex, {"knowzcode-work/SKILL.md": "from before"})
    machine.install(codex_package(), replace=True)
    (backup,) = (machine.data / "originals").iterdir()
    backup.write_text("something else")

    with pytest.raises(RelayError) as caught:
        machine.uninstall()

    assert (caught.value.exit, caught.value.problem) == (Exit.HALT, "backup.damaged")
    assert (machine.codex / "knowzcode-work/SKILL.md").exists()
    assert (machine.data / "manifest.json").exists()
