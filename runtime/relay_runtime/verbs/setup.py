"""`setup`: prepare the project's files."""

from __future__ import annotations

import argparse

from relay_runtime.answer import Answer, Next
from relay_runtime.context import Context
from relay_runtime.project.setup import set_up


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Nothing beyond the common ones."""


def run(args: argparse.Namespace, context: Context) -> Answer:  # noqa: ARG001  it has none of its own
    project = context.project()
    done = set_up(project, context.environ)
    return Answer(
        message=f"{project.root} is set up.",
        lines=tuple(f"[RELAY-SETUP] {line}" for line in (f"project {project.root}", *done.lines)),
        next=Next(argv=context.call("detect")),
        data={
            "project": str(project.root),
            "written": done.written,
            "kept": done.kept,
            "ignored": done.ignored,
        },
    )
