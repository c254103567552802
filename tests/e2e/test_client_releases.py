"""The releases of the clients that the tests run, and that a name finds the one that is meant."""

import json
import subprocess

import pytest

from support.clients import FOLDER, PACKAGES, client, release
from support.world import World

PINNED: dict[str, str] = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))["dependencies"]
OLDER = [tuple(alias.rsplit("-", 1)) for alias, what in PINNED.items() if what.startswith("npm:")]
NEWEST = [(name, PINNED[package]) for name, package in PACKAGES.items()]


@pytest.mark.client("claude", "codex")
@pytest.mark.parametrize(("name", "version"), [*NEWEST, *OLDER])
def test_a_release_is_what_its_name_says(world: World, name: str, version: str) -> None:
    """Six packages want to be called by two names; the pinned releases are the ones on PATH."""
    said = [
        subprocess.check_output([program, "--version"], env=world.environ(), text=True, timeout=30)
        for program in (release(name, version), *([client(name)] if (name, version) in NEWEST else []))
    ]
    assert all(version in words for words in said), said


def test_the_lock_file_names_no_place() -> None:
    """Where packages come from is the machine's matter."""
    assert "resolved" not in (FOLDER / "package-lock.json").read_text(encoding="utf-8")
