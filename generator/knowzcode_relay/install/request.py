"""What a user asked an installing verb for, checked before anything is read."""

from dataclasses import dataclass
from pathlib import Path

from knowzcode_relay import assets
from knowzcode_relay.errors import Exit, RelayError
from knowzcode_relay.hosts import HOSTS, REFUSED
from knowzcode_relay.hosts.base import PROJECT
from knowzcode_relay.hosts.surroundings import Surroundings
from knowzcode_relay.package import Package, load

ALL = "all"


@dataclass(frozen=True)
class Request:
    """`platforms` are known hosts that can be had in `scope`. `named`: the user listed each of them."""

    verb: str
    platforms: tuple[str, ...]
    scope: str
    project: Path
    named: bool = True
    replace: bool = False
    preview: bool = False


def platforms(words: str | None, scope: str) -> tuple[str, ...]:
    """The hosts that a comma list or `all` names; anything else is RelayError (exit 2).

    Without words they are the hosts that can be had in this scope.
    """
    if words is None:
        return tuple(name for name, host in HOSTS.items() if not host.refusal(scope))
    names = tuple(HOSTS) if words == ALL else tuple(dict.fromkeys(each.strip() for each in words.split(",")))
    for name in names:
        if reason := REFUSED.get(name):
            raise RelayError("platform.refused", reason, exit=Exit.USAGE)
        if name not in HOSTS:
            raise RelayError(
                "platform.unknown",
                f"{name!r} is not a platform.",
                exit=Exit.USAGE,
                hint=f"Platforms: {', '.join(HOSTS)}, {ALL}",
            )
        if reason := HOSTS[name].refusal(scope):
            raise RelayError(
                "scope.refused", reason, exit=Exit.USAGE, hint="For codex alone: --platforms codex"
            )
    return names


def folder(named: Path | None, around: Surroundings) -> Path:
    """The folder named, or the working folder; RelayError (exit 2) where it is none."""
    place = around.cwd / named if named else around.cwd
    if not place.is_dir():
        raise RelayError("project.missing", f"{place} is not a folder.", exit=Exit.USAGE)
    return place.resolve()


def project_folder(named: Path | None, scope: str, around: Surroundings) -> Path:
    """The project that is meant; a named one must be a folder and be meant for project scope."""
    if named is not None and scope != PROJECT:
        raise RelayError(
            "usage", "--project says where --scope project is, and the scope is user.", exit=Exit.USAGE
        )
    return folder(named, around)


def bundled(names: tuple[str, ...]) -> dict[str, Package]:
    """The packages that this program carries for these hosts."""
    return {name: load(assets.rendered() / HOSTS[name].DIST, HOSTS[name].INDEX) for name in names}
