"""The ownership manifest: every install, with the hash of each file that we wrote."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any, cast

from knowzcode_relay.errors import Exit, RelayError
from knowzcode_relay.fs import write_atomic
from knowzcode_relay.hosts.base import Site
from knowzcode_relay.install.plan import Print, Recorded
from knowzcode_relay.install.records import (
    dump_print,
    dump_site,
    dump_tokens,
    parse_print,
    parse_site,
    parse_tokens,
)

SCHEMA = 1
NAME = "manifest.json"
APPLYING = "applying"
APPLIED = "applied"


@dataclass(frozen=True)
class Aside:
    """A file of the user's that we moved out of the way, to be given back at uninstall."""

    path: Path
    look: Print


@dataclass(frozen=True)
class Install:
    """`real` is where `base` really lay when we wrote there; `made` the folders that we created, as paths.

    `clients` are the values of the host's variable under which the site was installed. `displaced` is what
    the host must give back at uninstall.
    """

    site: Site
    real: Path
    version: str
    state: str
    files: Mapping[str, Recorded]
    made: tuple[str, ...] = ()
    clients: tuple[str, ...] = ()
    aside: tuple[Aside, ...] = ()
    displaced: tuple[Mapping[str, str], ...] = ()

    def same_place(self, site: Site) -> bool:
        return (self.site.platform, self.site.scope, self.site.base) == (site.platform, site.scope, site.base)


@dataclass(frozen=True)
class Manifest:
    """`newer` holds the schema number of a manifest that this program only lists; `made` our data folders."""

    installs: tuple[Install, ...] = ()
    made: tuple[str, ...] = ()
    newer: int = 0
    listing: tuple[Mapping[str, str], ...] = field(default=())

    def find(self, site: Site) -> Install | None:
        return next((each for each in self.installs if each.same_place(site)), None)

    def with_install(self, install: Install) -> "Manifest":
        others = self.without(install.site).installs
        return replace(self, installs=tuple(sorted((*others, install), key=_order)))

    def without(self, site: Site) -> "Manifest":
        return replace(self, installs=tuple(each for each in self.installs if not each.same_place(site)))

    def originals(self) -> list[Print]:
        """The backups that uninstalling needs."""
        files = [each.original for one in self.installs for each in one.files.values() if each.original]
        return files + [each.look for one in self.installs for each in one.aside]

    def changeable(self) -> "Manifest":
        """Itself; RelayError (exit 3) where a newer program wrote it."""
        if self.newer:
            raise RelayError(
                "manifest.newer",
                f"The manifest has schema {self.newer} and this program knows {SCHEMA}; it changes nothing.",
                exit=Exit.HALT,
                hint="Use the newer knowzcode-relay.",
            )
        return self


def _order(install: Install) -> tuple[str, str, str]:
    return (install.site.platform, install.site.scope, str(install.site.base))


def load(data: Path) -> Manifest:
    """The manifest in our data folder. Missing is empty; damaged is RelayError (exit 3)."""
    path = data / NAME
    try:
        text = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return Manifest()
    except OSError as error:
        raise _damaged(path, str(error.strerror or error)) from error
    try:
        return parse(json.loads(text))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _damaged(path, str(error) or repr(error)) from error


def save(data: Path, manifest: Manifest) -> None:
    """Write the manifest; an empty one is no file."""
    if manifest.installs:
        write_atomic(data / NAME, (json.dumps(dump(manifest)) + "\n").encode())
    else:
        (data / NAME).unlink(missing_ok=True)


def _damaged(path: Path, reason: str) -> RelayError:
    return RelayError(
        "manifest.damaged",
        f"{path} is damaged ({reason}), so what is ours cannot be told from what is yours.",
        exit=Exit.HALT,
        hint=f"Move {path} away; installed files then count as yours, and --replace takes them over.",
    )


def safe(path: str) -> bool:
    """Whether `path` is a plain relative path that stays below its base."""
    parts = PurePosixPath(path).parts
    plain = "/".join(parts) == path and not any(mark in path for mark in ("\\", "\0"))
    return plain and bool(parts) and ".." not in parts and ":" not in parts[0] and parts[0] != "/"


def dump(manifest: Manifest) -> dict[str, Any]:
    """The manifest as JSON values."""
    return {
        "schema": SCHEMA,
        "made": list(manifest.made),
        "installs": [dump_install(each) for each in manifest.installs],
    }


def dump_install(install: Install) -> dict[str, Any]:
    """One install as JSON values."""
    return {
        **dump_site(install.site),
        "real": str(install.real),
        "version": install.version,
        "state": install.state,
        "clients": list(install.clients),
        "made": list(install.made),
        "aside": [{"path": str(each.path), **dump_print(each.look)} for each in install.aside],
        "displaced": dump_tokens(install.displaced),
        "files": {
            path: {
                **dump_print(each.written),
                **({"original": dump_print(each.original)} if each.original else {}),
            }
            for path, each in sorted(install.files.items())
        },
    }


def parse(record: dict[str, Any]) -> Manifest:
    """Read back what `dump` made; of a newer schema only what lists it."""
    if int(record["schema"]) > SCHEMA:
        wanted = ("platform", "scope", "base", "prefix", "version")
        return Manifest(
            newer=int(record["schema"]),
            listing=tuple(
                {key: str(each.get(key, "")) for key in wanted} for each in record.get("installs", [])
            ),
        )
    return Manifest(
        installs=tuple(parse_install(each) for each in record["installs"]),
        made=tuple(str(each) for each in record["made"]),
    )


def parse_install(record: dict[str, Any]) -> Install:
    """Read back what `dump_install` made."""
    files = cast("dict[str, dict[str, Any]]", record["files"])
    return Install(
        site=parse_site(record),
        real=Path(record["real"]),
        version=str(record["version"]),
        state=str(record["state"]),
        files={
            path: Recorded(parse_print(each), parse_print(each["original"]) if "original" in each else None)
            for path, each in files.items()
        },
        made=tuple(str(each) for each in record["made"]),
        clients=tuple(str(each) for each in record["clients"]),
        aside=tuple(Aside(Path(each["path"]), parse_print(each)) for each in record["aside"]),
        displaced=parse_tokens(record["displaced"]),
    )
