"""bin/kc-relay: finds its own runtime from anywhere, or says in a sentence why it cannot start."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from knowzcode_relay import __version__
from support.checkout import ROOT
from support.world import World

VERSION = f"knowzcode-relay {__version__} (claude)\n"


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    return shutil.copytree(ROOT / "dist/claude", tmp_path / "plug in é")


def call(
    command: str | Path, *words: str, environ: Mapping[str, str], cwd: Path
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [command, *words],
        env=dict(environ),
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=30,
        stdin=subprocess.DEVNULL,
        check=False,
    )


def test_it_runs_from_path_in_a_folder_with_spaces(plugin: Path, world: World) -> None:
    """Field report 15, REQ PKG-09: without any variable of the plugin's, in any folder."""
    path = os.pathsep.join((str(plugin / "bin"), world.environ()["PATH"]))

    done = call("/bin/sh", "-c", "kc-relay --version", environ=world.environ(PATH=path), cwd=world.home)

    assert (done.returncode, done.stdout, done.stderr) == (0, VERSION, "")


def test_it_runs_from_its_own_folder_by_bare_name(plugin: Path, world: World) -> None:
    done = call("/bin/sh", "kc-relay", "--version", environ=world.environ(), cwd=plugin / "bin")

    assert (done.returncode, done.stdout) == (0, VERSION)


@pytest.mark.parametrize("absolute", [True, False])
def test_it_runs_through_links_to_it(plugin: Path, world: World, absolute: bool) -> None:
    first, second = world.home / "first", world.bin / "kc-relay"
    first.symlink_to(plugin / "bin/kc-relay")
    second.symlink_to(first if absolute else Path("../home/first"))

    done = call("/bin/sh", "-c", "kc-relay --version", environ=world.environ(), cwd=world.home)

    assert (done.returncode, done.stdout) == (0, VERSION)


def test_its_words_and_exit_code_pass_through(plugin: Path, world: World) -> None:
    word = "a 'b' \"c\" $(touch PWNED) `touch PWNED` ; touch PWNED *"

    done = call(plugin / "bin/kc-relay", word, environ=world.environ(), cwd=world.home)

    assert done.returncode == 2
    assert f"There is no verb {word!r}." in done.stdout
    assert list(world.home.iterdir()) == [world.home / ".codex"]


def test_the_project_cannot_slip_modules_into_the_runtime(plugin: Path, world: World) -> None:
    for name in ("argparse.py", "sitecustomize.py"):
        (world.home / name).write_text("raise SystemExit('slipped in')\n")

    environ = world.environ(PYTHONPATH=str(world.home))
    done = call(plugin / "bin/kc-relay", "--version", environ=environ, cwd=world.home)

    assert (done.returncode, done.stdout) == (0, VERSION)


def test_without_python_it_says_so_and_halts(plugin: Path, world: World) -> None:
    """Field report 76: no answer that could be taken for the runtime's."""
    (world.bin / "readlink").symlink_to("/usr/bin/readlink")

    done = call(plugin / "bin/kc-relay", "status", environ=world.environ(PATH=str(world.bin)), cwd=world.home)

    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == "kc-relay needs Python 3.9 or newer, and there is no python3 on PATH.\n"


def test_it_leaves_nothing_in_the_plugin(plugin: Path, world: World) -> None:
    before = sorted(plugin.rglob("*"))

    call(plugin / "bin/kc-relay", "--version", environ=world.environ(), cwd=world.home)

    assert sorted(plugin.rglob("*")) == before
