"""The project's configuration file as it was written: which key has which value on which line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from relay_runtime.config.keys import READ
from relay_runtime.config.markdown import Block, Layout, Line, layout
from relay_runtime.config.scalars import Scalar, ScalarError, read_scalar
from relay_runtime.config.shown import shown
from relay_runtime.errors import Exit, RelayError
from relay_runtime.fsio import read_bounded
from relay_runtime.paths import Project

LIMIT = 1024 * 1024

# Compiled when used: most calls of the runtime never read a configuration.
_KEY = r"""(?a)(?:"([^"\\]*)"|'([^']*)'|([A-Za-z_][\w.-]*))[ \t]*:(?=[ \t]|$)"""
_GLUED = r"(?a)([A-Za-z_]\w*):(?=[^\s:/])"
_LOOSE_KEY = r"(?a) {0,3}([A-Za-z_]\w*):(?=[ \t]|$)"
_MENTION = r"""(?a)(?<![\w-])(relay(?:_\w+)?)["']?[ \t]*:"""
_BULLET = r"(?a) {0,3}[-*+][ \t]+[*_`]*(relay\w*)[*_`]*:[*_`]*[ \t]+[^\s|]+"


class Entry(NamedTuple):
    """One `key: value`. `value` is None for null; `start:end` is the value's place in the file's text."""

    key: str
    value: str | None
    line: int
    start: int
    end: int


@dataclass(frozen=True)
class Document:
    """`name` is the file's path below the project. A missing file has no entries.

    `entries` holds the first of equal ones, `repeated` the others: different values are refused.
    """

    name: str
    exists: bool
    entries: Mapping[str, Entry] = field(default_factory=dict[str, Entry])
    repeated: tuple[Entry, ...] = ()
    warnings: tuple[str, ...] = ()


def load(project: Project) -> Document:
    """Read the project's configuration. Unreadable, not UTF-8, or broken in a key of ours: RelayError (3)."""
    path = project.config
    if not path.exists() and not path.is_symlink():
        return missing(project)
    name = missing(project).name
    return parse(decode(read_bounded(path, LIMIT, exit=Exit.HALT), name), name)


def missing(project: Project) -> Document:
    """What a project without the file has: defaults."""
    return Document(project.config.relative_to(project.root).as_posix(), exists=False)


def decode(data: bytes, name: str) -> str:
    """`data` as text that encodes back to the same bytes, stray ones included."""
    if b"\0" in data or data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise RelayError(
            "config.encoding",
            f"{name} is not a UTF-8 text file.",
            exit=Exit.HALT,
            hint="Save it as UTF-8.",
        )
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def parse(text: str, name: str) -> Document:
    return _Reader(name).read(layout(text))


def is_setting(line: str) -> bool:
    """Whether a line of YAML starts with a key, ours or not."""
    return re.match(_KEY, line.lstrip(" ")) is not None


