"""A checkout of this repository to render in: what `generate` reads and writes, nothing else."""

import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_PARTS = (
    "generator",
    "runtime",
    "skill_templates",
    "dist",
    ".claude-plugin",
    ".agents",
    "pyproject.toml",
    "README.md",
    "docs",
)
PROGRAM = "import sys; from knowzcode_relay.cli import main; main()"


def copy_checkout(folder: Path, parts: tuple[str, ...] = _PARTS) -> Path:
    """Copy `parts` of this checkout into `folder` and give `folder`."""
    folder.mkdir(parents=True)
    for name in parts:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, folder / name)
    return folder


def run_program(checkout: Path, *words: str, environ: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run the program from the sources in `checkout`."""
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *words],
        env={**environ, "PYTHONPATH": str(checkout / "generator"), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
