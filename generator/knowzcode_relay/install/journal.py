"""What a running change is about to do, written down before it does it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from knowzcode_relay.errors import Exit, RelayError
from knowzcode_relay.fs import write_atomic
from knowzcode_relay.hosts.base import Site
from knowzcode_relay.install import manifest
from knowzcode_relay.install.manifest import Manifest
from knowzcode_relay.install.plan import Print
from knowzcode_relay.install.records import (
    dump_print,
    dump_site,
    dump_tokens,
    parse_print,
    parse_site,
    parse_tokens,
)

SCHEMA = 1
NAME = "journal.json"


@dataclass(frozen=True)
class Write:
    """Put `after` where `before` lies; None is nothing."""

    path: Path
    before: Print | None
    after: Print | None


@dataclass(frozen=True)
class Swap:
    """Put the folder `staged`, made of `files`, in the place of `live`; what it replaces becomes `old`."""

    live: Path
    staged: Path
    old: Path
    replaces: bool
    files: Mapping[str, Print]


@dataclass(frozen=True)
class Register:
    """Make the client load the site. `client` is the value of the host's variable."""

    site: Site
    client: str
    version: str
    was_registered: bool
    displaced: tuple[Mapping[str, str], ...]


Step = Write | Swap | Register


@dataclass(frozen=True)
class Journal:
    """One change. It is undone after a crash unless `committed`; a removal is finished."""

    verb: str
    steps: tuple[Step, ...]
    made: tuple[str, ...]
    before: Manifest
    after: Manifest
    committed: bool = False
    removing: tuple[tuple[Site, str], ...] = ()
    replace: bool = False


def save(data: Path, journal: Journal) -> None:
    """Write the journal in one step."""
    record = {
        "schema": SCHEMA,
        "verb": journal.verb,
        "committed": journal.committed,
        "replace": journal.replace,
        "made": list(journal.made),
        "before": manifest.dump(journal.before),
        "after": manifest.dump(journal.after),
        "removing": [{"site": dump_site(site), "client": client} for site, client in journal.removing],
        "steps": [_dump_step(step) for step in journal.steps],
    }
    write_atomic(data / NAME, json.dumps(record).encode())


def load(data: Path) -> Journal | None:
    """The journal of an interrupted change, if any; a damaged one is RelayError (exit 3)."""
    path = data / NAME
    try:
        record: dict[str, Any] = json.loads(path.read_bytes())
        if int(record["schema"]) > SCHEMA:
            raise RelayError(
                "journal.newer",
                f"{path} was written by a newer knowzcode-relay, which must finish it.",
                exit=Exit.HALT,
                hint="Run the newer knowzcode-relay.",
            )
        return Journal(
            verb=str(record["verb"]),
            steps=tuple(_parse_step(each) for each in record["steps"]),
            made=tuple(str(each) for each in record["made"]),
            before=manifest.parse(record["before"]),
            after=manifest.parse(record["after"]),
            committed=bool(record["committed"]),
            removing=tuple((parse_site(each["site"]), str(each["client"])) for each in record["removing"]),
            replace=bool(record["replace"]),
        )
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise RelayError(
            "journal.damaged",
            f"{path} is damaged ({error!r}), so an interrupted change can be neither finished nor undone.",
            exit=Exit.HALT,
            hint="Compare the installed files by hand: knowzcode-relay verify",
        ) from error


def clear(data: Path) -> None:
    """The change is over."""
    (data / NAME).unlink(missing_ok=True)


def _dump_step(step: Step) -> dict[str, Any]:
    if isinstance(step, Write):
        return {
            "do": "write",
            "path": str(step.path),
            "before": _dump_optional(step.before),
            "after": _dump_optional(step.after),
        }
    if isinstance(step, Swap):
        files = {path: dump_print(each) for path, each in step.files.items()}
        places = {"live": str(step.live), "staged": str(step.staged), "old": str(step.old)}
        return {"do": "swap", **places, "replaces": step.replaces, "files": files}
    return {
        "do": "register",
        "site": dump_site(step.site),
        "client": step.client,
        "version": step.version,
        "was_registered": step.was_registered,
        "displaced": dump_tokens(step.displaced),
    }


def _parse_step(record: dict[str, Any]) -> Step:
    if record["do"] == "write":
        return Write(
            Path(record["path"]), _parse_optional(record["before"]), _parse_optional(record["after"])
        )
    if record["do"] == "swap":
        return Swap(
            live=Path(record["live"]),
            staged=Path(record["staged"]),
            old=Path(record["old"]),
            replaces=bool(record["replaces"]),
            files={str(path): parse_print(each) for path, each in record["files"].items()},
        )
    return Register(
        site=parse_site(record["site"]),
        client=str(record["client"]),
        version=str(record["version"]),
        was_registered=bool(record["was_registered"]),
        displaced=parse_tokens(record["displaced"]),
    )


def _dump_optional(look: Print | None) -> dict[str, str] | None:
    return None if look is None else dump_print(look)


def _parse_optional(record: dict[str, Any] | None) -> Print | None:
    return None if record is None else parse_print(record)
