"""`job`: run another agent from a text header, and look after such runs."""

from __future__ import annotations

import argparse
from typing import Callable

from relay_runtime.answer import Answer
from relay_runtime.context import Context
from relay_runtime.errors import UsageError
from relay_runtime.jobs import calls
from relay_runtime.jobs.seen import By
from relay_runtime.jobs.work import work

KEEP = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=[*_ACTIONS], metavar="ACTION", help=", ".join(_SHOWN))
    parser.add_argument("name", nargs="?", metavar="ID", help="which job (start, wait, cancel, show)")
    parser.add_argument("--id", metavar="ID", help="the same; for run and start the id of the new job")
    parser.add_argument("--job", metavar="ID", help="the same")
    parser.add_argument("--file", metavar="F", help="read the header from F instead of stdin (run)")
    parser.add_argument("--workflow", metavar="RUN", help="the job is a role of this Workflow run (run)")
    parser.add_argument("--index", metavar="N", type=int, help="and the role's place in it")
    parser.add_argument("--owner", metavar="NAME", help="whose job it is; others' are not seen")
    parser.add_argument("--all", action="store_true", help="every running job of --owner (cancel)")
    parser.add_argument("--running", action="store_true", help="only those that run (list)")
    parser.add_argument(
        "--keep", metavar="N", type=int, default=KEEP, help=f"how many ended ones stay ({KEEP}; prune)"
    )
    parser.add_argument("--by", choices=[by.value for by in By], help=argparse.SUPPRESS)
    parser.add_argument("--forget", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--session", metavar="ID", help=argparse.SUPPRESS)
    parser.add_argument("--client-version", metavar="V", default="", help=argparse.SUPPRESS)


def run(args: argparse.Namespace, context: Context) -> Answer:
    return _ACTIONS[args.action](args, context)


def _run(args: argparse.Namespace, context: Context) -> Answer:
    return calls.run(
        context,
        context.read_bytes(args.file),
        name=_id(args, needed=False),
        run_id=args.workflow or "",
        index=args.index,
        owner=args.owner or "",
    )


def _start(args: argparse.Namespace, context: Context) -> Answer:
    return calls.start(context, _id(args), context.read_bytes(args.file))


def _wait(args: argparse.Namespace, context: Context) -> Answer:
    return calls.wait(context, _id(args), args.owner)


def _cancel(args: argparse.Namespace, context: Context) -> Answer:
    if args.all:
        return calls.cancel_all(context, args.owner)
    return calls.cancel(context, _id(args, needed=False), args.owner)


def _list(args: argparse.Namespace, context: Context) -> Answer:
    return calls.list_all(context, args.owner, running=args.running)


def _show(args: argparse.Namespace, context: Context) -> Answer:
    return calls.show(context, _id(args), args.owner)


def _prune(args: argparse.Namespace, context: Context) -> Answer:
    return calls.prune(context, args.keep)


def _work(args: argparse.Namespace, context: Context) -> Answer:
    work(_id(args), context)
    return Answer(message="")


def _seen(args: argparse.Namespace, context: Context) -> Answer:
    if args.forget:
        return calls.forget_sessions(context)
    if args.by is None:
        return calls.sessions(context)
    return calls.note_session(context, By(args.by), args.session, args.client_version)


def _id(args: argparse.Namespace, *, needed: bool = True) -> str:
    given = [name for name in (args.name, args.id, args.job) if name is not None]
    if len(given) > 1 or (needed and not given):
        raise UsageError("job.id", f"job {args.action} takes one id, and {len(given)} were given.")
    return given[0] if given else ""


_SHOWN: dict[str, Callable[[argparse.Namespace, Context], Answer]] = {
    "run": _run,
    "start": _start,
    "wait": _wait,
    "cancel": _cancel,
    "list": _list,
    "show": _show,
    "prune": _prune,
}
_ACTIONS = {**_SHOWN, "work": _work, "seen": _seen}
