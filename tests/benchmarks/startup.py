"""How long the runtime takes to answer, against the same Python importing what any such program imports."""

import sys
from collections.abc import Iterator

from measure import Row, process, ratio

from support.runtime_package import make_package
from support.world import World

BASE = "import argparse, json, re, subprocess, dataclasses, pathlib"
REQUEST = b"Build the CSV export. Have Codex implement it, and keep the review yourself.\n"


def rows(world: World) -> Iterator[Row]:
    """Ratios of whole processes, both with bytecode at hand."""
    package = make_package(world.root / "package", "claude")
    relay = [sys.executable, "-I", str(package / "runtime" / "relay.py")]
    base = process([sys.executable, "-I", "-c", BASE], world.environ())
    for name, words, stdin in (
        ("`status`", ["status"], b""),
        ("`resolve`", ["resolve", "--entry", "work"], REQUEST),
    ):
        ours = process([*relay, *words, "--project", str(world.home)], world.environ(), stdin)
        yield ratio(f"runtime {name}", "Python that imports six modules", ours, base, limit=1.6)
