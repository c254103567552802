"""Programs that only record how they were called: the fake `kc-relay`, also under other names."""

import shutil
from dataclasses import dataclass
from pathlib import Path

FAKE = Path(__file__).resolve().parents[1] / "fakes" / "observed" / "kc-relay"


@dataclass(frozen=True)
class Observed:
    """One call of a recording program."""

    name: str
    words: tuple[str, ...]
    stdin: str


def place(folder: Path, *names: str) -> Path:
    """Put the recording program into `folder` as `kc-relay` and under `names`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("kc-relay", *names):
        shutil.copy(FAKE, folder / name)
    return folder


def calls(log: Path) -> list[Observed]:
    """The calls recorded in `log`, oldest first; none when it does not exist."""
    found: list[Observed] = []
    fields = log.read_bytes().decode().split("\0")[:-1] if log.exists() else []
    while fields:
        name, count = fields[0], int(fields[1])
        found.append(Observed(name, tuple(fields[2 : 2 + count]), fields[2 + count]))
        del fields[: 3 + count]
    return found
