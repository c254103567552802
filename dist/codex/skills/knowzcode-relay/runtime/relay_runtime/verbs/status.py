"""`status`: what a host asks first, and the one best next command."""

from __future__ import annotations

import argparse
import shlex
from typing import TYPE_CHECKING

from relay_runtime.answer import Answer, Next
from relay_runtime.context import Context
from relay_runtime.errors import Exit
from relay_runtime.state.files import list_wgids
from relay_runtime.status import Overview, look

if TYPE_CHECKING:
    from relay_runtime.relay.unfinished import Unfinished

TAG = "[RELAY-STATUS]"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Nothing beyond the common ones."""


def run(args: argparse.Namespace, context: Context) -> Answer:  # noqa: ARG001  it has none of its own
    seen = look(context)
    relays = _relays(seen, context)
    return Answer(
        message=f"Host {context.package.host}, project {seen.project.root}.",
        exit=relays.exit if relays else Exit.DONE,
        lines=(
            *(relays.lines if relays else ()),
            *_lines(seen, context),
            *_troubles(seen, context),
        ),
        next=(relays.next if relays else None) or _next(seen, context),
        data={
            "relays": list(relays.data) if relays else [],
            "host": context.package.host,
            "target": seen.target,
            "version": context.package.version,
            "project": str(seen.project.root),
            "set_up": seen.has_config,
            "git": seen.in_git,
            "selector": seen.selector,
            "programs": dict(seen.programs),
            "warnings": list(seen.warnings),
            "trouble": {"problem": seen.trouble.problem, "message": seen.trouble.message}
            if seen.trouble
            else None,
        },
    )


def _relays(seen: Overview, context: Context) -> Unfinished | None:
    """The unfinished relays, None where there never was one."""
    wgids = list_wgids(seen.project)
    if not wgids:
        return None
    # Only a checkout with relays pays for what it takes to judge one.
    from relay_runtime.relay.unfinished import unfinished

    return unfinished(wgids, context)


def _lines(seen: Overview, context: Context) -> list[str]:
    package = context.package
    git = "in git" if seen.in_git else "in no git repository, which a relay needs"
    lines = [
        f"{TAG} host {package.host}, target {seen.target}, knowzcode-relay {package.version}",
        f"{TAG} project {seen.project.root}, {git}",
    ]
    if seen.elsewhere is not None:
        named = shlex.quote(str(seen.elsewhere))
        lines.append(f"{TAG} {seen.elsewhere} has a folder knowzcode; to use it: --project {named}")
    name = seen.project.config.relative_to(seen.project.root).as_posix()
    if not seen.has_config:
        lines.append(f"{TAG} {name} is missing: relay: none")
    elif seen.selector is not None:
        lines.append(f"{TAG} {name} says relay: {seen.selector}")
    lines += [f"{TAG} {name}: {path or 'not on PATH'}" for name, path in seen.programs.items()]
    return lines


def _troubles(seen: Overview, context: Context) -> list[str]:
    lines = [f"[RELAY-WARNING] {text}" for text in seen.warnings]
    if seen.trouble is not None:
        lines.append(seen.trouble.as_line())
    if seen.selector == context.package.host:
        lines.append(
            f"[RELAY-WARNING] relay: {seen.selector} names this host itself, so nothing is relayed from "
            "here; relay: other works from both hosts."
        )
    return lines


def _next(seen: Overview, context: Context) -> Next:
    if seen.trouble is not None:
        return Next(question=f"{seen.trouble.message} {seen.trouble.hint}".rstrip())
    if not seen.has_config:
        return Next(argv=context.call("setup"))
    if seen.selector == context.package.host:
        return Next(argv=context.call("config", "persist"))
    return Next(argv=context.call("detect"))
