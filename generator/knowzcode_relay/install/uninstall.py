"""uninstall: end the installs that the request names, and say what stays."""

from dataclasses import dataclass

from knowzcode_relay.errors import Exit
from knowzcode_relay.hosts import PACKAGES
from knowzcode_relay.hosts.surroundings import Surroundings
from knowzcode_relay.install import journal, removal, session
from knowzcode_relay.install.draft import check_place, check_writable
from knowzcode_relay.install.journal import Journal
from knowzcode_relay.install.manifest import Install, Manifest
from knowzcode_relay.install.plan import Action
from knowzcode_relay.install.request import Request, along


@dataclass(frozen=True)
class Removed:
    """The installs that ended, or with a preview would end, and what becomes of their files."""

    request: Request
    installs: tuple[tuple[Install, tuple[Action, ...]], ...]
    said: tuple[str, ...]
    exit: Exit


def uninstall(request: Request, around: Surroundings) -> Removed:
    """Remove what we wrote and still matches. What is refused makes the exit 8, after the rest is gone."""
    if request.preview:
        found = _chosen(request, session.look(around).manifest, around)
        return _removed(request, found, ())
    with session.change(around, request.verb) as held:
        found = _chosen(request, held.manifest, around)
        plans = _removed(request, found, held.said)
        if not found:
            return plans
        record = Journal(
            verb=request.verb,
            steps=(),
            made=(),
            before=held.manifest,
            after=held.manifest,
            removing=tuple(
                (each.site, around.environ.get(PACKAGES[each.site.platform].VARIABLE, "")) for each in found
            ),
            replace=request.replace,
        )
        journal.save(around.data, record)
        try:
            said = removal.remove_all(record, around)
        finally:
            # After an error the manifest still knows what is left, so the same command goes on from there.
            journal.clear(around.data)
    return Removed(request, plans.installs, (*held.said, *said), plans.exit)


def _chosen(request: Request, manifest: Manifest, around: Surroundings) -> list[Install]:
    """The installs to end, with their additions. Those that need their client come first, for it may not be
    there, and of these an addition before what it was added to.
    """
    found: list[Install] = []
    for name in reversed(along(request.platforms, manifest)):
        host = PACKAGES[name]
        for site in host.sites(request.scope, request.project, around):
            install = manifest.find(site)
            if install is not None:
                host.check(site, around)
                check_place(install)
                check_writable(install.real)
                found.append(install)
    return sorted(found, key=lambda each: not each.site.in_place)


def _removed(request: Request, found: list[Install], said: tuple[str, ...]) -> Removed:
    odd = any(removal.refused(each) for each in found)
    return Removed(
        request=request,
        installs=tuple((each, removal.leftovers(each, request.replace)) for each in found),
        said=said,
        exit=Exit.CONFLICT if odd else Exit.DONE,
    )
