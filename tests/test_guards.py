"""The guards that keep tests away from the real home, and missing clients from going unnoticed."""

import os
import pwd
import subprocess
import sys
from pathlib import Path

import pytest

from support.clients import client
from support.world import World


def test_this_process_cannot_find_the_real_home() -> None:
    """Every home-like variable of the test process points below the test run's own folder."""
    real = pwd.getpwuid(os.getuid()).pw_dir
    assert Path.home() != Path(real)
    for name in (
        "HOME",
        "CODEX_HOME",
        "CLAUDE_CONFIG_DIR",
        "XDG_CONFIG_HOME",
        "XDG_DATA_HOME",
        "XDG_STATE_HOME",
    ):
        assert not os.environ[name].startswith(real + os.sep), name


def test_a_child_process_of_a_world_lives_in_its_home(world: World) -> None:
    """A child sees the world's home, and none of the variables of an agent around the test run."""
    script = "import os, pathlib; print(pathlib.Path.home()); print(*sorted(os.environ))"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=world.environ(),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    home, names = done.stdout.splitlines()
    assert Path(home) == world.home
    assert not [name for name in names.split() if name.startswith(("CLAUDECODE", "ANTHROPIC_", "OPENAI_"))]


def test_a_missing_client_fails_in_ci_and_is_skipped_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With CI set a client that is not there is a failure."""
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="npm install"):
        client("claude", folder=tmp_path)
    monkeypatch.delenv("CI")
    with pytest.raises(pytest.skip.Exception, match="npm install"):
        client("claude", folder=tmp_path)
