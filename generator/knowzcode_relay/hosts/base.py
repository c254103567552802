"""What every host module offers, and the answers that several hosts share."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from knowzcode_relay.hosts.surroundings import Surroundings
from knowzcode_relay.package import File, Package

USER = "user"
PROJECT = "project"


@dataclass(frozen=True)
class Site:
    """One place for one package: its files lie at `base`/`prefix`, and nothing outside `base` is written.

    `in_place` says that the client runs `base`/`prefix` as it is, so it must change in one step.
    """

    platform: str
    scope: str
    kind: str
    base: Path
    prefix: str = ""
    in_place: bool = False

    @property
    def root(self) -> Path:
        return self.base / self.prefix if self.prefix else self.base

    def inside(self, path: str) -> str:
        """Where the package's file `path` lies, relative to `base`."""
        return f"{self.prefix}/{path}" if self.prefix else path


@dataclass(frozen=True)
class Obstacle:
    """Something of the user's that has our name: a file to set aside, or what the client must displace."""

    message: str
    path: Path | None = None
    token: Mapping[str, str] = field(default_factory=dict[str, str])
    movable: bool = True


class Registration(StrEnum):
    """What the client's own registry says about a site."""

    NOT_NEEDED = "not-needed"
    REGISTERED = "registered"
    DISABLED = "disabled"
    ABSENT = "absent"


class Host(Protocol):
    NAME: str  # what a site calls it
    PLATFORM: str  # the client that reads it, as the user names it
    PACKAGE: str  # the name of the package
    DIST: str  # the package's root below dist/
    INDEX: str  # the package's index, relative to that root
    RUNTIME: str  # the folder of relay.py, relative to that root
    USE: str  # how a person starts a relay there
    VARIABLE: str  # moves the client's settings folder; its value tells one configuration from another

    def settings_folder(self, around: Surroundings) -> Path:
        """The folder of the client's settings."""
        ...

    def refusal(self, scope: str) -> str:
        """Why nothing can be installed in this scope; empty where it can."""
        ...

    def sites(self, scope: str, project: Path, around: Surroundings) -> tuple[Site, ...]:
        """Every place that this host may have a package in, the preferred one first."""
        ...

    def choose(self, sites: tuple[Site, ...], recorded: Collection[Site], around: Surroundings) -> Site:
        """The one of `sites` to install into, given those that a package is recorded in."""
        ...

    def extra_files(self, site: Site, package: Package, beside: Collection[str]) -> tuple[File, ...]:
        """Files beside the package that the site needs, relative to its base.

        `beside` names the additions that lie, or are about to lie, at the same base.
        """
        ...

    def check(self, site: Site, around: Surroundings) -> None:
        """RelayError (exit 3) where a file of the client's is malformed or the client is missing."""
        ...

    def obstacles(self, site: Site, package: Package, around: Surroundings) -> tuple[Obstacle, ...]:
        """What has our names and was not put there through `site`."""
        ...

    def notices(self, site: Site, project: Path, around: Surroundings) -> tuple[str, ...]:
        """What the user should know about this site, one sentence each: shadowing copies, leaks."""
        ...

    def registration(self, site: Site, around: Surroundings) -> Registration:
        """What the client's files say, whatever its messages said."""
        ...

    def register(self, site: Site, version: str, around: Surroundings) -> None:
        """Make the client load the site; RelayError (exit 1) when its files do not show that it will."""
        ...

    def unregister(self, site: Site, around: Surroundings) -> None:
        """Make the client forget the site and delete what it leaves of ours."""
        ...

    def displace(self, token: Mapping[str, str], around: Surroundings) -> None:
        """Take an obstacle out of the way through the client or its settings."""
        ...

    def give_back(self, token: Mapping[str, str], around: Surroundings) -> None:
        """Undo `displace`; what the user changed since then stays."""
        ...

    def neutral(self, path: str) -> str:
        """The name that the package's file `path` has in every package, or empty: the mirrors."""
        ...


def no_extra_files(site: Site, package: Package, beside: Collection[str]) -> tuple[File, ...]:  # noqa: ARG001  the contract's shape
    return ()


def first(sites: tuple[Site, ...], recorded: Collection[Site], around: Surroundings) -> Site:  # noqa: ARG001
    return sites[0]


def not_needed(site: Site, around: Surroundings) -> Registration:  # noqa: ARG001
    return Registration.NOT_NEEDED


def no_register(site: Site, version: str, around: Surroundings) -> None:
    """A host that finds its skills by itself has nothing to register."""


def no_unregister(site: Site, around: Surroundings) -> None:
    """A host that finds its skills by itself has nothing to forget."""


def skill_names(package: Package) -> frozenset[str]:
    """The folder names of the package's skills."""
    parts = (file.path.split("/") for file in package.files if file.path.endswith("/SKILL.md"))
    return frozenset(words[-2] for words in parts)
