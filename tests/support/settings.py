"""The settings that a configuration file gives a relay, and how one is refused."""

from pathlib import Path

import pytest

from relay_runtime import config
from relay_runtime.config import Document, Flags, Settings, effective
from relay_runtime.errors import RelayError
from relay_runtime.paths import Project
from support.world import build_tree

NAME = "knowzcode/knowzcode_orchestration.md"
TARGETS = ("codex", "claude")


def document(root: Path, *lines: str) -> Document:
    build_tree(root, {NAME: "\n".join(("```yaml", *lines, "```", ""))})
    return config.load(Project(root))


def settings(root: Path, *lines: str, target: str = "codex", flags: Flags | None = None) -> Settings:
    return effective(document(root, *lines), target, flags or Flags())


def refusal(root: Path, *lines: str, target: str = "codex", flags: Flags | None = None) -> RelayError:
    with pytest.raises(RelayError) as caught:
        settings(root, *lines, target=target, flags=flags)
    return caught.value
