"""How long rendering everything and comparing it takes, over a Python that starts and ends."""

import sys
from collections.abc import Iterator

from measure import Row, excess, process

from support.checkout import PROGRAM, ROOT
from support.world import World


def rows(world: World) -> Iterator[Row]:
    environ = world.environ(PYTHONPATH=str(ROOT / "generator"))
    ours = process([sys.executable, "-c", PROGRAM, "generate", "--check"], environ)
    base = process([sys.executable, "-c", ""], environ)
    yield excess("`generate --check`", "Python that starts and ends", ours, base, limit=1.0)
