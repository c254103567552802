"""detect: whether a target is ready, or both."""

from __future__ import annotations

import argparse
import shlex
from concurrent.futures import ThreadPoolExecutor

from relay_runtime import hostbox
from relay_runtime.adapters import ADAPTERS
from relay_runtime.adapters.base import Status
from relay_runtime.answer import Answer, Next
from relay_runtime.context import Context
from relay_runtime.detect import Readiness, detect
from relay_runtime.errors import Exit, UsageError
from relay_runtime.hostbox import HostBox

_EXITS = {Status.READY: Exit.DONE, Status.UNAUTHED: Exit.PAUSE}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "target", nargs="?", metavar="TARGET", help=f"{' or '.join(ADAPTERS)}; without it both"
    )


def run(args: argparse.Namespace, context: Context) -> Answer:
    named: str | None = args.target
    targets = _targets(named)
    host = context.package.host
    box = hostbox.look(host, context.project(), context.environ)
    with ThreadPoolExecutor(len(targets)) as pool:  # two clients that hang cost the time of one
        looks = [pool.submit(detect, target, host, context, box=box) for target in targets]
    return _answer([look.result() for look in looks], box, context, one=named is not None)


def _targets(named: str | None) -> list[str]:
    if named is None:
        return list(ADAPTERS)
    if named not in ADAPTERS:
        raise UsageError(
            "detect.target", f"There is no target {named!r}.", hint="One of: " + " ".join(ADAPTERS)
        )
    return [named]


def _answer(found: list[Readiness], box: HostBox, context: Context, *, one: bool) -> Answer:
    lines = dict.fromkeys(line for readiness in found for line in readiness.lines())
    first = found[0]
    return Answer(
        message=first.line() if one else "Looked at " + " and ".join(readiness.target for readiness in found),
        exit=_EXITS.get(first.status, Exit.HALT) if one else Exit.DONE,
        lines=tuple(lines),
        hint="" if one else box.outside(context.call("detect")),
        next=_next(first, context) if one else None,
        data={
            "targets": {readiness.target: readiness.as_data() for readiness in found},
            "host_sandbox": box.as_data(),
        },
    )


def _next(readiness: Readiness, context: Context) -> Next | None:
    """A login or an installation is the user's to do, so it is asked for and then looked at again."""
    if not readiness.remediation:
        return None
    again = shlex.join(context.call("detect", readiness.target))
    then = "" if again in readiness.remediation else f" Then check again with: {again}"
    return Next(question=readiness.remediation + then)
