"""verify: the installed files are what we wrote, alike for every host, and Gemini has no relay skill."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from knowzcode_relay.errors import RelayError
from knowzcode_relay.hosts import HOSTS, PACKAGES, gemini
from knowzcode_relay.hosts.base import Registration
from knowzcode_relay.hosts.surroundings import Surroundings
from knowzcode_relay.install import journal, manifest
from knowzcode_relay.install.manifest import Install, Manifest, safe
from knowzcode_relay.install.plan import Kind, Print
from knowzcode_relay.install.request import with_additions
from knowzcode_relay.install.scan import scan


@dataclass(frozen=True)
class Difference:
    """`subject` is a platform, or what else was looked at."""

    subject: str
    path: str
    problem: str


@dataclass(frozen=True)
class Verified:
    """`gemini_asked` says whether the client itself was there to be asked."""

    installs: tuple[Install, ...]
    differences: tuple[Difference, ...]
    gemini_asked: bool


def verify(names: tuple[str, ...], named: bool, project: Path, around: Surroundings) -> Verified:
    """Compare without changing anything; `named`: each of `names` must be installed."""
    recorded = manifest.load(around.data).changeable()
    installs = tuple(each for each in recorded.installs if each.site.platform in with_additions(names))
    found = [*_interrupted(around), *_absent(names if named else (), recorded)]
    for each in installs:
        found += [*_files(each), *_registration(each, around)]
    found += _mirrors(installs)
    listed = gemini.listed(project, around)
    texts = gemini.relay_texts(project, around)
    found += [Difference(gemini.NAME, str(path), "a relay skill or text that Gemini reads") for path in texts]
    found += [Difference(gemini.NAME, name, "a relay skill that gemini lists") for name in listed or ()]
    return Verified(installs, tuple(found), listed is not None)


def _interrupted(around: Surroundings) -> Iterator[Difference]:
    if found := journal.load(around.data):
        problem = f"an interrupted {found.verb}, which the next install, upgrade or uninstall ends"
        yield Difference("change", str(around.data / journal.NAME), problem)


def _absent(names: tuple[str, ...], recorded: Manifest) -> Iterator[Difference]:
    there = {each.site.platform for each in recorded.installs}
    for name in names:
        if name not in there:
            yield Difference(name, "", "not installed")


def _files(install: Install) -> Iterator[Difference]:
    name, site = install.site.platform, install.site
    if site.base.resolve() != install.real:
        yield Difference(name, str(site.base), f"now {site.base.resolve()}, and was {install.real}")
        return
    if odd := [path for path in install.files if not safe(path)]:
        yield from (Difference(name, path, "recorded, but no path below the install") for path in odd)
    known = {path: each.written for path, each in install.files.items() if safe(path)}
    on_disk = scan(install.real, known)
    for path, look in known.items():
        if problem := _problem(look, on_disk.get(path)):
            yield Difference(name, str(install.real / path), problem)


def _problem(wrote: Print, found: Print | None) -> str:
    if found is None:
        return "missing"
    if found.kind is not Kind.FILE:
        words = {Kind.LINK: "a link", Kind.OTHER: "no file", Kind.BLOCKED: "behind a link or a file"}
        return words[found.kind]
    if not found.same_bytes(wrote):
        return "changed"
    return "" if found.mode == wrote.mode else f"mode {found.mode:o}, written {wrote.mode:o}"


def _registration(install: Install, around: Surroundings) -> Iterator[Difference]:
    name = install.site.platform
    try:
        state = PACKAGES[name].registration(install.site, around)
    except RelayError as error:
        yield Difference(name, str(install.site.root), error.message)
        return
    if state in (Registration.ABSENT, Registration.DISABLED):
        yield Difference(name, str(install.site.root), f"{state.value} in the client's settings")


def _mirrors(installs: tuple[Install, ...]) -> Iterator[Difference]:
    """Files that every package must have alike. What differs from its record is reported elsewhere."""
    if len({each.version for each in installs}) > 1:
        versions = ", ".join(f"{each.site.platform} {each.version}" for each in installs)
        yield Difference("mirrors", "", f"the installed versions differ: {versions}")
        return
    hosts = [_neutral(each) for each in installs if each.site.platform in HOSTS]
    # An addition has no skills, so of what the others share it has the runtime alone.
    pairs = [(hosts[0], other, hosts[0].keys() | other.keys()) for other in hosts[1:]]
    added = [_neutral(each) for each in installs if each.site.platform not in HOSTS]
    pairs += [(hosts[0], other, set(other)) for other in added if hosts]
    for first, other, names in pairs:
        for name in sorted(names):
            one, two = first.get(name), other.get(name)
            if one is None or two is None or one[1] != two[1]:
                places = " and ".join(str(each[0]) for each in (one, two) if each)
                yield Difference("mirrors", places, f"{name} is not the same in every package")


def _neutral(install: Install) -> dict[str, tuple[Path, str]]:
    host, before = PACKAGES[install.site.platform], install.site.inside("")
    found: dict[str, tuple[Path, str]] = {}
    for path, each in install.files.items():
        if name := host.neutral(path.removeprefix(before)):
            found[name] = (install.real / path, each.written.sha256)
    return found
