"""`progress`: the bounded lines about a leg."""

from __future__ import annotations

import argparse

from relay_runtime.answer import Answer
from relay_runtime.context import Context
from relay_runtime.relay.selectors import progress


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--wgid", metavar="WGID", help="the relay, where several are unfinished")


def run(args: argparse.Namespace, context: Context) -> Answer:
    return progress(context, args.wgid)
