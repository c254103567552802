"""Which relay a verb is about: the one that `--wgid` names, else the only one that is not final."""

from __future__ import annotations

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
    unfinished = [found for found in list_wgids(project) if not _is_final(project, found)]
    if len(unfinished) == 1:
        return RelayFiles(project, unfinished[0])
    if not unfinished:
        raise UsageError(
            "relay.none",
            f"There is no unfinished relay in {project.workgroups}.",
            hint=_elsewhere(list_wgids(project)),
        )
    raise UsageError(
        "relay.several",
        f"There are {len(unfinished)} unfinished relays: {', '.join(unfinished)}.",
        hint=f"Name one: --wgid {unfinished[0]}",
    )


def check_place(relay: Relay, context: Context) -> None:
    """Refuse (3) a relay of the other host, or one that belongs to another folder."""
    if relay.host != context.package.host:
        raise RelayError(
            "relay.other-host",
            f"{relay.wgid} was started by the {relay.host} host; this is the {context.package.host} host.",
            exit=Exit.HALT,
            hint=f"Go on with it in {relay.host}.",
        )
    root = context.project().root
    if Path(relay.cwd) != root:
        what = "is not there" if not Path(relay.cwd).is_dir() else "is another one"
        raise RelayError(
            "relay.moved",
            f"{relay.wgid} works in {relay.cwd}, which {what}; this is {root}.",
            exit=Exit.HALT,
            hint=f"Go on in that folder: --project {relay.cwd}",
        )


def _is_final(project: Project, wgid: str) -> bool:
    """A state file that cannot be read counts as unfinished, so that it is named and never stepped over."""
    try:
        return read_relay(RelayFiles(project, wgid)).state.final
    except RelayError:
        return False


def _elsewhere(known: tuple[str, ...]) -> str:
    finished = f" Known here: {', '.join(known[:5])}." if known else ""
    return f"Name the project's folder with --project DIR.{finished}"
