"""`knowzcode-relay runs`: the words go to the runtime as they are, and its answer and exit code come back."""

import json
import os
import subprocess
import sys
from pathlib import Path

from support.legacy import a_legacy_state
from support.relaying import make_relaying
from support.relays import FOLDER, WGID
from support.world import World, build_tree

GENERATOR = Path(__file__).resolve().parents[2] / "generator"
START = "import sys; from knowzcode_relay.cli import main; main(sys.argv[1:])"


def runs(world: World, *words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environ = world.environ(PYTHONPATH=os.fspath(GENERATOR))
    command = [sys.executable, "-c", START, "runs", *words]
    return subprocess.run(command, cwd=cwd, env=environ, capture_output=True, text=True, check=False)


def test_the_relays_of_the_present_repository_are_listed_and_shown(world: World) -> None:
    root = make_relaying(world, "claude").repo.root
    build_tree(root, {f"{FOLDER}/state.md": a_legacy_state("CODEX_FAILED", cwd=root)})
    listed = runs(world, "list", "--json", cwd=root / "src")
    assert [run["wgid"] for run in json.loads(listed.stdout)["data"]["runs"]] == [WGID]
    assert f"{WGID}: TARGET_FAILED" in runs(world, "show", WGID, cwd=root).stdout


def test_a_wrong_call_is_a_usage_error(world: World) -> None:
    root = make_relaying(world, "claude").repo.root
    assert runs(world, "show", "nothing", cwd=root).returncode == 2
    assert runs(world, "destroy", cwd=root).returncode == 2
