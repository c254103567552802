"""approve: answer the host's hook before a tool call, with an approval or with nothing."""

from __future__ import annotations

import argparse
from pathlib import Path

from relay_runtime import package
from relay_runtime.answer import Answer
from relay_runtime.approval.approve import Approval, Own, approval
from relay_runtime.approval.shadow import settings_folders, shadowing, stranger_on_path
from relay_runtime.context import INPUT_LIMIT, Context
from relay_runtime.paths import find_project

SILENCE = Answer(message="")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    del parser  # the payload comes on stdin


def run(args: argparse.Namespace, context: Context) -> Answer:
    del args
    payload = context.read_stdin(INPUT_LIMIT + 1)
    if len(context.package.call) != 1 or len(payload) > INPUT_LIMIT:
        return SILENCE  # only a command of one word can be told from a program and its script
    plugin = package.plugin()
    own = Own(context.package.call[0], plugin.name, plugin.skills)
    found = approval(payload, own)
    if found is None or not _holds(found, own, context):
        return SILENCE
    return Answer(message=found.as_hook_output())


def _holds(found: Approval, own: Own, context: Context) -> bool:
    """Whether the call stays in the project at hand, and skill and command are really ours."""
    cwd = Path(found.cwd)
    if not cwd.is_absolute():
        return False
    try:
        if found.skill and shadowing(own.plugin, settings_folders(context.environ, (cwd, context.cwd))):
            return False
        bundled = package.RUNTIME_FILE.parent.parent / "bin" / own.command
        if stranger_on_path(own.command, context.environ.get("PATH", ""), cwd, bundled):
            return False
        here = find_project(cwd, None).root
        named = [(cwd / folder).resolve() for folder in found.projects]
    except (OSError, ValueError):
        return False
    return all(here in (folder, *folder.parents) for folder in named)
