"""Install, upgrade, downgrade and uninstall where the skills lie beside the user's own."""

import os
import resource
import stat
from pathlib import Path

import pytest

from knowzcode_relay.errors import Exit, RelayError
from support.installing import Machine, codex_package, skill
from support.world import World, build_tree, tree_digest

SKILL = "knowzcode-work/SKILL.md"


@pytest.fixture
def machine(world: World) -> Machine:
    return Machine(world)


def test_install_writes_the_files_of_the_index_with_their_modes(machine: Machine) -> None:
    """REQ PKG-03: the skills, the nested reference and the version are there."""
    machine.install(codex_package("1.2.3"))

    written = {
        path.relative_to(machine.codex).as_posix(): path.read_bytes()
        for path in machine.codex.rglob("*")
        if path.is_file()
    }
    assert written == {file.path: file.data for file in codex_package("1.2.3").all_files}
    assert {stat.S_IMODE(path.stat().st_mode) for path in machine.codex.rglob("*.md")} == {0o644}


def test_installing_twice_changes_no_byte(machine: Machine) -> None:
    """REQ PKG-07."""
    machine.install(codex_package())
    before = tree_digest(machine.world.home)

    result = machine.install(codex_package())

    assert tree_digest(machine.world.home) == before
    assert not any(each.changes for each in result.drafts[0].actions)


def test_uninstall_gives_back_the_tree_with_foreign_files_beside_ours(machine: Machine) -> None:
    """Field report 82: only what we wrote goes, and of the folders only those that we made."""
    build_tree(
        machine.world.home,
        {
            ".codex/config.toml": 'model = "x"\n',
            ".codex/skills/mine/SKILL.md": skill("mine"),
            ".codex/skills/knowzcode-relay/notes.txt": "mine, in a folder of your name",
        },
    )
    (machine.codex / "knowzcode-work").mkdir()
    before = tree_digest(machine.world.home)

    machine.install(codex_package())
    machine.uninstall()

    assert tree_digest(machine.world.home) == before


def test_uninstall_leaves_what_the_user_added_since(machine: Machine) -> None:
    machine.install(codex_package())
    added = build_tree(machine.codex, {"knowzcode-relay/notes.txt": "mine"}) / "knowzcode-relay/notes.txt"

    machine.uninstall()

    assert added.read_text() == "mine"
    assert [path.name for path in machine.codex.rglob("*") if path.is_file()] == ["notes.txt"]


def test_skills_that_only_look_like_ours_are_not_touched(machine: Machine) -> None:
    """Field report 81: ownership goes by manifest and hash, not by name or shape."""
    theirs = {
        "relay-notes/SKILL.md": skill("relay-notes"),
        "knowzcode-mine/SKILL.md": skill("knowzcode-mine"),
    }
    build_tree(machine.codex, theirs)
    before = tree_digest(machine.codex)

    machine.install(codex_package())
    machine.upgrade(codex_package("2.0.0"), replace=True)
    machine.uninstall()

    assert tree_digest(machine.codex) == before


def test_upgrade_leaves_one_copy_when_a_file_is_renamed(machine: Machine) -> None:
    """Field report 80: one copy, the old file gone, its folder too."""
    machine.install(codex_package(knowzcode_old__SKILL=skill("knowzcode-old")))
    machine.upgrade(codex_package("1.1.0", knowzcode_new__SKILL=skill("knowzcode-new")))

    assert sorted(path.name for path in machine.codex.iterdir()) == [
        "knowzcode-new",
        "knowzcode-relay",
        "knowzcode-work",
    ]


def test_the_same_version_with_other_content_is_an_update(machine: Machine) -> None:
    """Field report 80: content decides, not the version."""
    machine.install(codex_package("1.0.0"))
    machine.upgrade(codex_package("1.0.0", knowzcode_work__SKILL=skill("knowzcode-work", "Do more.")))

    assert "Do more." in (machine.codex / SKILL).read_text()


def test_a_downgrade_is_an_upgrade_to_an_older_version(machine: Machine) -> None:
    machine.install(codex_package("2.0.0", knowzcode_new__SKILL=skill("knowzcode-new")))
    machine.upgrade(codex_package("1.0.0"))

    assert not (machine.codex / "knowzcode-new").exists()
    assert machine.manifest()["installs"][0]["version"] == "1.0.0"


def test_upgrade_keeps_an_edit_and_puts_the_new_text_nowhere_in_the_skills_folder(machine: Machine) -> None:
    """Field report 83."""
    machine.install(codex_package())
    (machine.codex / SKILL).write_text("mine")

    result = machine.upgrade(codex_package("2.0.0", knowzcode_work__SKILL=skill("knowzcode-work", "New.")))

    assert (machine.codex / SKILL).read_text() == "mine"
    assert not any(b"New." in path.read_bytes() for path in machine.codex.rglob("*") if path.is_file())
    assert [each.path for each in result.drafts[0].actions if each.act.value == "keep"] == [SKILL]


