"""`launch`: one attempt of the target."""

from __future__ import annotations

import argparse

from relay_runtime.answer import Answer
from relay_runtime.config import Flags
from relay_runtime.context import Context
from relay_runtime.relay.guided import guided
from relay_runtime.relay.leg import launch_leg


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--foreground", action="store_true", help="watch the leg in this process to its end")
    parser.add_argument("--session", metavar="ID", help="refuse unless this is the session that is resumed")
    parser.add_argument("--model", metavar="M", help="another model from now on; recorded first")
    parser.add_argument("--effort", metavar="E", help="another effort from now on; recorded first")
    parser.add_argument("--wgid", metavar="WGID", help="the relay, where several are unfinished")


def run(args: argparse.Namespace, context: Context) -> Answer:
    flags = Flags(model=args.model, effort=args.effort)
    return guided(
        context,
        args.wgid,
        lambda: launch_leg(
            context, args.wgid, foreground=args.foreground, session=args.session, escalation=flags
        ),
    )
