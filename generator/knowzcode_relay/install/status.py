"""status: what is installed where, how it differs from what we wrote, and what stands before it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from knowzcode_relay.errors import RelayError
from knowzcode_relay.hosts import PACKAGES, claude_jobs
from knowzcode_relay.hosts.base import Host, Registration
from knowzcode_relay.hosts.surroundings import Surroundings
from knowzcode_relay.install import journal, manifest
from knowzcode_relay.install.exactness import Exactness, judge
from knowzcode_relay.install.manifest import APPLIED, Install, Manifest, safe
from knowzcode_relay.install.plan import Action, Options, Print, State, plan
from knowzcode_relay.install.readiness import Readiness, ask
from knowzcode_relay.install.request import along
from knowzcode_relay.install.runtime import installed, place
from knowzcode_relay.install.scan import scan
from knowzcode_relay.package import Package

# The first of these that fits an install is its state.
INTERRUPTED = "interrupted"
MOVED = "moved"
UNREGISTERED = "unregistered"
DISABLED = "disabled"

_BY_FILE = (State.CONFLICT, State.EDITED, State.USER_DELETED, State.STALE, State.REMOVED_UPSTREAM, State.NEW)


@dataclass(frozen=True)
class Standing:
    """One install as it is now. `drift` holds the files that are not as this program would have them."""

    install: Install
    state: str
    runtime: Path
    drift: tuple[Action, ...]


@dataclass(frozen=True)
class Status:
    """`shadows` are sentences about copies, leaks and switches; `listing` is a newer program's manifest.

    `exactness` says it of each job agent that is installed.
    """

    standings: tuple[Standing, ...]
    shadows: tuple[str, ...]
    interrupted: str
    readiness: Readiness
    exactness: tuple[Exactness, ...]
    newer: int
    listing: tuple[Mapping[str, str], ...]


def status(
    names: tuple[str, ...], packages: Mapping[str, Package], project: Path, around: Surroundings
) -> Status:
    """Look at every install of these hosts. Nothing is written and nothing damaged is taken for empty."""
    recorded = manifest.load(around.data)
    open_change = journal.load(around.data)
    interrupted = open_change.verb if open_change else ""
    every = along(names, recorded)
    standings = tuple(
        _standing(each, packages[each.site.platform], interrupted, every, around)
        for each in sorted(recorded.installs, key=lambda each: _rank(each, every))
        if each.site.platform in every
    )
    shadows = [
        sentence
        for name in every
        for sentence in _shadows(PACKAGES[name], packages[name], recorded, project, around)
    ]
    readiness = ask(installed(each.install for each in standings), project, around)
    return Status(
        standings=standings,
        shadows=tuple(dict.fromkeys(shadows)),
        interrupted=interrupted,
        readiness=readiness,
        exactness=tuple(
            judge(each.runtime, readiness.version_of(PACKAGES[name].PLATFORM), project, around)
            for each in standings
            if (name := each.install.site.platform) == claude_jobs.NAME
        ),
        newer=recorded.newer,
        listing=recorded.listing,
    )


def _rank(install: Install, order: tuple[str, ...]) -> int:
    """An addition stands after what it was added to."""
    return order.index(install.site.platform) if install.site.platform in order else len(order)


def _standing(
    install: Install, package: Package, interrupted: str, beside: tuple[str, ...], around: Surroundings
) -> Standing:
    host = PACKAGES[install.site.platform]
    drift = _drift(install, package, host, beside)
    return Standing(
        install=install,
        state=_state(install, host, drift, interrupted, around),
        runtime=place(install),
        drift=drift,
    )


def _drift(install: Install, package: Package, host: Host, beside: tuple[str, ...]) -> tuple[Action, ...]:
    files = [(install.site.inside(each.path), each) for each in package.all_files]
    files += [(each.path, each) for each in host.extra_files(install.site, package, beside)]
    wanted = {path: Print.of(each.data, each.mode) for path, each in files}
    known = {path: each for path, each in install.files.items() if safe(path)}
    actions = plan(wanted, known, scan(install.real, {*wanted, *known}), Options())
    return tuple(each for each in actions if each.state is not State.CURRENT or each.changes)


def _state(
    install: Install, host: Host, drift: tuple[Action, ...], interrupted: str, around: Surroundings
) -> str:
    if interrupted or install.state != APPLIED:
        return INTERRUPTED
    if install.site.base.resolve() != install.real:
        return MOVED
    try:
        registered = host.registration(install.site, around)
    except RelayError:
        return UNREGISTERED  # the client's files are malformed, and a shadow says so
    if registered is Registration.ABSENT:
        return UNREGISTERED
    if registered is Registration.DISABLED:
        return DISABLED
    states = {each.state for each in drift}
    return next((state.value for state in _BY_FILE if state in states), State.CURRENT.value)


def _shadows(
    host: Host, package: Package, recorded: Manifest, project: Path, around: Surroundings
) -> list[str]:
    owned = {each.real / path for each in recorded.installs for path in each.files if safe(path)}
    sites = host.sites("user", project, around)
    site = host.choose(sites, [each for each in sites if recorded.find(each)], around)
    try:
        obstacles = host.obstacles(site, package, around)
        found = [each.message for each in obstacles if each.path is None or each.path.resolve() not in owned]
        return [*found, *host.notices(site, project, around)]
    except RelayError as error:
        return [error.message]
