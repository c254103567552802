"""One YAML value on one line, as text. What the text means is the business of its key."""

from __future__ import annotations

import re
from typing import NamedTuple

from relay_runtime.config.shown import shown

_NULL = ("", "~", "null", "Null", "NULL")
# Compiled when used, for most values are plain.
_COMMENT = r"[ \t]#"
_AFTER = r"[ \t]*(?:$|(?<=[ \t])#)"
_ESCAPE = r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))"
_ESCAPES = dict(zip('0abtnvfre "/\\N_LP', '\0\a\b\t\n\v\f\r\x1b "/\\\x85\xa0\u2028\u2029'))
_DOUBLE = r'"((?:[^"\\]|\\.)*)"'
_SINGLE = r"'((?:[^']|'')*)'"
_REASONS = {
    "&": "anchors are not read here",
    "*": "aliases are not read here",
    "!": "tags are not read here",
    "|": "the value must stand on the same line",
    ">": "the value must stand on the same line",
    "[": "a single value is needed, not a list",
    "{": "a single value is needed, not a mapping",
    '"': "the closing quote is missing",
    "'": "the closing quote is missing",
}


class ScalarError(ValueError):
    """Why the text is no single value; one clause without a full stop."""


class Scalar(NamedTuple):
    """`value` is None for YAML's null. `start:end` is what to replace in the line to change the value."""

    value: str | None
    start: int
    end: int


def read_scalar(line: str, colon: int) -> Scalar:
    """The value after the colon that ends at offset `colon` of `line`."""
    start = colon + len(line[colon:]) - len(line[colon:].lstrip(" \t"))
    if start == len(line) or line[start] == "#":
        return Scalar(None, colon, colon)
    if line[start] in "\"'":
        return _quoted(line, start)
    comment = re.compile(_COMMENT).search(line, start)
    value = line[start : comment.start() if comment else len(line)].rstrip(" \t")
    _check_plain(value)
    return Scalar(None if value in _NULL else value, start, start + len(value))


def _check_plain(value: str) -> None:
    if value[0] in _REASONS:
        raise ScalarError(_REASONS[value[0]])
    if value[0] in ",]}%@`" or re.match(r"[-?:](?:[ \t]|$)", value):
        raise ScalarError(f"a value that starts with {value[0]} needs quotes")
    if re.search(r":(?:[ \t]|$)", value):
        raise ScalarError("a value with a colon needs quotes")


def _quoted(line: str, start: int) -> Scalar:
    match = re.compile(_DOUBLE if line[start] == '"' else _SINGLE).match(line, start)
    if match is None:
        raise ScalarError(_REASONS[line[start]])
    if not re.compile(_AFTER).match(line, match.end()):
        raise ScalarError("something follows the closing quote")
    inner = match[1]
    value = re.sub(_ESCAPE, _unescape, inner) if line[start] == '"' else inner.replace("''", "'")
    return Scalar(value, start, match.end())


def _unescape(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code:
        try:
            return chr(int(code, 16))
        except (ValueError, OverflowError) as error:
            raise ScalarError(f"the escape {match[0]} is no character") from error
    if match[4] not in _ESCAPES:
        raise ScalarError(f"the escape {shown(match[0])} is unknown")
    return _ESCAPES[match[4]]
