"""Text of a repository's file in a message: one short line, whatever it holds."""

from __future__ import annotations

_MOST = 80


def shown(text: str) -> str:
    """`text` as it is, cut when long, and escaped when it could write lines or move the cursor."""
    short = text if len(text) <= _MOST else text[:_MOST] + "…"
    return short if short.isprintable() else repr(short)
