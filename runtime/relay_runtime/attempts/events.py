"""Read a growing JSONL file by byte offset: the cost follows the news, not the size of the file."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import IO, cast

Event = Mapping[str, object]
"""One record of a stream. Every field may be missing or of any kind: read it with the functions below."""

LINE_LIMIT = 8 * 1024 * 1024
_CHUNK = 64 * 1024
_BOM = b"\xef\xbb\xbf"
_ANSI = re.compile(rb"\x1b\[[0-9;?]*[ -/]*[@-~]")


class LogReader:
    """Gives each JSON object of a file once.

    `offset` is where the first line begins that was not given yet: a later reader can start there. `junk`
    counts lines that were no JSON object. A line that starts with a key of `brief` is given as the object
    beside it, unread.
    """

    def __init__(self, path: Path, offset: int = 0, brief: Mapping[bytes, Event] | None = None) -> None:
        self.path = path
        self.offset = offset
        self.junk = 0
        self._brief = brief or {}
        self._partial = bytearray()
        self._skipping = False  # inside a line that is longer than LINE_LIMIT

    def grew(self) -> bool:
        """Whether the file holds bytes that were not read yet."""
        try:
            return self.path.stat().st_size > self.offset + len(self._partial)
        except OSError:
            return False

    def news(self) -> Generator[Event, None, None]:
        """Every object of a line that is complete by now. A missing file has none."""
        try:
            handle = self.path.open("rb")
        except FileNotFoundError:
            return
        with handle:
            handle.seek(self.offset + len(self._partial))
            yield from self._lines(handle)

    def rest(self) -> Generator[Event, None, None]:
        """The news, and then the last line if it is a whole object that only lacks its newline."""
        yield from self.news()
        line, self._partial = bytes(self._partial), bytearray()
        self.offset += len(line)
        if line.strip():
            yield from self._parse(line)

    def _lines(self, handle: IO[bytes]) -> Generator[Event, None, None]:
        while chunk := handle.read(_CHUNK):
            *whole, partial = chunk.split(b"\n")
            for line in whole:
                yield from self._end_of_line(line)
            self._partial += partial
            if len(self._partial) > LINE_LIMIT:
                self.offset += len(self._partial)
                self._partial.clear()
                self._skipping = True

    def _end_of_line(self, end: bytes) -> Generator[Event, None, None]:
        self.offset += len(self._partial) + len(end) + 1
        if self._skipping:
            self._partial.clear()
            self._skipping = False
            self.junk += 1
            return
        if self._partial:
            self._partial += end
            end = bytes(self._partial)
            self._partial.clear()
        yield from self._parse(end)

    def _parse(self, line: bytes) -> Generator[Event, None, None]:
        for start, event in self._brief.items():
            if line.startswith(start):
                yield event
                return
        text = (line[3:] if line.startswith(_BOM) else line).strip()
        if not text:
            return
        value = _object(text) or _object(_ANSI.sub(b"", text))
        if value is None:
            self.junk += 1
        else:
            yield value


def _object(text: bytes) -> Event | None:
    if not text.startswith(b"{"):
        return None
    try:
        value: object = json.loads(text.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, object]", value) if isinstance(value, dict) else None


def text(event: Event, key: str) -> str:
    """The field as text, empty when it is none."""
    value = event.get(key)
    return value if isinstance(value, str) else ""


def number(event: Event, key: str) -> int:
    """The field as a whole number, 0 when it is none."""
    value = event.get(key)
    return int(value) if isinstance(value, (int, float)) else 0


def child(event: Event, key: str) -> Event:
    """The field as an object, empty when it is none."""
    value = event.get(key)
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def children(event: Event, key: str) -> list[Event]:
    """The objects in the field's list."""
    value = event.get(key)
    found = cast("list[object]", value) if isinstance(value, list) else []
    return [cast("dict[str, object]", one) for one in found if isinstance(one, dict)]


def texts(event: Event, key: str) -> list[str]:
    """The texts in the field's list."""
    value = event.get(key)
    found = cast("list[object]", value) if isinstance(value, list) else []
    return [one for one in found if isinstance(one, str)]
