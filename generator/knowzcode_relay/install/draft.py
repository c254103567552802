"""Everything that installing one package would do, found out by reading only."""

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from knowzcode_relay.errors import Exit, RelayError
from knowzcode_relay.hosts import PACKAGES
from knowzcode_relay.hosts.base import Host, Obstacle, Registration, Site
from knowzcode_relay.hosts.surroundings import Surroundings
from knowzcode_relay.install.manifest import APPLIED, Aside, Install, Manifest, safe
from knowzcode_relay.install.plan import Act, Action, Options, Print, Recorded, Save, plan, recorded_after
from knowzcode_relay.install.request import Request
from knowzcode_relay.install.scan import fingerprint, scan
from knowzcode_relay.package import Package


@dataclass(frozen=True)
class Draft:
    """`known` is the install that is there already, `moved` one at another site of the host that ends.

    `content` is what to write by path; `stopped` says what stands in the way, one sentence each.
    """

    host: Host
    site: Site
    real: Path
    package: Package
    client: str
    known: Install | None
    moved: Install | None
    wanted: Mapping[str, Print]
    content: Mapping[str, bytes]
    actions: tuple[Action, ...]
    leaving: tuple[Action, ...]
    asides: tuple[Aside, ...]
    tokens: tuple[Mapping[str, str], ...]
    registration: Registration
    stopped: tuple[str, ...]
    notices: tuple[str, ...]

    @property
    def files_change(self) -> bool:
        return bool(self.moved) or any(each.changes for each in self.actions)

    def source(self, path: str) -> Path:
        """Where the file that an action found lies: here, or where the package is about to move from."""
        here = self.real / path
        return self.moved.real / path if self.moved and not os.path.lexists(here) else here

    def wants_client(self, verb: str) -> bool:
        """Whether the client has something to do. What the user switched off only `install` switches on."""
        if self.registration is Registration.DISABLED:
            return verb == "install"
        outdated = self.known is not None and self.known.version != self.package.version
        return self.registration is Registration.ABSENT or (
            self.registration is Registration.REGISTERED and outdated
        )

    def anything(self, verb: str) -> bool:
        """Whether installing it changes anything, our own record included."""
        then = self.install(self.known.made if self.known else (), APPLIED)
        return (
            self.files_change
            or bool(self.asides or self.tokens)
            or self.wants_client(verb)
            or then != self.known
        )

    def install(self, made: tuple[str, ...], state: str) -> Install:
        """What the manifest says of it."""
        earlier = [each for each in (self.known, self.moved) if each]
        return Install(
            site=self.site,
            real=self.real,
            version=self.package.version,
            state=state,
            files=recorded_after(self.actions, self.wanted, self._recorded()),
            made=tuple(sorted({*made, *(self.known.made if self.known else ())})),
            clients=tuple(sorted({self.client, *(word for each in earlier for word in each.clients)})),
            aside=(*(one for each in earlier for one in each.aside), *self.asides),
            displaced=(*(one for each in earlier for one in each.displaced), *self.tokens),
        )

    def _recorded(self) -> dict[str, Recorded]:
        return _recorded(self.known, self.moved)


def draft(
    name: str,
    package: Package,
    request: Request,
    manifest: Manifest,
    around: Surroundings,
    beside: Collection[str] = (),
) -> Draft:
    """Read what is there and plan; RelayError where the client's files or our record cannot be used.

    `beside` names the packages that are installed with it.
    """
    host = PACKAGES[name]
    sites = host.sites(request.scope, request.project, around)
    recorded = [each for each in sites if manifest.find(each)]
    site = host.choose(sites, recorded, around)
    host.check(site, around)
    known = manifest.find(site)
    moved = next((manifest.find(each) for each in recorded if each != site), None)
    real = site.base.resolve()
    for install in (known, moved):
        if install is not None:
            check_record(install)
    wanted, content = _wanted(host, site, package, beside)
    # A package that moves brings the user's edits along, as if they lay in the new place.
    on_disk = {**(scan(moved.real, moved.files) if moved else {}), **scan(real, _paths(wanted, known))}
    actions = plan(wanted, _recorded(known, moved), on_disk, Options(request.replace))
    owned = {path for each in manifest.installs for path in _places(each)}
    obstacles = [
        each
        for each in host.obstacles(site, package, around)
        if each.path is None or (each.path.resolve() not in owned and each.path not in _at(site, wanted))
    ]
    return Draft(
        host=host,
        site=site,
        real=real,
        package=package,
        client=around.environ.get(host.VARIABLE, ""),
        known=known,
        moved=moved,
        wanted=wanted,
        content=content,
        actions=actions,
        leaving=_leaving(moved),
        asides=tuple(_aside(each.path) for each in obstacles if each.path and request.replace),
        tokens=_tokens(host, obstacles, around) if request.replace else (),
        registration=host.registration(site, around),
        stopped=(
            *(_refusal(site, each) for each in actions if each.act is Act.REFUSE),
            *(each.message for each in obstacles if not (request.replace and each.movable)),
        ),
        notices=host.notices(site, request.project, around),
    )


