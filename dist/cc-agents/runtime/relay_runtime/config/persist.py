"""Change the project's `relay:` line and no other byte."""

from __future__ import annotations

import re
from pathlib import Path

from relay_runtime.config.document import LIMIT, decode, encode, is_setting, parse
from relay_runtime.config.keys import RELAY_KEYS, SELECTOR
from relay_runtime.config.markdown import Block, Layout, layout
from relay_runtime.errors import Exit, RelayError
from relay_runtime.fsio import read_bounded, write_atomic
from relay_runtime.lock import exclusive
from relay_runtime.paths import Project, inside

TEMPLATE = Path(__file__).resolve().parent.parent / "project" / "knowzcode_orchestration.md"
# `other` means the right thing from either host; a name would be wrong from one of them.
WORDS = ("other", "none")


def persist(project: Project, word: str) -> bool:
    """Make the project's configuration say `relay: WORD`; False if it did already.

    A missing file is made from the template. A file that is broken or lies outside the project through a link
    is RelayError (3) and stays as it is.
    """
    if not project.knowzcode.is_dir():
        raise RelayError(
            "config.no-project",
            f"{project.root} has no folder knowzcode.",
            exit=Exit.HALT,
            hint="Run setup there first, or name the project: --project DIR",
        )
    name = project.config.relative_to(project.root).as_posix()
    path = inside(project.root, name, exit=Exit.HALT)
    inside(project.root, project.workgroups.relative_to(project.root).as_posix(), exit=Exit.HALT)
    with exclusive(project.workgroups / ".config.lock", "config persist"):
        before = read_bounded(path, LIMIT, exit=Exit.HALT) if path.exists() else None
        after = with_selector(TEMPLATE.read_bytes() if before is None else before, word, name)
        if after == before:
            return False
        write_atomic(path, after)
    return True


def with_selector(data: bytes, word: str, name: str) -> bytes:
    """`data` with its `relay:` set: in place, else in a YAML block, else in a new block at the end."""
    text = decode(data, name)
    document = parse(text, name)
    entry = document.entries.get(SELECTOR.name)
    if entry is not None and entry.value == word:
        return data
    if entry is not None:
        places = [(each.start, each.end) for each in (entry, *document.repeated) if each.key == entry.key]
        changed = _replace(text, places, word)
    else:
        offsets = [document.entries[key.name].start for key in RELAY_KEYS if key.name in document.entries]
        changed = _insert(text, layout(text), offsets, f"{SELECTOR.name}: {word}", name)
    return encode(changed)


def _replace(text: str, places: list[tuple[int, int]], word: str) -> str:
    for start, end in sorted(places, reverse=True):
        text = text[:start] + (word if end > start else " " + word) + text[end:]
    return text


def _insert(text: str, found: Layout, offsets: list[int], setting: str, name: str) -> str:
    """Into the block with the other relay settings (`offsets`), else the first one, else one of its own."""
    newline = _newline(text)
    for block in sorted(found.blocks, key=lambda block: not _holds(block, offsets)):
        indent = _indent(block)
        if indent is not None:
            return _line_at(text, block.end, " " * indent + setting, newline)
    if found.left_open is not None:
        raise RelayError(
            "config.left-open",
            f"{name}:{found.left_open}: a comment or fence is opened here and never closed.",
            exit=Exit.HALT,
            hint="Close it, then try again.",
        )
    text = text if text[-1:] in ("", "\ufeff", "\n", "\r") else text + newline
    gap = newline if text.strip("\ufeff") else ""
    return f"{text}{gap}```yaml{newline}{setting}{newline}```{newline}"


def _holds(block: Block, offsets: list[int]) -> bool:
    return any(block.lines[0].start <= offset <= block.end for offset in offsets) if block.lines else False


def _indent(block: Block) -> int | None:
    """The indentation for a new last key; None where it would break a list or a second document."""
    margin = re.compile(f" {{0,{block.indent}}}")
    texts = [margin.sub("", line.text, count=1) for line in block.lines]
    lines = [text for text in texts if text.strip() and not text.lstrip().startswith("#")]
    if lines and lines[0].rstrip() == "---":
        del lines[0]
    if any(line.startswith(("---", "...")) for line in lines):
        return None
    if not lines:
        return block.indent
    return block.indent + len(lines[0]) - len(lines[0].lstrip(" ")) if is_setting(lines[0]) else None


def _line_at(text: str, offset: int, line: str, newline: str) -> str:
    before, after = text[:offset], text[offset:]
    if before[-1:] in ("\n", "\r"):
        return f"{before}{line}{newline}{after}"
    return f"{before}{newline}{line}{after}"


def _newline(text: str) -> str:
    match = re.search(r"\r\n|\n|\r", text)
    return match[0] if match else "\n"
