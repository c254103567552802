"""Blocks in documents that say what the skills say: the rest of such a document is written by hand."""

from collections.abc import Mapping

from knowzcode_relay.errors import RelayError


def fill(path: str, text: str, blocks: Mapping[str, str]) -> str:
    """`text` with each block between its two marks; marks that are missing or twice are RelayError."""
    for name, block in blocks.items():
        begin, end = f"<!-- {name}:begin -->\n", f"<!-- {name}:end -->\n"
        if (text.count(begin), text.count(end)) != (1, 1) or text.index(begin) > text.index(end):
            raise RelayError(
                "document.marks", f"{path} has not one {begin.strip()} and one {end.strip()} after it."
            )
        before, rest = text.split(begin)
        _, after = rest.split(end)
        text = f"{before}{begin}{block}{end}{after}"
    return text
