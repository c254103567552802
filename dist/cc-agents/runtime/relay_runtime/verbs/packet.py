"""`packet`: what a monitor of one leg needs."""

from __future__ import annotations

import argparse

from relay_runtime.answer import Answer
from relay_runtime.context import Context
from relay_runtime.relay.packet import packet


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--shell", action="store_true", help="print the plain client command instead")
    parser.add_argument(
        "--interval", type=int, metavar="S", help="seconds between two looks at the progress, 30 to 120"
    )
    parser.add_argument("--wgid", metavar="WGID", help="the relay, where several are unfinished")


def run(args: argparse.Namespace, context: Context) -> Answer:
    return packet(context, args.wgid, shell=args.shell, every=args.interval)
