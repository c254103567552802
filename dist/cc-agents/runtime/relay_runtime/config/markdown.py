"""Which lines of a Markdown file hold settings.

Fences and comments follow CommonMark. Read are the lines of every fence whose language is yaml or yml
(backticks or tildes), and loose `key: value` lines of the text itself, indented by at most three spaces.
Not read: fences of another language or of none, fences inside another fence, anything indented by four
spaces or more outside a fence, and HTML comments that start a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

# Patterns are compiled when they are used: most calls of the runtime never read a configuration.
_LINE = r"([^\r\n]*)(\r\n|\n|\r|\Z)"
_FENCE = r"( {0,3})(`{3,}|~{3,})[ \t]*(.*)"
_COMMENT = r" {0,3}<!--"
_LANGUAGES = ("yaml", "yml")


class Line(NamedTuple):
    """`number` counts from 1; `start` is the offset of its text in the file's."""

    number: int
    start: int
    text: str


class Block(NamedTuple):
    """The inside of one YAML fence. `end` is the offset of its closing line, or of the file's end."""

    lines: tuple[Line, ...]
    indent: int
    end: int


class Layout(NamedTuple):
    """`untagged` are lines in fences without a language; `left_open` is the line of what is never closed."""

    blocks: tuple[Block, ...]
    loose: tuple[Line, ...]
    untagged: tuple[Line, ...]
    left_open: int | None


def split_lines(text: str) -> Iterator[Line]:
    """Lines end at LF, CRLF or CR and nowhere else; a byte order mark belongs to no line."""
    start = 1 if text.startswith("\ufeff") else 0
    for number, match in enumerate(re.compile(_LINE).finditer(text, start), 1):
        if match.start() < len(text) or number == 1:
            yield Line(number, match.start(), match[1])


def layout(text: str) -> Layout:
    blocks: list[Block] = []
    loose: list[Line] = []
    untagged: list[Line] = []
    left_open: int | None = None
    lines = split_lines(text)
    for line in lines:
        if re.match(_COMMENT, line.text):
            if not _skip_comment(line, lines):
                left_open = line.number
            continue
        fence = re.fullmatch(_FENCE, line.text)
        if fence is None or ("`" in fence[2] and "`" in fence[3]):
            loose.append(line)
            continue
        inside, end = _inside(lines, fence[2])
        words = fence[3].split()
        if words and words[0].lower() in _LANGUAGES:
            blocks.append(Block(inside, len(fence[1]), len(text) if end is None else end))
        if end is None:
            left_open = line.number
        if not words:
            untagged.extend(inside)
    return Layout(tuple(blocks), tuple(loose), tuple(untagged), left_open)


def _skip_comment(first: Line, lines: Iterator[Line]) -> bool:
    """Go past the line that ends the comment; False when there is none."""
    rest = first.text.partition("<!--")[2]
    while "-->" not in rest:
        line = next(lines, None)
        if line is None:
            return False
        rest = line.text
    return True


def _inside(lines: Iterator[Line], fence: str) -> tuple[tuple[Line, ...], int | None]:
    """The lines up to the closing fence, and that one's offset or None."""
    closing = re.compile(rf" {{0,3}}{re.escape(fence[0])}{{{len(fence)},}}[ \t]*")
    inside: list[Line] = []
    for line in lines:
        if closing.fullmatch(line.text):
            return tuple(inside), line.start
        inside.append(line)
    return tuple(inside), None
