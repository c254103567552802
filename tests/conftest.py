"""Fixtures for every test. The real home is out of reach: tests/support_test.py proves it."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from support import wheel
from support.world import World, make_world

_HOME_VARIABLES = (
    "HOME",
    "CODEX_HOME",
    "CLAUDE_CONFIG_DIR",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
    "XDG_CACHE_HOME",
)


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A closed world below this test's own folder."""
    return make_world(tmp_path)


@pytest.fixture(autouse=True)
def no_real_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Point every home-like variable of this process at a folder that does not exist yet."""
    unreachable = tmp_path_factory.getbasetemp() / "no-home"
    for name in _HOME_VARIABLES:
        monkeypatch.setenv(name, str(unreachable / name.lower()))
    for name in [
        key
        for key in os.environ
        if key.startswith(("CLAUDE_CODE_", "CODEX_", "ANTHROPIC_", "OPENAI_")) and key not in _HOME_VARIABLES
    ]:
        monkeypatch.delenv(name)
    for name in ("CLAUDECODE", "AI_AGENT", "CLAUDE_PID", "CLAUDE_EFFORT"):
        monkeypatch.delenv(name, raising=False)
    yield


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `knowzcode-relay` command of the built wheel, in an environment of its own."""
    folder = tmp_path_factory.mktemp("program")
    return wheel.install(wheel.build("wheel", folder / "wheel"), folder / "environment")
