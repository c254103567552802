"""`finish`: end a relay whose work is accepted."""

from __future__ import annotations

import argparse

from relay_runtime.answer import Answer
from relay_runtime.context import Context
from relay_runtime.relay.finish import finish
from relay_runtime.relay.guided import guided


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--wgid", metavar="WGID", help="the relay, where several are unfinished")


def run(args: argparse.Namespace, context: Context) -> Answer:
    return guided(context, args.wgid, lambda: finish(context, args.wgid))
