"""`runs`: list, show or prune the relays of this repository."""

from __future__ import annotations

import argparse

from relay_runtime.answer import Answer
from relay_runtime.context import Context
from relay_runtime.relay.runs import KEEP, list_runs, prune_runs, show_run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("do", choices=("list", "show", "prune"), help="what to do")
    parser.add_argument("wgid", nargs="?", metavar="WGID", help="the relay to show")
    parser.add_argument("--keep", type=int, default=KEEP, metavar="N", help="finished relays to keep")
    parser.add_argument("--dry-run", action="store_true", help="only say what prune would delete")


def run(args: argparse.Namespace, context: Context) -> Answer:
    if args.do == "list":
        return list_runs(context)
    if args.do == "show":
        return show_run(context, args.wgid or "")
    return prune_runs(context, args.keep, preview=args.dry_run)
