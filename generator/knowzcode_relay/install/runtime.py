"""Which copy of the runtime answers for a program that has no host around it."""

from collections.abc import Iterable
from pathlib import Path

from knowzcode_relay import __version__, assets
from knowzcode_relay.hosts import HOSTS, PACKAGES
from knowzcode_relay.install.manifest import Install


def place(install: Install) -> Path:
    """Where the runtime of an install is."""
    return install.site.root / PACKAGES[install.site.platform].RUNTIME / "relay.py"


def identity(name: str) -> dict[str, object]:
    """How an answer names the package that a site or record calls `name`."""
    known = PACKAGES.get(name)
    return (
        {"package": known.PACKAGE, "platform": known.PLATFORM}
        if known
        else {"package": name, "platform": name}
    )


def installed(installs: Iterable[Install]) -> Path:
    """The first one that is there, else the one that this program carries."""
    return next((path for path in map(place, installs) if path.is_file()), carried())


def of_this_version(installs: Iterable[Install]) -> Path:
    """An installed one of this version, which stays when this program goes; else the carried one."""
    return installed(each for each in installs if each.version == __version__)


def carried() -> Path:
    host = next(iter(HOSTS.values()))
    return assets.rendered() / host.DIST / host.RUNTIME / "relay.py"
