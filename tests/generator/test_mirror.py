"""dist/ is the golden copy: every difference is found by path and kind, and only differences are written."""

import os
from pathlib import Path

import pytest

from knowzcode_relay.package import PROGRAM, File
from knowzcode_relay.render.mirror import Difference, Kind, compare, write

FILES = (
    File(".agents/plugins/marketplace.json", b"{}\n"),
    File("dist/claude/bin/kc-relay", b"#!/bin/sh\n", PROGRAM),
    File("dist/claude/skills/relay/SKILL.md", b"relay\n"),
    File("dist/codex/skills/knowzcode-relay/SKILL.md", b"relay\n"),
)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    write(tmp_path, FILES)
    return tmp_path


def test_writing_makes_a_checkout_equal(checkout: Path) -> None:
    assert compare(checkout, FILES) == ()
    assert (checkout / "dist/claude/bin/kc-relay").stat().st_mode & 0o777 == 0o755
    assert (checkout / "dist/claude/skills/relay/SKILL.md").stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.path)
def test_one_changed_byte_is_found(checkout: Path, file: File) -> None:
    """REQ PKG-04: in each mirror."""
    (checkout / file.path).write_bytes(file.data[:-1] + b"x")

    assert compare(checkout, FILES) == (Difference(file.path, Kind.BYTES),)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.path)
def test_a_changed_mode_is_found(checkout: Path, file: File) -> None:
    (checkout / file.path).chmod(file.mode ^ 0o111)

    assert compare(checkout, FILES) == (Difference(file.path, Kind.MODE),)


def test_a_mode_that_git_does_not_keep_is_no_difference(checkout: Path) -> None:
    """A checkout under another umask is not a changed one."""
    for file in FILES:
        (checkout / file.path).chmod(file.mode & 0o700)

    assert compare(checkout, FILES) == ()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.path)
def test_a_missing_file_is_found(checkout: Path, file: File) -> None:
    (checkout / file.path).unlink()

    assert compare(checkout, FILES) == (Difference(file.path, Kind.MISSING),)


@pytest.mark.parametrize("path", ["dist/.gitignore", "dist/claude/skills/relay/SKILL.md~", "dist/old/x"])
def test_an_extra_file_is_found(checkout: Path, path: str) -> None:
    (checkout / path).parent.mkdir(exist_ok=True)
    (checkout / path).write_bytes(b"*")

    assert compare(checkout, FILES) == (Difference(path, Kind.EXTRA),)


def test_what_is_no_longer_rendered_is_removed_with_its_empty_folders(checkout: Path) -> None:
    """Field report 80: a renamed file leaves no old copy."""
    write(checkout, FILES[:3])

    assert not (checkout / "dist/codex").exists()
    assert compare(checkout, FILES[:3]) == ()


def test_files_beside_the_marketplaces_are_not_ours(checkout: Path) -> None:
    foreign = checkout / ".agents/skills/mine/SKILL.md"
    foreign.parent.mkdir(parents=True)
    foreign.write_bytes(b"mine")

    assert write(checkout, FILES) == ()
    assert foreign.read_bytes() == b"mine"


def test_only_what_differs_is_written(checkout: Path) -> None:
    before = {file.path: (checkout / file.path).stat().st_ino for file in FILES}
    (checkout / FILES[2].path).write_bytes(b"edited")

    assert write(checkout, FILES) == (Difference(FILES[2].path, Kind.BYTES),)
    after = {file.path: (checkout / file.path).stat().st_ino for file in FILES}
    assert {path for path in before if before[path] != after[path]} == {FILES[2].path}


def test_a_link_in_place_of_a_folder_is_replaced_and_its_target_left_alone(checkout: Path) -> None:
    elsewhere = checkout / "elsewhere"
    (checkout / "dist/claude").rename(elsewhere)
    (elsewhere / "own").write_bytes(b"own")
    (checkout / "dist/claude").symlink_to(elsewhere)

    assert Difference("dist/claude", Kind.EXTRA) in compare(checkout, FILES)
    write(checkout, FILES)

    assert compare(checkout, FILES) == ()
    assert (elsewhere / "own").read_bytes() == b"own"


def test_a_folder_in_place_of_a_file_is_replaced(checkout: Path) -> None:
    place = checkout / FILES[2].path
    place.unlink()
    place.mkdir()
    (place / "x").write_bytes(b"x")

    write(checkout, FILES)

    assert compare(checkout, FILES) == ()


def test_comparing_writes_nothing(checkout: Path) -> None:
    (checkout / FILES[2].path).write_bytes(b"edited")
    before = sorted(os.walk(checkout))

    compare(checkout, FILES)

    assert sorted(os.walk(checkout)) == before
    assert (checkout / FILES[2].path).read_bytes() == b"edited"
