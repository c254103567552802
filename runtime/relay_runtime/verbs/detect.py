"""detect: whether a target is ready, or both."""

from __future__ import annotations

import argparse
import shlex
from concurrent.futures import ThreadPoolExecutor

from relay_runtime.adapters import ADAPTERS
from relay_runtime.adapters.base import Status
from relay_runtime.answer import Answer, Next
from relay_runtime.context import Context
from relay_runtime.errors import Exit, UsageError
from relay_runtime.readiness import hostbox
from relay_runtime.readiness.detect import Readiness, detect

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
        looks = {target: pool.submit(detect, target, host, context, box=box) for target in targets}
    found = {target: look.result() for target, look in looks.items()}
    # Without a name the question is about the only target that this host can have.
    subject = found[named or next(target for target in targets if target != host)]
    return Answer(
        message=" ".join(readiness.line() for readiness in found.values()),
        exit=_EXITS.get(subject.status, Exit.HALT) if named else Exit.DONE,
        lines=tuple(dict.fromkeys(line for readiness in found.values() for line in readiness.lines())),
        next=_next(subject, () if box.boxed else context.call("detect", subject.target)),
        data={
            "targets": {target: readiness.as_data() for target, readiness in found.items()},
            "host_sandbox": box.as_data(),
        },
    )


def _targets(named: str | None) -> list[str]:
    if named is None:
        return list(ADAPTERS)
    if named not in ADAPTERS:
        raise UsageError(
            "detect.target", f"There is no target {named!r}.", hint="One of: " + " ".join(ADAPTERS)
        )
    return [named]


def _next(readiness: Readiness, again: tuple[str, ...]) -> Next | None:
    """A login or an installation is the user's to do, so it is asked for and then looked at `again`.

    Inside a host's sandbox the remediation holds the call to repeat.
    """
    if not readiness.remediation:
        return None
    then = f" Then check again with: {shlex.join(again)}" if again else ""
    return Next(question=readiness.remediation + then)
