"""A change that is killed, anywhere, is finished or undone by the next one, which says so."""

import json
import shutil
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from knowzcode_relay.errors import Exit, RelayError
from support.installing import (
    Machine,
    claude_package,
    codex_package,
    jobs_package,
    kill_when,
    killed_at,
    register,
)
from support.world import World, build_tree, make_world, tree_digest

Trees = dict[str, tuple[int, bytes]]


def theirs(machine: Machine) -> None:
    build_tree(machine.codex, {"knowzcode-work/SKILL.md": "from before", "mine/SKILL.md": "mine"})


def user_tree(machine: Machine) -> Trees:
    """The home as far as the user and the clients care: not what we keep for ourselves."""
    ours = (".local", ".claude")
    tree = {path: what for path, what in tree_digest(machine.world.home).items() if not path.startswith(ours)}
    live = machine.plugin
    return {
        **tree,
        **({f"live/{path}": what for path, what in tree_digest(live).items()} if live.exists() else {}),
    }


def at_every_step(
    root: Path,
    prepare: Callable[[Machine], None],
    act: Callable[[Machine], object],
    check: Callable[[Machine], None],
    *,
    stride: int = 1,
) -> None:
    """Kill `act` at its first touch of the disk, at the next, …, each time on the machine as prepared."""
    machine = Machine(make_world(root / "world")).with_claude()
    prepare(machine)
    shutil.copytree(machine.world.root, root / "prepared", symlinks=True)
    for step in count(1, stride):
        shutil.rmtree(machine.world.root)
        shutil.copytree(root / "prepared", machine.world.root, symlinks=True)
        if not killed_at(step, lambda: act(machine)):
            assert step > 30, "the counting of steps does not work"
            return
        check(machine)


def test_an_install_killed_anywhere_is_undone_or_finished(tmp_path: Path) -> None:
    def check(machine: Machine) -> None:
        machine.uninstall()
        assert user_tree(machine) == before

    start = Machine(make_world(tmp_path / "start"))
    theirs(start)
    before = user_tree(start)

    at_every_step(tmp_path, theirs, lambda machine: machine.install(codex_package(), replace=True), check)


def test_an_upgrade_killed_anywhere_leaves_the_old_or_the_new_version(tmp_path: Path) -> None:
    new = codex_package("2.0.0", knowzcode_new__SKILL="n")

    def check(machine: Machine) -> None:
        known = machine.upgrade(new).drafts[0].known
        assert known is not None
        assert known.version in ("1.0.0", "2.0.0")
        assert (machine.codex / "knowzcode-new/SKILL.md").read_text() == "n"
        machine.uninstall()
        assert (machine.codex / "knowzcode-work/SKILL.md").read_text() == "from before"
        assert sorted(path.name for path in machine.codex.iterdir()) == ["knowzcode-work", "mine"]

    def prepare(machine: Machine) -> None:
        theirs(machine)
        machine.install(codex_package(), replace=True)

    at_every_step(tmp_path, prepare, lambda machine: machine.upgrade(new), check)


def test_an_install_with_a_registering_client_killed_anywhere_is_undone_or_finished(tmp_path: Path) -> None:
    def check(machine: Machine) -> None:
        machine.uninstall()
        assert not machine.data.exists()
        assert "knowzcode" not in _registry(machine)

    at_every_step(
        tmp_path, lambda _: None, lambda machine: machine.install(claude_package()), check, stride=5
    )


def test_adding_the_job_agent_killed_anywhere_is_undone_or_finished(tmp_path: Path) -> None:
    """Two folders that run in place; the one that was there works on in any case."""

    def check(machine: Machine) -> None:
        assert (machine.plugin / "version.txt").read_text() == "1.0.0"
        machine.uninstall("claude")
        assert not machine.data.exists()
        assert "cc-agents" not in _registry(machine)

    def prepare(machine: Machine) -> None:
        machine.install(claude_package())

    at_every_step(
        tmp_path,
        prepare,
        lambda machine: machine.install(claude_package(), jobs_package()),
        check,
        stride=5,
    )


def test_an_upgrade_of_a_folder_that_runs_in_place_killed_anywhere_is_never_a_mixture(tmp_path: Path) -> None:
    new = claude_package("2.0.0", skills__more__SKILL="n")
    versions = [{file.path: file.data for file in each.all_files} for each in (claude_package(), new)]

    def check(machine: Machine) -> None:
        live = {
            path.relative_to(machine.plugin).as_posix(): path.read_bytes()
            for path in machine.plugin.rglob("*")
            if path.is_file()
        }
        assert live in versions
        machine.upgrade(new)
        assert (machine.plugin / "version.txt").read_text() == "2.0.0"

    at_every_step(
        tmp_path,
        lambda machine: machine.install(claude_package()) and None,
        lambda machine: machine.upgrade(new),
        check,
        stride=5,
    )


