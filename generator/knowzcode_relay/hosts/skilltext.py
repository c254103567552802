"""Skill files as clients see them: where they lie, and the name in their front matter."""

from collections.abc import Iterator
from pathlib import Path

from knowzcode_relay.hosts.settings import table

_LIMIT = 1 << 20


def text_of(path: Path) -> str:
    """The text of a file, or nothing where it cannot be read: a client does not list it either."""
    try:
        with path.open("rb") as handle:
            return handle.read(_LIMIT).decode("utf-8", "replace")
    except OSError:
        return ""


def declared_name(text: str) -> str:
    """The `name` of the front matter, or nothing."""
    head, _, rest = text.partition("\n")
    if head.strip() != "---":
        return ""
    import yaml  # slow to load, and few texts get here

    try:
        fields: object = yaml.safe_load(rest.partition("\n---")[0])
    except yaml.YAMLError:
        return ""
    return str(table(fields).get("name", ""))


def skill_files(folder: Path) -> Iterator[Path]:
    """Every SKILL.md below `folder`, links followed, hidden folders left out, without walking in circles."""
    yield from _walk(folder, frozenset())


def _walk(folder: Path, above: frozenset[str]) -> Iterator[Path]:
    real = str(folder.resolve())
    if real in above:
        return
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return
    for entry in entries:
        if entry.name == "SKILL.md" and entry.is_file():
            yield entry
        elif entry.is_dir() and not entry.name.startswith("."):
            yield from _walk(entry, above | {real})
