"""Which relay a verb is about: the one that `--wgid` names, else the only one that is not final."""

from __future__ import annotations

import shlex
from pathlib import Path

from relay_runtime.context import Context
from relay_runtime.errors import Exit, RelayError, UsageError
from relay_runtime.paths import Project
from relay_runtime.state.files import RelayFiles, list_wgids
from relay_runtime.state.relay import Relay
from relay_runtime.state.store import Stored, load, read_relay
from relay_runtime.workgroup import check_id


def current(context: Context, wgid: str | None) -> Stored:
    """The relay, read and checked for this host and folder."""
    stored = load(find(context, wgid))
    check_place(stored.relay, context)
    return stored


def find(context: Context, wgid: str | None) -> RelayFiles:
    """Its files. None, several or an unknown one is RelayError (2) with what was searched."""
    project = context.project()
    if wgid is not None:
        files = RelayFiles(project, check_id(wgid))
        if files.state.exists():
            return files
        raise UsageError(
            "relay.unknown",
            f"There is no relay {wgid} in {project.workgroups}.",
            hint=_elsewhere(list_wgids(project)),
        )
    open_ones = unfinished(project)
    if len(open_ones) == 1:
        return RelayFiles(project, open_ones[0])
    if not open_ones:
        raise UsageError(
            "relay.none",
            f"There is no unfinished relay in {project.workgroups}.",
            hint=_elsewhere(list_wgids(project)),
        )
    raise UsageError(
        "relay.several",
        f"There are {len(open_ones)} unfinished relays: {', '.join(open_ones)}.",
        hint=f"Name one: --wgid {open_ones[0]}",
    )


def check_place(relay: Relay, context: Context) -> None:
    """Refuse (3) a relay of the other host, or one that belongs to another folder."""
    check_host(relay, context)
    root = context.project().root
    if Path(relay.cwd) == root:
        return
    if Path(relay.cwd).is_dir():
        raise RelayError(
            "relay.moved",
            f"{relay.wgid} works in {relay.cwd}, which is another folder; this is {root}.",
            exit=Exit.HALT,
            hint=f"Go on in that folder: --project {shlex.quote(relay.cwd)}",
        )
    end = shlex.join(context.call("abort", "--wgid", relay.wgid))
    raise RelayError(
        "relay.moved",
        f"{relay.wgid} works in {relay.cwd}, which is not there any more; this is {root}.",
        exit=Exit.HALT,
        hint=f"Bring that folder back, or end the relay: {end}",
    )


def check_host(relay: Relay, context: Context) -> None:
    """Refuse (3) a relay of the other host."""
    if relay.host != context.package.host:
        raise RelayError(
            "relay.other-host",
            f"{relay.wgid} was started by the {relay.host} host; this is the {context.package.host} host.",
            exit=Exit.HALT,
            hint=f"Go on with it in {relay.host}.",
        )


def unfinished(project: Project) -> tuple[str, ...]:
    """Its relays that are not final, the newest first."""
    return tuple(found for found in list_wgids(project) if not _is_final(project, found))


def _is_final(project: Project, wgid: str) -> bool:
    """A state file that cannot be read counts as unfinished, so that it is named and never stepped over."""
    try:
        return read_relay(RelayFiles(project, wgid)).state.final
    except RelayError:
        return False


def _elsewhere(known: tuple[str, ...]) -> str:
    finished = f" Known here: {', '.join(known[:5])}." if known else ""
    return f"Name the project's folder with --project DIR.{finished}"
