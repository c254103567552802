"""The frame around every change: our data folder locked, an interrupted change ended, nothing left behind."""

import contextlib
from collections.abc import Generator
from dataclasses import dataclass

from knowzcode_relay.errors import Exit, RelayError
from knowzcode_relay.hosts.surroundings import Surroundings
from knowzcode_relay.install import content, journal, lock, manifest, recover
from knowzcode_relay.install.manifest import Manifest


@dataclass(frozen=True)
class Session:
    """`made` are the data folders that did not exist before; `said` tells of an interrupted change."""

    manifest: Manifest
    made: tuple[str, ...]
    said: tuple[str, ...]


@contextlib.contextmanager
def change(around: Surroundings, verb: str) -> Generator[Session]:
    """Hold the lock for a change. Data folders that end up empty go again."""
    made = content.missing_parents([around.data / lock.NAME])
    before: tuple[str, ...] = ()
    try:
        with lock.exclusive(around.data, verb):
            for staged in around.data.glob(".*.tmp"):  # of a writer that was killed; we hold the lock
                content.remove(staged)
            said = recover.recover(around)
            current = manifest.load(around.data).changeable()
            recover.tidy(current, around)  # what a change left that was killed before its journal was written
            before = current.made
            yield Session(current, made, said)
    except OSError as error:
        raise RelayError(
            "disk.refused",
            f"{error.filename or around.data} cannot be changed: {error.strerror or error}.",
            exit=Exit.HALT,
            hint="Everything was undone, or the next change does so: knowzcode-relay status",
        ) from error
    finally:
        content.remove_empty((*made, *before, str(around.data)))


def look(around: Surroundings) -> Session:
    """The same for a preview, which writes nothing and so cannot end an interrupted change."""
    if found := journal.load(around.data):
        raise RelayError(
            "change.interrupted",
            f"An interrupted {found.verb} was found, so a preview would show a tree that is about to change.",
            exit=Exit.CONFLICT,
            hint="Run the command without --dry-run and --diff; it ends the interrupted one first.",
        )
    return Session(manifest.load(around.data).changeable(), (), ())
