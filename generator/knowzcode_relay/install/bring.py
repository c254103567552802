"""install and upgrade: the same change. An upgrade takes what is installed and never switches anything on."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from knowzcode_relay.errors import Exit, RelayError
from knowzcode_relay.hosts import HOSTS, PACKAGES, claude_jobs
from knowzcode_relay.hosts.surroundings import Surroundings
from knowzcode_relay.install import session, transaction
from knowzcode_relay.install.draft import Draft, check_writable, draft
from knowzcode_relay.install.exactness import Exactness, judge
from knowzcode_relay.install.manifest import Manifest
from knowzcode_relay.install.readiness import Readiness, ask
from knowzcode_relay.install.request import Request, along, install_words
from knowzcode_relay.install.session import Session
from knowzcode_relay.package import Package

UPGRADE = "upgrade"


@dataclass(frozen=True)
class Brought:
    """What was, or with a preview would be, installed. `said` are sentences about what happened besides.

    `exactness` says it of a job agent.
    """

    request: Request
    drafts: tuple[Draft, ...]
    said: tuple[str, ...]
    readiness: Readiness
    exactness: tuple[Exactness, ...] = ()


def bring(request: Request, packages: Mapping[str, Package], around: Surroundings) -> Brought:
    """Install or upgrade every platform asked for, or none of them."""
    if request.preview:
        looked = session.look(around)
        return Brought(request, _drafts(request, packages, looked.manifest, around), (), Readiness())
    with session.change(around, request.verb) as held:
        drafts = _drafts(request, packages, held.manifest, around)
        said = (*held.said, *_apply(drafts, request, held, around))
    readiness = ask(runtime_of(drafts[0]), request.project, around)
    exactness = (
        judge(runtime_of(each), readiness.version_of(each.host.PLATFORM), request.project, around)
        for each in drafts
        if each.host.NAME == claude_jobs.NAME
    )
    return Brought(request, drafts, said, readiness, tuple(exactness))


def _drafts(
    request: Request, packages: Mapping[str, Package], manifest: Manifest, around: Surroundings
) -> tuple[Draft, ...]:
    names = _installed(request, manifest, around) if request.verb == UPGRADE else request.platforms
    names = along(names, manifest)
    drafts = tuple(draft(name, packages[name], request, manifest, around, names) for name in names)
    if stopped := [sentence for each in drafts for sentence in each.stopped]:
        raise RelayError(
            "place.taken",
            stopped[0] if len(stopped) == 1 else f"{stopped[0]} And {len(stopped) - 1} more.",
            exit=Exit.CONFLICT,
            hint="Nothing was changed. --replace moves what it can to a backup, and uninstall gives it back.",
            data={"conflicts": stopped},
        )
    return drafts


def _installed(request: Request, manifest: Manifest, around: Surroundings) -> tuple[str, ...]:
    """Those platforms that have an install to upgrade; a named one that has none is RelayError (exit 3)."""
    there = tuple(
        name
        for name in request.platforms
        if any(manifest.find(each) for each in PACKAGES[name].sites(request.scope, request.project, around))
    )
    absent = [name for name in request.platforms if name not in there]
    if not there or (absent and request.named) or any(name not in HOSTS for name in absent):
        what = ", ".join(absent)
        raise RelayError(
            "install.missing",
            f"There is no {request.scope} install to upgrade for {what}.",
            exit=Exit.HALT,
            hint=f"Run: knowzcode-relay install {install_words(absent)}",
        )
    return there


def _apply(
    drafts: tuple[Draft, ...], request: Request, held: Session, around: Surroundings
) -> tuple[str, ...]:
    for each in drafts:
        check_writable(each.real)
        if each.wants_client(request.verb):
            check_writable(each.host.settings_folder(around))
    if not any(each.anything(request.verb) for each in drafts):
        return ()
    return transaction.commit(drafts, held.manifest, request.verb, held.made, around)


def runtime_of(each: Draft) -> Path:
    """Where the installed relay.py lies."""
    return each.site.root / each.host.RUNTIME / "relay.py"
