"""How long `install` of both platforms takes, against copying the same files."""

import shutil
import sys
import time
from collections.abc import Iterator

from measure import Row, excess, process

from support.checkout import ROOT
from support.world import World

PROGRAM = "from knowzcode_relay.cli import main; main(['install', '--platforms', 'all'])"
COPIED = ("dist/claude", "dist/codex/skills")


def rows(world: World) -> Iterator[Row]:
    """Whole processes, the runtime's readiness check included; no client is on PATH."""
    environ = world.environ(PYTHONPATH=str(ROOT / "generator"))

    def install() -> float:
        shutil.rmtree(world.home)
        world.home.mkdir()
        return process([sys.executable, "-c", PROGRAM], environ)()

    def copy() -> float:
        target = world.root / "copy"
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir()
        began = time.perf_counter()
        for number, source in enumerate(COPIED):
            process(["cp", "-r", str(ROOT / source), str(target / str(number))], environ)()
        return time.perf_counter() - began

    yield excess("`install` of both platforms", "`cp -r` of the same files", install, copy, limit=0.4)
