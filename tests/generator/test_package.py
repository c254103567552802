"""A package is what its index says; anything else has a name."""

import json
from pathlib import Path

import pytest

from knowzcode_relay.errors import RelayError
from knowzcode_relay.package import PROGRAM, File, Package, load

PACKAGE = Package(
    name="knowzcode",
    host="claude",
    version="1.2.3",
    command="kc-relay",
    index_path="relay-package.json",
    files=(File("bin/kc-relay", b"#!/bin/sh\n", PROGRAM), File("skills/relay/SKILL.md", "é\n".encode())),
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for file in PACKAGE.all_files:
        place = tmp_path / file.path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(file.data)
    return tmp_path


def change_index(root: Path, **changes: object) -> None:
    index = root / "relay-package.json"
    index.write_text(json.dumps({**json.loads(index.read_bytes()), **changes}))


def test_a_written_package_is_read_back_equal(root: Path) -> None:
    assert load(root, "relay-package.json") == PACKAGE


def test_the_index_names_host_version_command_and_every_other_file() -> None:
    record = json.loads(PACKAGE.index.data)

    assert {key: record[key] for key in ("schema", "name", "host", "version", "command")} == {
        "schema": 1,
        "name": "knowzcode",
        "host": "claude",
        "version": "1.2.3",
        "command": "kc-relay",
    }
    assert {path: entry["mode"] for path, entry in record["files"].items()} == {
        "bin/kc-relay": "755",
        "skills/relay/SKILL.md": "644",
    }


def test_a_file_that_the_index_does_not_list_is_no_part_of_the_package(root: Path) -> None:
    """Field report 80: a folder gathers droppings; a package is a list."""
    (root / "skills/relay/SKILL.md~").write_text("dropping")

    assert load(root, "relay-package.json") == PACKAGE


def test_no_index_a_damaged_one_and_a_newer_one_are_three_answers(root: Path) -> None:
    problems = []
    for content in (None, b'{"schema": 1', b"[]", b'{"schema": 2}'):
        index = root / "relay-package.json"
        index.unlink() if content is None else index.write_bytes(content)
        with pytest.raises(RelayError) as caught:
            load(root, "relay-package.json")
        problems.append(caught.value.problem)
        assert str(index) in caught.value.message

    assert problems == ["package.missing", "package.damaged", "package.damaged", "package.newer"]


def test_a_changed_file_is_named(root: Path) -> None:
    (root / "skills/relay/SKILL.md").write_text("edited")

    with pytest.raises(RelayError, match=r"skills/relay/SKILL\.md is not what the package index says"):
        load(root, "relay-package.json")


def test_a_file_that_is_gone_is_named(root: Path) -> None:
    (root / "bin/kc-relay").unlink()

    with pytest.raises(RelayError, match="bin/kc-relay cannot be read: No such file"):
        load(root, "relay-package.json")


def test_a_link_in_place_of_a_file_is_refused(root: Path) -> None:
    place = root / "skills/relay/SKILL.md"
    place.rename(root / "elsewhere")
    place.symlink_to(root / "elsewhere")

    with pytest.raises(RelayError, match=r"skills/relay/SKILL\.md is a link"):
        load(root, "relay-package.json")


@pytest.mark.parametrize("path", ["../outside", "/etc/passwd", "a/../../b", "a\\b", "a//b", "./a"])
def test_a_path_that_may_leave_the_package_is_refused(root: Path, path: str) -> None:
    change_index(root, files={path: {"sha256": "0", "mode": "644"}})

    with pytest.raises(RelayError, match="which is no relative path"):
        load(root, "relay-package.json")