def test_an_install_that_displaces_others_killed_anywhere_gives_them_back(tmp_path: Path) -> None:
    def prepare(machine: Machine) -> None:
        register(machine, "knowzcode-relay", "knowzcode@knowzcode-relay", "other@knowzcode-relay")
        settings = machine.world.home / ".codex/config.toml"
        settings.write_text('[plugins."knowzcode@team"]\nenabled = true # yes\n')

    def check(machine: Machine) -> None:
        machine.uninstall()
        config = machine.world.home / ".claude"
        known = json.loads((config / "plugins/known_marketplaces.json").read_text())
        enabled = json.loads((config / "settings.json").read_text())["enabledPlugins"]
        assert known["knowzcode-relay"]["source"]["path"] == str(tmp_path / "world/market-knowzcode-relay")
        assert enabled == {"knowzcode@knowzcode-relay": True, "other@knowzcode-relay": False}
        assert "enabled = true # yes" in (machine.world.home / ".codex/config.toml").read_text()

    at_every_step(
        tmp_path,
        prepare,
        lambda machine: machine.install(claude_package(), codex_package(), replace=True),
        check,
        stride=7,
    )


def test_an_uninstall_killed_anywhere_is_finished(tmp_path: Path) -> None:
    def check(machine: Machine) -> None:
        machine.uninstall()
        assert (machine.codex / "knowzcode-work/SKILL.md").read_text() == "from before"
        assert sorted(path.name for path in machine.codex.iterdir()) == ["knowzcode-work", "mine"]
        assert "knowzcode" not in _registry(machine)
        assert not machine.data.exists()

    def prepare(machine: Machine) -> None:
        theirs(machine)
        machine.install(codex_package(), claude_package(), replace=True)

    at_every_step(tmp_path, prepare, lambda machine: machine.uninstall(), check, stride=3)


def test_the_move_from_drop_in_to_marketplace_killed_anywhere_loses_no_edit(tmp_path: Path) -> None:
    def prepare(machine: Machine) -> None:
        machine.without_claude().install(claude_package())
        (machine.drop_in / "skills/work/SKILL.md").write_text("edited")
        machine.with_claude()

    def check(machine: Machine) -> None:
        machine.upgrade(claude_package("2.0.0"))
        assert (machine.plugin / "skills/work/SKILL.md").read_text() == "edited"
        assert not machine.drop_in.exists()

    at_every_step(
        tmp_path, prepare, lambda machine: machine.upgrade(claude_package("2.0.0")), check, stride=9
    )


@pytest.fixture
def half_done(world: World) -> Machine:
    """A machine on which an upgrade was killed while it replaced files."""
    machine = Machine(world)
    machine.install(codex_package())
    kill_when(
        lambda: machine.upgrade(codex_package("2.0.0", knowzcode_work__SKILL="n")),
        lambda: (machine.codex / "knowzcode-work/SKILL.md").read_text() == "n",
    )
    return machine


def test_the_next_change_says_that_it_undid_an_interrupted_one(half_done: Machine) -> None:
    result = half_done.install(codex_package())
    assert result.said[0] == "An interrupted upgrade was found and undone."


def test_a_preview_refuses_to_look_at_a_half_done_tree_and_leaves_it(half_done: Machine) -> None:
    before = tree_digest(half_done.world.home)
    with pytest.raises(RelayError, match="An interrupted upgrade was found") as caught:
        half_done.upgrade(codex_package("2.0.0"), preview=True)
    assert caught.value.exit is Exit.CONFLICT
    assert tree_digest(half_done.world.home) == before


def test_what_the_user_changed_after_the_crash_is_left(half_done: Machine) -> None:
    (half_done.codex / "knowzcode-work/SKILL.md").write_text("mine")

    result = half_done.install(codex_package())

    assert (half_done.codex / "knowzcode-work/SKILL.md").read_text() == "mine"
    assert any("was changed meanwhile" in sentence for sentence in result.said)


def test_a_damaged_journal_stops_every_change(half_done: Machine) -> None:
    (half_done.data / "journal.json").write_text('{"schema": 1')
    with pytest.raises(RelayError) as caught:
        half_done.install(codex_package())
    assert (caught.value.exit, caught.value.problem) == (Exit.HALT, "journal.damaged")


def test_a_newer_journal_is_left_to_the_newer_program(half_done: Machine) -> None:
    path = half_done.data / "journal.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "schema": 2}))
    with pytest.raises(RelayError) as caught:
        half_done.uninstall()
    assert (caught.value.exit, caught.value.problem) == (Exit.HALT, "journal.newer")


def _registry(machine: Machine) -> str:
    config = machine.world.home / ".claude"
    paths = (*config.glob("plugins/*.json"), config / "settings.json")
    return "".join(path.read_text() for path in paths if path.exists())
