"""What has our name and is not ours: found before anything is written, and given back after --replace."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from knowzcode_relay.errors import Exit, RelayError
from support.installing import Machine, claude_package, codex_package, register, skill
from support.world import World, build_tree, tree_digest

Setup = Callable[[Machine], Path | str]


def foreign_codex_skill(machine: Machine) -> Path:
    build_tree(machine.codex, {"knowzcode-work/SKILL.md": skill("knowzcode-work", "Theirs.")})
    return machine.codex / "knowzcode-work/SKILL.md"


def our_very_bytes(machine: Machine) -> Path:
    file = next(each for each in codex_package().files if each.path == "knowzcode-work/SKILL.md")
    build_tree(machine.codex, {file.path: file.data})
    return machine.codex / file.path


def linked_codex_skill(machine: Machine) -> Path:
    theirs = build_tree(machine.world.root / "dotfiles", {"SKILL.md": "theirs"}) / "SKILL.md"
    (machine.codex / "knowzcode-relay").mkdir(parents=True)
    (machine.codex / "knowzcode-relay/SKILL.md").symlink_to(theirs)
    return machine.codex / "knowzcode-relay/SKILL.md"


def foreign_runtime_file(machine: Machine) -> Path:
    build_tree(machine.codex, {"knowzcode-relay/runtime/relay.py": "print('theirs')\r\n"})
    return machine.codex / "knowzcode-relay/runtime/relay.py"


def same_name_in_another_folder(machine: Machine) -> Path:
    build_tree(machine.codex, {"team/relay/SKILL.md": skill("knowzcode-relay", "Theirs.")})
    return machine.codex / "team/relay/SKILL.md"


def codex_plugin(machine: Machine) -> str:
    text = '# mine\n[plugins."knowzcode@team"]\nenabled = true # yes\n\n[a]\nb = 1'
    build_tree(machine.world.home / ".codex", {"config.toml": text})
    return "knowzcode@team"


def codex_plugin_without_a_switch(machine: Machine) -> str:
    build_tree(machine.world.home / ".codex", {"config.toml": '[plugins."knowzcode@team"]\nx = 1\n'})
    return "knowzcode@team"


def claude_drop_in(machine: Machine) -> Path:
    build_tree(
        machine.world.home / ".claude/skills/kc", {".claude-plugin/plugin.json": '{"name": "knowzcode"}'}
    )
    return machine.world.home / ".claude/skills/kc/.claude-plugin/plugin.json"


def claude_personal_skill(machine: Machine) -> Path:
    build_tree(machine.world.home / ".claude/skills/knowzcode:relay", {"SKILL.md": skill("x")})
    return machine.world.home / ".claude/skills/knowzcode:relay/SKILL.md"


def claude_personal_command(machine: Machine) -> Path:
    build_tree(machine.world.home / ".claude/commands/knowzcode", {"work.md": "theirs"})
    return machine.world.home / ".claude/commands/knowzcode/work.md"


def claude_plugin_of_another_marketplace(machine: Machine) -> str:
    register(machine, "team", "knowzcode@team")
    return "knowzcode@team"


def claude_marketplace_of_our_name(machine: Machine) -> str:
    register(machine, "knowzcode-relay", "knowzcode@knowzcode-relay", "other@knowzcode-relay")
    return str(machine.world.root / "market-knowzcode-relay")


def our_marketplace_folder(machine: Machine) -> Path:
    build_tree(machine.plugin, {"bin/kc-relay": "theirs"})
    return machine.plugin / "bin/kc-relay"


FILES = [
    foreign_codex_skill,
    our_very_bytes,
    linked_codex_skill,
    foreign_runtime_file,
    same_name_in_another_folder,
    claude_drop_in,
    claude_personal_skill,
    claude_personal_command,
    our_marketplace_folder,
]
REGISTRIES = [
    codex_plugin,
    codex_plugin_without_a_switch,
    claude_plugin_of_another_marketplace,
    claude_marketplace_of_our_name,
]


@pytest.fixture
def machine(world: World) -> Machine:
    return Machine(world).with_claude()


def install(machine: Machine, *, replace: bool = False) -> None:
    machine.install(codex_package(), claude_package(), replace=replace)


@pytest.mark.parametrize("setup", [*FILES, *REGISTRIES], ids=lambda each: each.__name__)
def test_a_collision_is_named_and_nothing_is_written(machine: Machine, setup: Setup) -> None:
    """REQ PKG-07: preflight before write."""
    named = setup(machine)
    before = tree_digest(machine.world.home)

    with pytest.raises(RelayError) as caught:
        install(machine)

    assert caught.value.exit is Exit.CONFLICT
    assert any(str(named) in str(sentence) for sentence in caught.value.data["conflicts"])  # type: ignore[union-attr]
    assert tree_digest(machine.world.home) == before


@pytest.mark.parametrize("setup", FILES, ids=lambda each: each.__name__)
def test_a_file_that_was_replaced_comes_back(machine: Machine, setup: Setup) -> None:
    """REQ PKG-07: backed up outside every skills folder, given back at uninstall."""
    path = setup(machine)
    assert isinstance(path, Path)
    before = tree_digest(machine.world.home)

    install(machine, replace=True)
    assert not path.exists() or path.read_bytes() in [
        file.data for each in (codex_package(), claude_package()) for file in each.all_files
    ]
    install(machine)  # nothing collides any more
    machine.uninstall()

    after = tree_digest(machine.world.home)
    assert {name: what for name, what in after.items() if not _of_the_client(name)} == {
        name: what for name, what in before.items() if not _of_the_client(name)
    }


@pytest.mark.parametrize("setup", REGISTRIES, ids=lambda each: each.__name__)
def test_a_registration_that_was_displaced_comes_back(machine: Machine, setup: Setup) -> None:
    """REQ PKG-07: the other plugin or marketplace is as it was."""
    setup(machine)
    before = _settings(machine)

    install(machine, replace=True)
    assert _settings(machine) != before
    machine.uninstall()

    assert _settings(machine) == before


def test_a_marketplace_of_our_name_that_is_no_folder_is_refused_even_with_replace(machine: Machine) -> None:
    """It could not be given back without a network."""
    source = {"source": {"source": "github", "repo": "team/tools"}}
    known = {"plugins/known_marketplaces.json": json.dumps({"knowzcode-relay": source})}
    build_tree(machine.world.home / ".claude", known)
    before = tree_digest(machine.world.home)

    with pytest.raises(RelayError, match="team/tools") as caught:
        install(machine, replace=True)

    assert caught.value.exit is Exit.CONFLICT
    assert tree_digest(machine.world.home) == before


def test_a_folder_where_a_file_belongs_is_refused_even_with_replace(machine: Machine) -> None:
    (machine.codex / "knowzcode-work/SKILL.md").mkdir(parents=True)
    before = tree_digest(machine.world.home)

    with pytest.raises(RelayError, match="is no file") as caught:
        install(machine, replace=True)

    assert caught.value.exit is Exit.CONFLICT
    assert tree_digest(machine.world.home) == before


def test_a_plugin_of_our_name_that_is_off_is_in_nobodys_way(machine: Machine) -> None:
    register(machine, "team", "knowzcode@team")
    path = machine.world.home / ".claude/settings.json"
    path.write_text(path.read_text().replace("true", "false"))

    install(machine)

    assert json.loads(path.read_text())["enabledPlugins"]["knowzcode@team"] is False


def _of_the_client(name: str) -> bool:
    return name.startswith((".claude/plugins", ".claude/settings.json")) or name == ".claude"


def _settings(machine: Machine) -> dict[str, object]:
    claude = machine.world.home / ".claude"
    config = machine.world.home / ".codex/config.toml"
    return {
        "config": config.read_bytes() if config.exists() else None,
        "enabled": _json(claude / "settings.json").get("enabledPlugins") or {},
        "known": {
            name: entry["source"] for name, entry in _json(claude / "plugins/known_marketplaces.json").items()
        },
        "installed": sorted(_json(claude / "plugins/installed_plugins.json").get("plugins", {})),
    }


def _json(path: Path) -> dict[str, dict[str, object]]:
    return json.loads(path.read_text()) if path.exists() else {}