class _Reader:
    def __init__(self, name: str) -> None:
        self._name = name
        self._entries: dict[str, Entry] = {}
        self._repeated: list[Entry] = []
        self._warnings: list[tuple[int, str]] = []

    def read(self, found: Layout) -> Document:
        every = [entry for block in found.blocks for entry in self._block(block)]
        every += self._loose(found.loose)
        for entry in sorted(every, key=lambda entry: entry.line):
            self._add(entry)
        for line in found.untagged:
            key = re.match(_KEY, line.text)
            if key and _name_of(key) in READ:
                self._warn(line, f"{_name_of(key)} is not read: the fence does not say yaml")
        warnings = tuple(text for _, text in sorted(self._warnings))
        return Document(self._name, True, self._entries, tuple(self._repeated), warnings)

    def _block(self, block: Block) -> Iterator[Entry]:
        """Entries of the top level. Nested ones belong to other programs."""
        top: int | None = None
        ours: Entry | None = None
        for line in block.lines:
            bare = line.text.lstrip(" ")
            if not bare.strip() or bare[0] == "#":
                continue
            depth = max(0, len(line.text) - len(bare) - block.indent)
            if ours is not None and top is not None and (depth > top or re.match(r"-(?:[ \t]|$)", bare)):
                raise self._broken(line, ours.key, "the value must stand on the same line")
            key = re.match(_KEY, bare)
            if key is None or (top is not None and depth > top):
                self._not_a_setting(line, bare)
                continue
            top = depth if top is None else top
            name = _name_of(key)
            if depth < top and name in READ:
                raise self._broken(line, name, "it is indented less than the keys above it")
            ours = self._entry(line, name, len(line.text) - len(bare) + key.end())
            if ours is not None:
                yield ours

    def _loose(self, lines: tuple[Line, ...]) -> Iterator[Entry]:
        for line in lines:
            key = re.match(_LOOSE_KEY, line.text)
            entry = self._entry(line, key[1], key.end()) if key else None
            if entry is not None:
                yield entry
            bullet = re.fullmatch(_BULLET, line.text.rstrip())
            if bullet and bullet[1] in READ:
                self._warn(line, f"{bullet[1]} is not read: it stands in a list, not in a yaml fence")

    def _entry(self, line: Line, key: str, colon: int) -> Entry | None:
        if key not in READ:
            if re.match(r"relay[_-]\w", key, re.IGNORECASE) or key.lower() == "relay":
                self._warn(line, _unknown(key))
            return None
        try:
            scalar = read_scalar(line.text, colon)
        except ScalarError as error:
            raise self._broken(line, key, str(error)) from error
        self._check_text(line, key, scalar)
        return Entry(key, scalar.value, line.number, line.start + scalar.start, line.start + scalar.end)

    def _check_text(self, line: Line, key: str, scalar: Scalar) -> None:
        if scalar.value and any("\ud800" <= letter <= "\udfff" for letter in scalar.value):
            raise self._broken(line, key, "the value is not UTF-8")

    def _not_a_setting(self, line: Line, bare: str) -> None:
        if bare[0] == "\t" and (key := re.match(_KEY, bare.strip())) and _name_of(key) in READ:
            raise self._broken(line, _name_of(key), "YAML forbids tabs at the start of a line")
        glued = re.match(_GLUED, bare)
        if glued and glued[1] in READ:
            raise self._broken(line, glued[1], "a space must follow the colon")
        mention = re.search(_MENTION, bare)
        if mention and mention[1] in READ:
            self._warn(line, f"{mention[1]} is not read: it is not at the top level of the block")

    def _add(self, entry: Entry) -> None:
        first = self._entries.setdefault(entry.key, entry)
        if first is entry:
            return
        if first.value != entry.value:
            raise RelayError(
                "config.conflict",
                f"{self._name} sets {entry.key} twice: line {first.line} says {_shown(first)}, "
                f"line {entry.line} says {_shown(entry)}.",
                exit=Exit.HALT,
                hint="Keep one of the two lines.",
            )
        self._repeated.append(entry)

    def _broken(self, line: Line, key: str, why: str) -> RelayError:
        return RelayError(
            "config.yaml", f"{self._name}:{line.number}: {key} cannot be read: {why}.", exit=Exit.HALT
        )

    def _warn(self, line: Line, what: str) -> None:
        self._warnings.append((line.number, f"{self._name}:{line.number}: {what}."))


def _name_of(key: re.Match[str]) -> str:
    return key[1] or key[2] or key[3] or ""


def _shown(entry: Entry) -> str:
    return "nothing" if entry.value is None else repr(entry.value[:80])


def _unknown(key: str) -> str:
    from difflib import get_close_matches  # only a file with a mistake pays for it

    close = get_close_matches(key.lower().replace("-", "_"), sorted(READ), n=1, cutoff=0.75)
    return f"{shown(key)} is no setting" + (f"; {close[0]} is one" if close else "")
