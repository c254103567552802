"""The system's process table: /proc on Linux, `ps` on other Unix systems."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Protocol

_ENVIRON_LIMIT = 4 * 1024 * 1024
_PS_SECONDS = 10


@dataclass(frozen=True)
class Entry:
    """One process. `ended`: only its exit status is left. `start` differs when a pid is used again."""

    pid: int
    ppid: int
    pgid: int
    ended: bool
    start: str


class Table(Protocol):
    """How to look at processes on one kind of system."""

    def one(self, pid: int) -> Entry | None:
        """The entry of `pid`, or None."""
        ...

    def all(self) -> list[Entry]:
        """Every process that this user can see."""
        ...

    def carriers(self, name: str, value: str) -> set[int]:
        """The pids that were started with `name=value` in their environment, as far as it can be read."""
        ...

    def same_view(self, start: str) -> bool:
        """False when `start` comes from a pid namespace of this boot whose processes we may not see."""
        ...


class Proc:
    """Linux. A start is boot id, pid namespace and clock ticks since the boot."""

    def one(self, pid: int) -> Entry | None:
        try:
            with open(f"/proc/{pid}/stat", "rb") as handle:
                text = handle.read()
        except OSError:
            return None
        fields = text[text.rindex(b")") + 2 :].split()  # the name before it may hold spaces and parentheses
        start = f"{_boot()}/{_namespace()}/{int(fields[19])}"
        return Entry(pid, int(fields[1]), int(fields[2]), fields[0] in (b"Z", b"X"), start)

    def all(self) -> list[Entry]:
        return [entry for entry in map(self.one, self._pids()) if entry is not None]

    def carriers(self, name: str, value: str) -> set[int]:
        wanted = f"{name}={value}".encode()
        found: set[int] = set()
        for pid in self._pids():
            try:
                with open(f"/proc/{pid}/environ", "rb") as handle:
                    if wanted in handle.read(_ENVIRON_LIMIT).split(b"\0"):
                        found.add(pid)
            except OSError:  # ended meanwhile, or another user's
                continue
        return found

    def same_view(self, start: str) -> bool:
        boot, _, rest = start.partition("/")
        return boot != _boot() or rest.partition("/")[0] == _namespace()

    def _pids(self) -> Iterator[int]:
        return (int(name) for name in os.listdir("/proc") if name.isdigit())  # noqa: PTH208  it is looked at often


class Ps:
    """macOS and the BSDs. A start is what `ps` prints as lstart."""

    def one(self, pid: int) -> Entry | None:
        return next((entry for entry in self._entries("-p", str(pid)) if entry.pid == pid), None)

    def all(self) -> list[Entry]:
        return self._entries("-A")

    def carriers(self, name: str, value: str) -> set[int]:
        wanted = f"{name}={value}".encode()
        lines = (line.split() for line in _ps("axeww", "-o", "pid=,command=").splitlines())
        return {int(words[0]) for words in lines if wanted in words}

    def same_view(self, start: str) -> bool:
        return bool(start)

    def _entries(self, *which: str) -> list[Entry]:
        found: list[Entry] = []
        for line in _ps(*which, "-o", "pid=,ppid=,pgid=,stat=,lstart=").splitlines():
            fields = line.split(None, 4)
            if len(fields) == 5:
                start = fields[4].decode("ascii", "replace").strip()
                ended = fields[3].startswith(b"Z")
                found.append(Entry(int(fields[0]), int(fields[1]), int(fields[2]), ended, start))
        return found


TABLE: Table = Proc() if sys.platform.startswith("linux") else Ps()


@lru_cache(maxsize=1)
def _boot() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return "-"


@lru_cache(maxsize=1)
def _namespace() -> str:
    try:
        return os.readlink("/proc/self/ns/pid").strip("pid:[]")  # noqa: PTH115  a value, not a path
    except OSError:
        return "-"


def _ps(*words: str) -> bytes:
    try:
        return subprocess.run(
            ["ps", *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_PS_SECONDS,
            env={**os.environ, "LC_ALL": "C", "TZ": "UTC"},
            check=False,
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return b""
