"""The real clients, installed from npm at pinned versions (tests/clients)."""

import os
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[1] / "clients"
BIN = FOLDER / "node_modules" / ".bin"


def client(name: str, *, folder: Path = BIN) -> Path:
    """The executable of a pinned client. Missing: the test fails in CI and is skipped elsewhere."""
    path = folder / name
    if not path.exists():
        reason = f"{name} is not installed; run: npm ci --prefix tests/clients"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return path
