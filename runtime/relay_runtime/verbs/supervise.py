"""Watch one process of a leg. Started by the runtime itself, in a session of its own."""

from __future__ import annotations

import argparse
from pathlib import Path

from relay_runtime.adapters import LEGS
from relay_runtime.answer import Answer
from relay_runtime.attempts.attempt import read_spec
from relay_runtime.attempts.supervise import supervise
from relay_runtime.attempts.wake import SignalWake
from relay_runtime.context import Context


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("spec", metavar="SPEC", help="the file that says what to run")


def run(args: argparse.Namespace, context: Context) -> Answer:
    spec = read_spec(Path(args.spec))
    with SignalWake() as wake:
        marker = supervise(spec, LEGS[spec.target], context.environ, context.clock, wake)
    return Answer(message=f"The leg ended with {marker}.")
