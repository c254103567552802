"""Install for the client that keeps a registry of its own, which is read back and never believed."""

import json
from pathlib import Path
from typing import Any

import pytest

from knowzcode_relay.errors import Exit, RelayError
from support.installing import Machine, claude_package, codex_package, skill
from support.world import World, build_tree, tree_digest

ID = "knowzcode@knowzcode-relay"


@pytest.fixture
def machine(world: World) -> Machine:
    return Machine(world).with_claude()


def settings(machine: Machine) -> dict[str, Any]:
    return json.loads((machine.world.home / ".claude/settings.json").read_text())


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_the_plugin_lies_in_our_own_marketplace_and_is_registered(machine: Machine) -> None:
    machine.install(claude_package())

    assert files(machine.plugin) == {file.path: file.data for file in claude_package().all_files}
    assert (machine.plugin / "bin/kc-relay").stat().st_mode & 0o777 == 0o755
    marketplace = json.loads((machine.plugin.parent / ".claude-plugin/marketplace.json").read_text())
    assert marketplace["plugins"][0]["source"] == "./knowzcode"
    assert settings(machine)["enabledPlugins"] == {ID: True}


def test_uninstall_leaves_no_key_no_entry_and_no_cache_of_ours(machine: Machine) -> None:
    private = {"pluginUsage": {ID: 1, "other@m": 2}, "skillUsage": {"knowzcode:relay": 1}, "name": "ü"}
    config = machine.world.home / ".claude"
    machine.install(claude_package())
    build_tree(config, {".claude.json": json.dumps({**private, "declinedPlugins": [ID, "x@y"]})})
    build_tree(config, {"plugins/data/knowzcode-knowzcode-relay/f": "x", "plugins/cache/other/f": "theirs"})

    machine.uninstall()

    assert not [path for path in machine.world.home.rglob("*") if "knowzcode" in path.name]
    assert not [path for path in config.rglob("*.json") if "knowzcode" in path.read_text()]
    assert json.loads((config / ".claude.json").read_text()) == {
        "pluginUsage": {"other@m": 2},
        "skillUsage": {},
        "name": "ü",
        "declinedPlugins": ["x@y"],
    }
    assert (config / "plugins/cache/other/f").exists()


def test_an_upgrade_swaps_the_whole_folder_and_brings_foreign_files_and_edits_along(machine: Machine) -> None:
    machine.install(claude_package())
    (machine.plugin / "skills/work/SKILL.md").write_text("mine")
    build_tree(machine.plugin, {"notes.txt": "mine too"})
    (machine.plugin / "skills/relay/SKILL.md").unlink()

    machine.upgrade(claude_package("2.0.0", runtime__new="x"))

    assert (machine.plugin / "skills/work/SKILL.md").read_text() == "mine"
    assert (machine.plugin / "notes.txt").read_text() == "mine too"
    assert (machine.plugin / "version.txt").read_text() == "2.0.0"
    assert not (machine.plugin / "skills/relay").exists()
    assert not (machine.data / "staging").exists()


def test_a_client_that_claims_success_and_does_nothing_is_found_out_and_all_is_rolled_back(
    machine: Machine,
) -> None:
    """Field report 85: a partial install rolls back, the other host's files too."""
    before = tree_digest(machine.world.home)

    for command in ("marketplace add", "install"):
        machine.with_claude(lie=[command])
        with pytest.raises(RelayError) as caught:
            machine.install(claude_package(), codex_package())

        assert (caught.value.exit, caught.value.problem) == (Exit.FAILED, "claude.not-registered")
        left = {
            path: what
            for path, what in tree_digest(machine.world.home).items()
            if not path.startswith(".claude")
        }
        assert left == before
        config = machine.world.home / ".claude"
        assert not [path for path in config.rglob("*.json") if "knowzcode" in path.read_text()]


def test_a_client_that_refuses_is_quoted(machine: Machine) -> None:
    machine.with_claude(refuse=["install"])
    with pytest.raises(RelayError, match="the scenario refuses it"):
        machine.install(claude_package())


def test_without_the_client_it_is_a_drop_in_plugin_and_says_so(machine: Machine) -> None:
    machine.without_claude()
    before = tree_digest(machine.world.home)

    result = machine.install(claude_package())

    assert files(machine.drop_in) == {file.path: file.data for file in claude_package().all_files}
    assert any("OpenCode" in notice for notice in result.drafts[0].notices)

    machine.uninstall()
    assert tree_digest(machine.world.home) == before


def test_an_upgrade_moves_a_drop_in_to_the_marketplace_once_the_client_is_there(machine: Machine) -> None:
    machine.without_claude().install(claude_package())
    (machine.drop_in / "skills/work/SKILL.md").write_text("mine")
    (machine.drop_in / "skills/relay/SKILL.md").unlink()
    build_tree(machine.drop_in, {"notes.txt": "not yours"})

    machine.with_claude().upgrade(claude_package("2.0.0"))

    assert files(machine.drop_in) == {"notes.txt": b"not yours"}
    assert (machine.plugin / "skills/work/SKILL.md").read_text() == "mine"
    assert not (machine.plugin / "skills/relay").exists()
    assert (machine.plugin / "version.txt").read_text() == "2.0.0"
    assert settings(machine)["enabledPlugins"] == {ID: True}

    machine.uninstall()
    assert files(machine.drop_in) == {"notes.txt": b"not yours"}


