"""The user's bytes that we took the place of: outside every folder that a client scans for skills."""

from collections.abc import Iterable
from pathlib import Path

from knowzcode_relay.errors import Exit, RelayError
from knowzcode_relay.fs import digest, write_atomic
from knowzcode_relay.install import content
from knowzcode_relay.install.plan import Print

_PRIVATE = 0o600


class Backups:
    """`originals/` holds by hash what is given back later; `kept/` by name what only the user takes."""

    def __init__(self, data: Path) -> None:
        self._originals = data / "originals"
        self._kept = data / "kept"

    def put(self, path: Path, look: Print) -> None:
        """Keep what lies at `path` until nothing refers to it any more."""
        place = self._originals / look.sha256
        if not place.exists():
            write_atomic(place, content.read(path, look.kind), mode=_PRIVATE)

    def get(self, look: Print) -> bytes:
        """What `put` kept; a missing or changed copy is RelayError (exit 3)."""
        place = self._originals / look.sha256
        try:
            data = place.read_bytes()
        except OSError as error:
            raise RelayError(
                "backup.missing", f"The backup {place} cannot be read: {error.strerror}.", exit=Exit.HALT
            ) from error
        if digest(data) != look.sha256:
            raise RelayError(
                "backup.damaged", f"The backup {place} is not what was put there.", exit=Exit.HALT
            )
        return data

    def keep(self, path: Path, look: Print, name: str) -> Path:
        """Copy what lies at `path` for the user under a name that no earlier copy has; gives the copy."""
        return self.keep_data(content.read(path, look.kind), look, name)

    def keep_data(self, data: bytes, look: Print, name: str) -> Path:
        """The same for bytes that lie nowhere else."""
        number = 0
        while True:
            place = self._kept / (f"{name}.{number}" if number else name)
            if not place.exists():
                write_atomic(place, data, mode=look.mode or _PRIVATE)
                return place
            if place.is_file() and place.read_bytes() == data:
                return place
            number += 1

    def prune(self, looks: Iterable[Print]) -> None:
        """Remove every original but these."""
        wanted = {look.sha256 for look in looks}
        if self._originals.is_dir():
            for place in self._originals.iterdir():
                if place.name not in wanted:
                    content.remove(place)
            content.remove_empty((str(self._originals),))
