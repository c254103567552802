"""Any text as one harmless line: no line break, no table bar, no code mark, no hidden character."""

from __future__ import annotations

import re

_SHORT = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "|": "\\|", "`": "\\`"}
_LONG = {written[1]: character for character, written in _SHORT.items()}
_WRITTEN = re.compile(r"\\(?:u\{([0-9a-f]{1,6})\}|(.?))", re.DOTALL)


def escape(text: str) -> str:
    """`text` on one line; a blank at either end is written out, so that nobody can trim it."""
    written = "".join(
        _SHORT.get(c, c) if c in _SHORT or c == " " or c.isprintable() else _code(c) for c in text
    )
    body = written.strip(" ")
    if not body:
        return _code(" ") * len(written)
    before = len(written) - len(written.lstrip(" "))
    return _code(" ") * before + body + _code(" ") * (len(written) - before - len(body))


def unescape(written: str) -> str:
    """The text that `escape` was given; ValueError for a backslash that it never writes."""
    return _WRITTEN.sub(_character, written)


def _code(character: str) -> str:
    return f"\\u{{{ord(character):x}}}"


def _character(match: re.Match[str]) -> str:
    code, short = match.groups()
    if code is not None and int(code, 16) <= 0x10FFFF:
        return chr(int(code, 16))
    if short is None or short not in _LONG:
        raise ValueError(f"{match.group()!r} is not an escape of this file")
    return _LONG[short]
