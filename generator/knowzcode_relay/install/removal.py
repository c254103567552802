"""Take installs away: what we wrote and still matches goes, what was there before us comes back."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from knowzcode_relay.hosts import PACKAGES
from knowzcode_relay.hosts.surroundings import Surroundings
from knowzcode_relay.install import bytecode, content, manifest
from knowzcode_relay.install.backup import Backups
from knowzcode_relay.install.journal import Journal
from knowzcode_relay.install.manifest import Install, safe
from knowzcode_relay.install.plan import Act, Action, Kind, Options, Save, plan
from knowzcode_relay.install.scan import fingerprint, scan


def remove_all(journal: Journal, around: Surroundings) -> tuple[str, ...]:
    """Remove every install that the journal names. It can be run again after a crash at any point."""
    said: list[str] = []
    for site, client in journal.removing:
        current = manifest.load(around.data)
        install = current.find(site)
        if install is None:
            continue
        left, words = _leave_client(install, client, around)
        said += words
        if left.clients:
            manifest.save(around.data, current.with_install(left))
            continue
        said += _remove_files(install, journal.replace, around)
        manifest.save(around.data, current.without(site))
    rest = manifest.load(around.data)
    Backups(around.data).prune(rest.originals())
    if not rest.installs:
        bytecode.remove_all(around.environ)
    return tuple(said)


def leftovers(install: Install, replace_edited: bool) -> tuple[Action, ...]:
    """What removing an install would do to each of its files."""
    paths = {path: each for path, each in install.files.items() if safe(path)}
    return plan({}, paths, scan(install.real, paths), Options(replace_edited))


def _leave_client(install: Install, client: str, around: Surroundings) -> tuple[Install, list[str]]:
    host = PACKAGES[install.site.platform]
    local = around.setting(host.VARIABLE, client)
    host.unregister(install.site, local)
    mine = [each for each in install.displaced if each.get("client", "") == client]
    for token in mine:
        host.give_back(token, local)
    here = host.settings_folder(local)
    others = tuple(
        each
        for each in install.clients
        if install.site.in_place and host.settings_folder(around.setting(host.VARIABLE, each)) != here
    )
    said = [f"{install.site.root} stays for other settings folders."] if others else []
    rest = tuple(each for each in install.displaced if each not in mine)
    return replace(install, clients=others, displaced=rest), said


def _remove_files(install: Install, replace_edited: bool, around: Surroundings) -> list[str]:
    backups, said = Backups(around.data), list[str]()
    for path in install.files:
        if not safe(path):
            said.append(
                f"The manifest names {path!r}, which is no path below {install.site.base}; it is left."
            )
    for action in leftovers(install, replace_edited):
        place = install.real / action.path
        if action.disk is None or action.disk.kind is not Kind.BLOCKED:
            content.remove_staged(place)
        if action.act is Act.KEEP and action.disk is not None:
            why = "changed since" if action.disk.kind is not Kind.BLOCKED else "behind a link or a file"
            said.append(f"{place} is {why} and is left.")
        elif action.changes:
            said += _take_away(action, place, install, backups)
    for aside in install.aside:
        said += _give_back(aside, backups)
    bytecode.remove(
        install.real / install.site.inside(PACKAGES[install.site.platform].RUNTIME), around.environ
    )
    content.remove_empty(install.made)
    return said


def _take_away(action: Action, place: Path, install: Install, backups: Backups) -> list[str]:
    said: list[str] = []
    if action.save is Save.EDIT and action.disk is not None:
        kept = backups.keep(place, action.disk, f"{install.site.platform}/{action.path}")
        said.append(f"Your edited {place} is kept as {kept}.")
    if action.after is None:
        content.remove(place)
    else:
        content.write(place, backups.get(action.after), action.after)
        said.append(f"{place} is again what it was before the install.")
    return said


def _give_back(aside: manifest.Aside, backups: Backups) -> list[str]:
    content.remove_staged(aside.path)
    now = fingerprint(aside.path)
    if now is None and aside.path.is_absolute() and ".." not in aside.path.parts:
        content.write(aside.path, backups.get(aside.look), aside.look)
        return [f"{aside.path} is again what it was before the install."]
    if now is not None and now.same_bytes(aside.look):
        return []
    kept = backups.keep_data(backups.get(aside.look), aside.look, f"aside/{aside.path.name}")
    return [f"{aside.path} is there again, so what was moved aside is kept as {kept}."]


def refused(install: Install) -> Mapping[str, str]:
    """The files of an install that removing must not touch, with the reason."""
    odd = {path: "is no path below the install" for path in install.files if not safe(path)}
    blocked = {
        action.path: "lies behind a link or a file"
        for action in leftovers(install, False)
        if action.disk is not None and action.disk.kind is Kind.BLOCKED
    }
    return {**odd, **blocked}
