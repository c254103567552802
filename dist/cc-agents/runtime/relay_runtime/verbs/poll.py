"""`poll`: wait a bounded time for news of the leg."""

from __future__ import annotations

import argparse

from relay_runtime.answer import Answer
from relay_runtime.context import Context
from relay_runtime.errors import UsageError
from relay_runtime.relay.guided import guided
from relay_runtime.relay.next_step import POLL_SECONDS
from relay_runtime.relay.poll import poll

LONGEST = {"claude": 540, "codex": 25}
"""What a command of the host can last at most, with a margin."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--wait", type=float, metavar="S", help="seconds to wait for news at most")
    parser.add_argument("--wgid", metavar="WGID", help="the relay, where several are unfinished")


def run(args: argparse.Namespace, context: Context) -> Answer:
    host = context.package.host
    wait: float = POLL_SECONDS[host] if args.wait is None else args.wait
    if not wait >= 0:
        raise UsageError("poll.wait", f"--wait {wait:g} is not a number of seconds from 0.")
    return guided(context, args.wgid, lambda: poll(context, args.wgid, min(wait, LONGEST[host])))
