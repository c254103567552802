"""The wheel and the source archive hold what the program needs at run time, and nothing else."""

import subprocess
import tarfile
import zipfile
from pathlib import Path

from knowzcode_relay import __version__
from support.wheel import CHECKOUT, build
from support.world import World


def git(*words: str) -> str:
    """What git prints in this checkout."""
    return subprocess.run(
        ["git", *words], cwd=CHECKOUT, check=True, capture_output=True, text=True, timeout=60
    ).stdout


def files_below(folder: str) -> set[str]:
    """The files that git tracks below `folder` of this checkout."""
    return set(git("ls-files", "-z", "--", folder).split("\0")) - {""}


def test_the_wheel_holds_templates_runtime_and_packages(tmp_path: Path) -> None:
    """Every tracked file of the three folders is in the wheel, and no bytecode."""
    with zipfile.ZipFile(build("wheel", tmp_path)) as archive:
        names = set(archive.namelist())
    for folder in ("skill_templates", "runtime", "dist"):
        assert {f"knowzcode_relay/_data/{name}" for name in files_below(folder)} <= names
    assert not [name for name in names if name.endswith(".pyc")]


def test_the_source_archive_builds_the_same_wheel_content(tmp_path: Path) -> None:
    """dist/ and both marketplace files are in the archive, although builders like to leave dist/ out."""
    with tarfile.open(build("sdist", tmp_path)) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = (
        files_below("dist")
        | files_below("skill_templates")
        | files_below("runtime")
        | files_below("generator")
    )
    assert wanted | {".claude-plugin/marketplace.json", ".agents/plugins/marketplace.json"} <= names
    assert not [name for name in names if "node_modules" in name or name.endswith(".pyc")]


def test_building_leaves_the_checkout_as_it_was(tmp_path: Path) -> None:
    """Building writes nothing into dist/ or anywhere else in the checkout."""
    before = git("status", "--porcelain")
    build("wheel", tmp_path)
    assert before == git("status", "--porcelain")


def test_the_installed_program_says_its_version(program: Path, world: World) -> None:
    """REQ PKG-11: the command of the wheel carries the one version number."""
    done = subprocess.run(
        [program, "--version"], env=world.environ(), capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout) == (0, f"knowzcode-relay, version {__version__}\n")