def test_a_move_with_replace_keeps_a_copy_of_the_edit(machine: Machine) -> None:
    machine.without_claude().install(claude_package())
    (machine.drop_in / "skills/work/SKILL.md").write_text("mine")

    machine.with_claude().upgrade(claude_package("2.0.0"), replace=True)

    assert (machine.plugin / "skills/work/SKILL.md").read_text() == skill("work")
    assert (machine.data / "kept/claude/knowzcode/skills/work/SKILL.md").read_text() == "mine"
    assert not machine.drop_in.exists()


def test_a_drop_in_that_is_switched_off_is_told(machine: Machine) -> None:
    switches = {"enabledPlugins": {"knowzcode@skills-dir": False}}
    build_tree(machine.world.home / ".claude", {"settings.json": json.dumps(switches)})

    notices = machine.without_claude().install(claude_package()).drafts[0].notices

    assert any("switches knowzcode@skills-dir off" in notice for notice in notices)


def test_a_marketplace_stays_one_when_the_client_goes(machine: Machine) -> None:
    machine.install(claude_package())
    machine.without_claude().upgrade(claude_package("1.0.0", bin__more="x"))

    assert (machine.plugin / "bin/more").exists()
    assert not machine.drop_in.exists()


def test_uninstall_without_the_client_that_still_refers_to_us_changes_nothing(machine: Machine) -> None:
    machine.install(claude_package(), codex_package())
    before = tree_digest(machine.world.home)

    with pytest.raises(RelayError) as caught:
        machine.without_claude().uninstall()

    assert (caught.value.exit, caught.value.problem) == (Exit.HALT, "claude.missing")
    assert tree_digest(machine.world.home) == before


def test_uninstall_without_the_client_works_once_nothing_refers_to_us(machine: Machine) -> None:
    machine.install(claude_package())
    for name in ("known_marketplaces.json", "installed_plugins.json"):
        (machine.world.home / ".claude/plugins" / name).unlink()
    (machine.world.home / ".claude/settings.json").unlink()

    machine.without_claude().uninstall()

    assert not machine.data.exists()


def test_what_the_user_switched_off_stays_off_in_an_upgrade(machine: Machine) -> None:
    machine.install(claude_package())
    path = machine.world.home / ".claude/settings.json"
    path.write_text(json.dumps({**settings(machine), "enabledPlugins": {ID: False}}))

    machine.upgrade(claude_package("2.0.0"))
    assert settings(machine)["enabledPlugins"] == {ID: False}

    machine.install(claude_package("2.0.0"))
    assert settings(machine)["enabledPlugins"] == {ID: True}


def test_two_configurations_share_the_folder_and_the_last_one_takes_it_away(world: World) -> None:
    first = Machine(world).with_claude()
    second = Machine(world, {"CLAUDE_CONFIG_DIR": str(world.root / "other")})
    first.install(claude_package())
    second.install(claude_package())

    first.uninstall()
    assert (second.plugin / "runtime/relay.py").exists()
    assert ID in (world.root / "other/settings.json").read_text()

    second.uninstall()
    assert not first.data.exists()
    assert "knowzcode" not in (world.root / "other/settings.json").read_text()


@pytest.mark.parametrize(
    "name", ["settings.json", "plugins/known_marketplaces.json", "plugins/installed_plugins.json"]
)
def test_a_malformed_file_of_the_client_is_named_with_its_line(machine: Machine, name: str) -> None:
    """Before anything is written, for both hosts."""
    build_tree(machine.world.home / ".claude", {name: '{\n  "a": 1,\n}\n'})
    before = tree_digest(machine.world.home)

    with pytest.raises(RelayError) as caught:
        machine.install(codex_package(), claude_package())

    assert (caught.value.exit, caught.value.problem) == (Exit.HALT, "settings.malformed")
    assert f"{machine.world.home / '.claude' / name}, line 3," in caught.value.message
    assert tree_digest(machine.world.home) == before


def test_a_malformed_configuration_of_codex_is_named_with_its_line(machine: Machine) -> None:
    build_tree(machine.world.home / ".codex", {"config.toml": "a = 1\nb = \n"})
    before = tree_digest(machine.world.home)

    with pytest.raises(RelayError) as caught:
        machine.install(codex_package(), claude_package())

    assert f"{machine.world.home / '.codex/config.toml'}, line 2," in caught.value.message
    assert tree_digest(machine.world.home) == before


def test_project_settings_that_switch_us_off_are_told(machine: Machine) -> None:
    build_tree(machine.project, {".claude/settings.json": json.dumps({"enabledPlugins": {ID: False}})})
    (notice,) = machine.install(claude_package()).drafts[0].notices
    assert str(machine.project / ".claude/settings.json") in notice


@pytest.mark.parametrize(
    "place", [".claude/skills/knowzcode:relay/SKILL.md", ".claude/commands/knowzcode/relay.md"]
)
def test_what_a_project_puts_in_our_place_is_named_with_the_remedy(machine: Machine, place: str) -> None:
    """Claude Code prefers the project's file under our plugin's name."""
    build_tree(machine.project, {place: "---\ndescription: other\n---\n"})
    (notice,) = machine.install(claude_package()).drafts[0].notices
    folder = "/".join(place.split("/")[:3])
    assert notice.startswith(f"{machine.project / folder} answers to /knowzcode:… in our place")
    assert notice.endswith("rename or remove it.")


def test_edits_that_were_replaced_are_kept_by_name(machine: Machine) -> None:
    machine.install(claude_package())
    (machine.plugin / "skills/work/SKILL.md").write_text("mine")

    machine.upgrade(claude_package("2.0.0"), replace=True)

    assert (machine.plugin / "skills/work/SKILL.md").read_text() == skill("work")
    assert (machine.data / "kept/claude/knowzcode/skills/work/SKILL.md").read_text() == "mine"