def test_line_ends_changed_by_another_system_are_an_edit_and_are_kept(machine: Machine) -> None:
    machine.install(codex_package())
    text = (machine.codex / SKILL).read_bytes().replace(b"\n", b"\r\n")
    (machine.codex / SKILL).write_bytes(text)

    machine.upgrade(codex_package("2.0.0"))

    assert (machine.codex / SKILL).read_bytes() == text


def test_replace_keeps_a_copy_of_the_edit_outside_the_skills_folder(machine: Machine) -> None:
    machine.install(codex_package())
    (machine.codex / SKILL).write_text("mine")

    result = machine.upgrade(codex_package("2.0.0"), replace=True)

    assert (machine.codex / SKILL).read_text() == skill("knowzcode-work")
    (sentence,) = result.said
    assert Path(sentence.split()[-1].rstrip(".")).read_text() == "mine"
    assert machine.codex not in Path(sentence.split()[-1]).parents


def test_a_foreign_file_that_was_replaced_comes_back_after_an_edit_and_an_upgrade(machine: Machine) -> None:
    """Field report 83: uninstall restores the file from before the install, and the edit is kept."""
    build_tree(machine.codex, {SKILL: "from before"})
    before = tree_digest(machine.codex)

    machine.install(codex_package(), replace=True)
    (machine.codex / SKILL).write_text("edited")
    machine.upgrade(codex_package("2.0.0"))
    result = machine.uninstall()

    assert tree_digest(machine.codex) == before
    assert (machine.data / "kept/codex" / SKILL).read_text() == "edited"
    assert any(str(machine.data / "kept/codex" / SKILL) in sentence for sentence in result.said)


def test_a_link_that_was_replaced_comes_back_as_a_link(machine: Machine) -> None:
    target = build_tree(machine.world.root / "dotfiles", {"SKILL.md": "mine"}) / "SKILL.md"
    (machine.codex / "knowzcode-work").mkdir(parents=True)
    (machine.codex / SKILL).symlink_to(target)

    machine.install(codex_package(), replace=True)
    assert not (machine.codex / SKILL).is_symlink()
    assert target.read_text() == "mine"

    machine.uninstall()
    assert (machine.codex / SKILL).readlink() == target


def test_a_deleted_file_stays_deleted_until_replace(machine: Machine) -> None:
    machine.install(codex_package())
    (machine.codex / SKILL).unlink()

    machine.upgrade(codex_package("2.0.0"))
    assert not (machine.codex / SKILL).exists()

    machine.upgrade(codex_package("2.0.0"), replace=True)
    assert (machine.codex / SKILL).exists()


def test_an_edited_file_stays_at_uninstall_and_is_named(machine: Machine) -> None:
    machine.install(codex_package())
    (machine.codex / SKILL).write_text("mine")

    result = machine.uninstall()

    assert result.exit is Exit.DONE
    assert (machine.codex / SKILL).read_text() == "mine"
    assert any(str(machine.codex / SKILL) in sentence for sentence in result.said)


def test_uninstall_with_replace_removes_an_edited_file_and_keeps_a_copy(machine: Machine) -> None:
    machine.install(codex_package())
    (machine.codex / SKILL).write_text("mine")

    machine.uninstall(replace=True)

    assert not machine.codex.exists()
    assert (machine.data / "kept/codex" / SKILL).read_text() == "mine"


def test_a_preview_writes_nothing(machine: Machine) -> None:
    before = tree_digest(machine.world.root)

    result = machine.install(codex_package(), preview=True)

    assert all(each.changes for each in result.drafts[0].actions)
    assert tree_digest(machine.world.root).keys() - before.keys() <= {"project", "project/.git"}


def test_the_skills_folder_may_be_a_link_into_the_users_dotfiles(machine: Machine) -> None:
    """Field report 85: the target is a link. We write through it and record the real place."""
    real = machine.world.root / "dotfiles"
    build_tree(real, {"mine/SKILL.md": skill("mine")})
    machine.codex.symlink_to(real)
    before = tree_digest(real)

    machine.install(codex_package())
    assert machine.manifest()["installs"][0]["real"] == str(real)
    assert (real / SKILL).is_file()

    machine.uninstall()
    assert tree_digest(real) == before
    assert machine.codex.is_symlink()


def test_a_skills_folder_that_became_a_link_is_refused(machine: Machine) -> None:
    machine.install(codex_package())
    elsewhere = machine.world.root / "elsewhere"
    machine.codex.rename(elsewhere)
    machine.codex.symlink_to(elsewhere)
    before = tree_digest(elsewhere)

    for act in (machine.uninstall, lambda: machine.upgrade(codex_package("2.0.0"))):
        with pytest.raises(RelayError) as caught:
            act()
        assert (caught.value.exit, caught.value.problem) == (Exit.CONFLICT, "place.moved")
    assert tree_digest(elsewhere) == before