def check_record(install: Install) -> None:
    """RelayError where a recorded install does not lie where it was written, or names a path outside."""
    for path in install.files:
        if not safe(path):
            raise RelayError(
                "manifest.unsafe",
                f"The manifest names {path!r}, which is no path below {install.site.base}.",
                exit=Exit.HALT,
                hint="Uninstall removes what is safe to remove: knowzcode-relay uninstall",
            )
    check_place(install)


def check_place(install: Install) -> None:
    """RelayError (exit 8) where the base has become, or stopped being, a link to somewhere else."""
    real = install.site.base.resolve()
    if real != install.real:
        raise RelayError(
            "place.moved",
            f"{install.site.base} is now {real}, and the files were installed in {install.real}.",
            exit=Exit.CONFLICT,
            hint=f"Put {install.real} back there, then run the command again.",
        )


def check_writable(folder: Path) -> None:
    """RelayError (exit 3) where nothing could be written below `folder`."""
    at = folder
    while not os.path.lexists(at):
        at = at.parent
    if not at.is_dir():
        problem = "is not a folder"
    elif not os.access(at, os.W_OK | os.X_OK):
        problem = "cannot be written"
    else:
        return
    raise RelayError("folder.unwritable", f"{at} {problem}. Nothing was changed.", exit=Exit.HALT)


def _wanted(
    host: Host, site: Site, package: Package, beside: Collection[str]
) -> tuple[dict[str, Print], dict[str, bytes]]:
    files = [(site.inside(each.path), each) for each in package.all_files]
    files += [(each.path, each) for each in host.extra_files(site, package, beside)]
    looks = {path: Print.of(each.data, each.mode) for path, each in files}
    return looks, {path: each.data for path, each in files}


def _recorded(known: Install | None, moved: Install | None) -> dict[str, Recorded]:
    brought = {path: Recorded(each.written) for path, each in moved.files.items()} if moved else {}
    return {**brought, **(known.files if known else {})}


def _paths(wanted: Mapping[str, Print], known: Install | None) -> set[str]:
    return {*wanted, *(known.files if known else ())}


def _places(install: Install) -> list[Path]:
    return [install.real / path for path in install.files if safe(path)]


def _at(site: Site, wanted: Mapping[str, Print]) -> set[Path]:
    return {site.base / path for path in wanted}


def _leaving(moved: Install | None) -> tuple[Action, ...]:
    if moved is None:
        return ()
    actions = plan({}, moved.files, scan(moved.real, moved.files), Options(replace=True))
    return tuple(replace(each, save=Save.NOTHING) for each in actions)


def _aside(path: Path) -> Aside:
    look = fingerprint(path)
    if look is None:
        raise RelayError("file.missing", f"{path} went away while it was looked at.", exit=Exit.FAILED)
    return Aside(path, look)


def _tokens(host: Host, obstacles: list[Obstacle], around: Surroundings) -> tuple[Mapping[str, str], ...]:
    client = around.environ.get(host.VARIABLE, "")
    return tuple({**each.token, "client": client} for each in obstacles if each.token and each.movable)


def _refusal(site: Site, action: Action) -> str:
    path = site.base / action.path
    kind = action.disk.kind.value if action.disk else ""
    return {
        "other": f"{path} is no file, and a file of the package belongs there.",
        "blocked": f"{path} cannot be written: a folder on the way to it is a link or a file.",
    }.get(kind, f"{path} is there already and was not written by this program.")
