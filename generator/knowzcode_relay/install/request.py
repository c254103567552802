"""What a user asked an installing verb for, checked before anything is read."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from knowzcode_relay import assets
from knowzcode_relay.errors import Exit, RelayError
from knowzcode_relay.hosts import ADDITIONS, HOSTS, PACKAGES, REFUSED
from knowzcode_relay.hosts.base import PROJECT
from knowzcode_relay.hosts.surroundings import Surroundings
from knowzcode_relay.install.manifest import Manifest
from knowzcode_relay.package import Package, load

ALL = "all"


@dataclass(frozen=True)
class Request:
    """`platforms` are hosts that can be had in `scope`, and additions to them that the user asked for.

    `named`: the user listed each of them.
    """

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
        if reason := PACKAGES[name].refusal(scope):
            raise RelayError(
                "scope.refused", reason, exit=Exit.USAGE, hint="For codex alone: --platforms codex"
            )
    return names


def additions(words: tuple[str, ...], names: tuple[str, ...]) -> tuple[str, ...]:
    """The packages that `--with` names; RelayError (exit 2) for one whose platform is not among `names`."""
    for word in words:
        if word not in ADDITIONS:
            raise RelayError(
                "with.unknown",
                f"{word!r} is nothing that can be added.",
                exit=Exit.USAGE,
                hint=f"Additions: {', '.join(ADDITIONS)}",
            )
        if ADDITIONS[word].PLATFORM not in names:
            raise RelayError(
                "with.platform",
                f"--with {word} is for {ADDITIONS[word].PLATFORM} only.",
                exit=Exit.USAGE,
                hint=f"Run it with: --platforms {ADDITIONS[word].PLATFORM} --with {word}",
            )
    return tuple(dict.fromkeys(ADDITIONS[word].NAME for word in words))


def install_words(names: Collection[str]) -> str:
    """The options that ask for these packages."""
    words = {each.NAME: (each.PLATFORM, word) for word, each in ADDITIONS.items()}
    hosts = dict.fromkeys(words[name][0] if name in words else name for name in names)
    more = [f"--with {words[name][1]}" for name in names if name in words]
    return " ".join((f"--platforms {','.join(hosts)}", *more))


def with_additions(names: tuple[str, ...]) -> tuple[str, ...]:
    """These packages and every addition to them, each after its own."""
    more = (each.NAME for each in ADDITIONS.values() if each.PLATFORM in names and each.NAME not in names)
    return (*names, *more)


def along(names: tuple[str, ...], manifest: Manifest) -> tuple[str, ...]:
    """These packages and those additions to them that are installed: they change together."""
    there = {each.site.platform for each in manifest.installs}
    return tuple(name for name in with_additions(names) if name in names or name in there)


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
    """The packages that this program carries under these names, and the additions to them."""
    return {
        name: load(assets.rendered() / PACKAGES[name].DIST, PACKAGES[name].INDEX)
        for name in with_additions(names)
    }
