"""Print the benchmarks as one table; with names only those. Exit 1 when a goal is missed."""

import importlib
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "generator"), str(ROOT / "runtime")]

from measure import table  # noqa: E402  the folder of this file is on the path already

from support.world import make_world  # noqa: E402  needs the line above

BENCHMARKS = (
    "startup",
    "generate",
    "progress",
    "legs",
    "leg",
    "install",
    "jobs",
)


def main(names: list[str]) -> int:
    rows = []
    for name in names or BENCHMARKS:
        with tempfile.TemporaryDirectory() as folder:
            rows += importlib.import_module(name).rows(make_world(Path(folder)))
    print(table(rows))
    return 0 if all(row.kept for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
