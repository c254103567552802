"""`review`: the host's feedback on stdin."""

from __future__ import annotations

import argparse

from relay_runtime.answer import Answer
from relay_runtime.context import Context
from relay_runtime.relay.guided import guided
from relay_runtime.relay.review import review


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--file", metavar="F", help="read the feedback from F instead of stdin")
    parser.add_argument("--wgid", metavar="WGID", help="the relay, where several are unfinished")


def run(args: argparse.Namespace, context: Context) -> Answer:
    return guided(context, args.wgid, lambda: review(context, args.wgid, context.read_input(args.file)))
