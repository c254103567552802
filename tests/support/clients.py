"""The real clients, installed from npm at pinned versions (tests/clients)."""

import json
import os
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[1] / "clients"
BIN = FOLDER / "node_modules" / ".bin"
PACKAGES = {"claude": "@anthropic-ai/claude-code", "codex": "@openai/codex"}


def client(name: str, *, folder: Path = BIN) -> Path:
    """The executable of a pinned client. Missing: the test fails in CI and is skipped elsewhere."""
    path = folder / name
    if not path.exists():
        reason = f"{name} is not installed; run: npm install --no-save --prefix tests/clients"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return path


def release(name: str, version: str) -> Path:
    """The executable of one release: the pinned one, or an older one that npm keeps under an alias.

    Aliases share a bin name, so each is called in the folder of its own package.
    """
    folder = BIN.parent / PACKAGES[name]
    if not folder.is_dir() or json.loads((folder / "package.json").read_text())["version"] != version:
        folder = BIN.parent / f"{name}-{version}"
    places = {"claude": "bin/claude.exe", "codex": "bin/codex.js"}
    return client(places[name], folder=folder)
