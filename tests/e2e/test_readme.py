"""The README's first command, as a person types it in a fresh clone with an empty home."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from support.checkout import copy_checkout
from support.wheel import CHECKOUT
from support.world import World

_COMMANDS = re.compile(r"^```sh\n(.+?)\n```$", re.MULTILINE | re.DOTALL)


def commands() -> list[str]:
    """The shell blocks of the README, in order."""
    return _COMMANDS.findall((CHECKOUT / "README.md").read_text(encoding="utf-8"))


def test_the_readme_has_two_commands_and_ci_runs_the_second() -> None:
    """One command installs, one passes the tests, and CI calls that one."""
    install, test = commands()
    assert install.endswith("install --platforms codex")
    assert (CHECKOUT / ".ci" / "run").read_text(encoding="utf-8").splitlines()[-1] == f"exec {test}"


@pytest.mark.timeout(300)
def test_the_first_command_installs_the_codex_package(world: World, tmp_path: Path) -> None:
    """It ends with the skills in Codex's folder, what was installed, and how ready both targets are."""
    checkout = copy_checkout(tmp_path / "clone")
    fetching = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_"))}
    done = subprocess.run(
        ["sh", "-c", commands()[0]],
        cwd=checkout,
        env=world.environ(PATH=os.environ["PATH"], **fetching),
        capture_output=True,
        text=True,
        timeout=280,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert (world.home / ".codex" / "skills" / "knowzcode-relay" / "SKILL.md").is_file()
    assert str(world.home / ".codex" / "skills") in done.stdout
    assert [f"target {name} " in done.stdout for name in ("claude", "codex")] == [True, True]