def test_our_folder_replaced_by_a_link_to_a_users_folder_is_not_followed(machine: Machine) -> None:
    """Field report 82: what lies behind the link is the user's, even where it holds our bytes."""
    machine.install(codex_package())
    theirs = machine.world.root / "theirs"
    (machine.codex / "knowzcode-work").rename(theirs)
    (machine.codex / "knowzcode-work").symlink_to(theirs)
    before = tree_digest(theirs)

    with pytest.raises(RelayError) as caught:
        machine.upgrade(codex_package("2.0.0"), replace=True)
    assert caught.value.exit is Exit.CONFLICT

    assert machine.uninstall().exit is Exit.CONFLICT
    assert tree_digest(theirs) == before
    assert [path.name for path in machine.codex.iterdir()] == ["knowzcode-work"]


def test_a_home_without_the_hosts_folder_gets_it_and_loses_it_again(machine: Machine) -> None:
    """Field report 85: a home without the folder."""
    (machine.world.home / ".codex").rmdir()

    machine.install(codex_package())
    assert (machine.codex / SKILL).is_file()

    machine.uninstall()
    assert list(machine.world.home.iterdir()) == []


def test_the_instruction_file_that_agents_share_is_not_ours_to_write(machine: Machine) -> None:
    """Field report 84: no block of ours goes into it, so none can be broken."""
    text = b"# Mine\r\n\r\nBe brief.\r\n<!-- knowzcode:begin -->\r\nno end"
    places = [machine.world.home / ".codex", machine.world.home, machine.project]
    for place in places:
        (place / "AGENTS.md").write_bytes(text)

    machine.install(codex_package())
    machine.install(codex_package(), scope="project")
    machine.upgrade(codex_package("2.0.0"), replace=True)
    machine.uninstall()

    assert [(place / "AGENTS.md").read_bytes() for place in places] == [text] * 3


def test_project_scope_goes_into_the_repository_from_any_folder_in_it(machine: Machine) -> None:
    inner = build_tree(machine.project, {"src/a.py": ""}) / "src"

    machine.install(codex_package(), scope="project", project=inner)

    assert (machine.project / ".codex/skills" / SKILL).is_file()
    assert not machine.codex.exists()

    machine.uninstall("codex", scope="project", project=inner)
    assert sorted(path.name for path in machine.project.iterdir()) == [".git", "src"]


def test_codex_home_is_honoured(world: World) -> None:
    machine = Machine(world, {"CODEX_HOME": str(world.root / "codex home")})

    machine.install(codex_package())

    assert (world.root / "codex home/skills" / SKILL).is_file()
    machine.uninstall()
    assert not (world.root / "codex home").exists()


def test_a_disk_that_is_full_half_way_is_a_sentence_and_all_is_rolled_back(machine: Machine) -> None:
    """Field report 85: partial install rolls back."""
    machine.install(codex_package())
    before = tree_digest(machine.world.home)
    big = codex_package("2.0.0", knowzcode_work__references__zz="x" * 1_000_000)
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, usual[1]))
    try:
        with pytest.raises(RelayError) as caught:
            machine.upgrade(big)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)

    assert (caught.value.exit, caught.value.hint) == (Exit.HALT, "Everything was undone.")
    assert str(machine.codex / "knowzcode-work/references/zz") in caught.value.message
    assert tree_digest(machine.world.home) == before


def test_a_living_change_keeps_others_out(machine: Machine) -> None:
    import fcntl  # not on every platform, as the product's own lock says

    machine.data.mkdir(parents=True)
    with open(machine.data / "lock", "w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        with pytest.raises(RelayError) as caught:
            machine.install(codex_package())

    assert caught.value.exit is Exit.BUSY
    assert not machine.codex.exists()


def test_a_skill_in_the_folder_that_gemini_reads_is_warned_of(machine: Machine) -> None:
    build_tree(machine.world.home, {".agents/skills/knowzcode-old/SKILL.md": skill("knowzcode-old")})

    (notice,) = machine.install(codex_package()).drafts[0].notices

    assert str(machine.world.home / ".agents/skills/knowzcode-old") in notice


def test_a_skill_that_the_configuration_switches_off_is_told(machine: Machine) -> None:
    text = '[[skills.config]]\nname = "knowzcode-work"\nenabled = false\n'
    build_tree(machine.world.home / ".codex", {"config.toml": text})

    (notice,) = machine.install(codex_package()).drafts[0].notices

    assert notice.endswith("switches the skill knowzcode-work off.")


def test_bytecode_of_the_runtime_goes_with_it(machine: Machine) -> None:
    machine.install(codex_package())
    cache = machine.world.root / f"tmp/knowzcode-relay-{os.getuid()}"
    inner = cache.joinpath(*(machine.codex / "knowzcode-relay/runtime").parts[1:])
    build_tree(inner, {"relay_runtime/cli.pyc": "x"})

    machine.uninstall()

    assert not cache.exists()
