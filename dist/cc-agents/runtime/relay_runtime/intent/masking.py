"""Blank out what a request only quotes: code, quotations and quoted lines.

Every blanked character becomes MASK and every other one keeps its place, so offsets stay true.
The work is linear in the text, whatever the text is.
"""

from __future__ import annotations

import re
from bisect import bisect_right

MASK = "\0"

# Compiled when used: most requests are a line without any of this.
_FENCE = r"[ \t]*(?:[-*+][ \t]+|\d+[.)][ \t]+)?(`{3,}|~{3,})([^`\n]*)$"
_LIST_ITEM = r"[ \t]*(?:[-*+]|\d+[.)])[ \t]"
_BLANK_LINE = r"\n[ \t\r]*\n"
_OPENER = "(?i)`+|~~|<(?:code|pre)>|[\"'\u201c\u201e\u00ab\u2018\u2039\u300c\u300e]"

_LINE_SIGNS = ("```", "~~~", ">", "\n    ", "\n\t")

# What closes a quotation. The apostrophe closes two kinds, and only where no word goes on after it.
_CLOSERS = {
    '"': '"',
    "'": "'",
    "\u201c": "\u201d\u201c",
    "\u201e": "\u201c\u201d",
    "\u00ab": "\u00bb",
    "\u2018": "\u2019",
    "\u2039": "\u203a",
    "\u300c": "\u300d",
    "\u300e": "\u300f",
}
_SPAN_SIGNS = (*_CLOSERS, "`", "~~", "<")


def mask(text: str) -> str:
    """`text` with its fences, quoted lines, code spans and quotations blanked."""
    return _mask_spans(_mask_lines(text.replace(MASK, " ")))


def _mask_lines(text: str) -> str:
    if not any(sign in text for sign in _LINE_SIGNS):
        return text
    fence_line = re.compile(_FENCE)
    out: list[str] = []
    fence = ""
    in_list = after_blank = indented = False
    for line in text.split("\n"):
        marker = fence_line.match(line)
        if fence:
            closes = marker is not None and marker[1].startswith(fence) and not marker[2].strip()
            out.append(MASK * len(line))
            fence = "" if closes else fence
        elif marker is not None:
            out.append(MASK * len(line))
            fence = marker[1]
        elif line.lstrip(" \t").startswith(">"):
            out.append(MASK * len(line))
        else:
            starts_code = after_blank and not in_list
            indented = line.startswith(("    ", "\t")) and (starts_code or indented)
            out.append(MASK * len(line) if indented and line.strip() else line)
        after_blank = not line.strip()
        if line.strip() and not line[0].isspace():
            in_list = re.match(_LIST_ITEM, line) is not None
    return "\n".join(out)


def _mask_spans(text: str) -> str:
    if not any(sign in text for sign in _SPAN_SIGNS):
        return text
    closers = _closers(text)
    breaks = [found.start() for found in re.finditer(_BLANK_LINE, text)]
    pieces: list[str] = []
    done = 0
    for found in re.finditer(_OPENER, text):
        start = found.start()
        if start < done or not _opens(text, found):
            continue
        paragraph = _next(breaks, start, len(text))
        end = _end_of(closers, found[0].lower(), found.end(), paragraph)
        if end is not None:
            pieces += (text[done:start], MASK * (end - start))
            done = end
    pieces.append(text[done:])
    return "".join(pieces)


def _opens(text: str, found: re.Match[str]) -> bool:
    """A straight quote opens only where no word stands before it and no space after it."""
    if found[0] not in ("'", '"', "\u2018"):
        return True
    before = text[found.start() - 1 : found.start()]
    after = text[found.end() : found.end() + 1]
    return not _in_word(before) and bool(after) and (found[0] == '"' or not after.isspace())


def _end_of(closers: dict[str, list[int]], opener: str, start: int, limit: int) -> int | None:
    """Where the span that `opener` begins ends: its first closer after `start` and before `limit`."""
    marks = _CLOSERS.get(opener)
    candidates: list[int] = []
    for mark in marks if marks is not None else [opener]:
        places = closers.get(mark, [])
        index = bisect_right(places, start)
        if index < len(places) and places[index] <= limit + 1:
            candidates.append(places[index])
    return min(candidates, default=None)


def _closers(text: str) -> dict[str, list[int]]:
    """Every place where a span can end, by the mark that ends it, ascending; each is just behind the mark."""
    places: dict[str, list[int]] = {}
    for found in re.finditer(
        "(?i)`+|~~|</(?:code|pre)>|[\"'\u201d\u201c\u00bb\u2019\u203a\u300d\u300f]", text
    ):
        mark = found[0].lower().replace("</", "<")
        if mark in ("'", '"', "\u2019"):
            before = text[found.start() - 1 : found.start()]
            after = text[found.end() : found.end() + 1]
            if not before or _in_word(after) or (before.isspace() and mark != '"'):
                continue
        places.setdefault(mark, []).append(found.end())
    return places


def _next(places: list[int], start: int, otherwise: int) -> int:
    index = bisect_right(places, start)
    return places[index] if index < len(places) else otherwise


def _in_word(character: str) -> bool:
    return character.isalnum() or character == "_"
