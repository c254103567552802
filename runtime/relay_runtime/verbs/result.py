"""`result`: how the target's last answer ended."""

from __future__ import annotations

import argparse

from relay_runtime.answer import Answer
from relay_runtime.context import Context
from relay_runtime.relay.selectors import result


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--wgid", metavar="WGID", help="the relay, where several are unfinished")


def run(args: argparse.Namespace, context: Context) -> Answer:
    return result(context, args.wgid)
