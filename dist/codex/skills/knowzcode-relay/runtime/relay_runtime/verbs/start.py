"""`start`: the approved plan on stdin, a relay ready to launch on disk."""

from __future__ import annotations

import argparse

from relay_runtime.answer import Answer
from relay_runtime.context import Context
from relay_runtime.relay.start import start
from relay_runtime.relay.waiting_start import Request


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tier", type=int, choices=(1, 2, 3), required=True, help="the size of the work")
    parser.add_argument("--gate2-approved", action="store_true", help="the specs are approved")
    parser.add_argument("--resolution", metavar="TOKEN", required=True, help="what resolve printed")
    parser.add_argument("--autonomous", action="store_true", help="the user asked for autonomous work")
    parser.add_argument("--approve-branch", metavar="NAME", help="work on this branch instead of a new one")
    parser.add_argument(
        "--accept-project-settings", metavar="SHA256", help="go on with the settings that were named"
    )
    parser.add_argument("--wgid", metavar="WGID", help="an existing WorkGroup; without it a new one")
    parser.add_argument("--file", metavar="F", help="read the plan from F instead of stdin")


def run(args: argparse.Namespace, context: Context) -> Answer:
    request = Request(
        tier=args.tier,
        gate2=args.gate2_approved,
        token=args.resolution,
        plan="" if args.tier != 3 else context.read_input(args.file),
        autonomous=args.autonomous,
        approve_branch=args.approve_branch,
        accept_settings=args.accept_project_settings,
        wgid=args.wgid,
    )
    return start(request, context)
