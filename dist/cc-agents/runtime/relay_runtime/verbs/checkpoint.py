"""`checkpoint`: commit the leg's owned paths."""

from __future__ import annotations

import argparse

from relay_runtime.answer import Answer
from relay_runtime.context import Context
from relay_runtime.relay.checkpoint import checkpoint
from relay_runtime.relay.guided import guided


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--wip", action="store_true", help="keep unfinished work of a failed leg")
    parser.add_argument("--wgid", metavar="WGID", help="the relay, where several are unfinished")


def run(args: argparse.Namespace, context: Context) -> Answer:
    return guided(context, args.wgid, lambda: checkpoint(context, args.wgid, wip=args.wip))
