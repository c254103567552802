"""Which packages there are and which template makes which file: the data of skill_templates/packages.toml."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from knowzcode_relay.errors import RelayError

LIST = "packages.toml"


@dataclass(frozen=True)
class Item:
    """One file made from one template. `host` is empty for a text that must be the same on every host."""

    path: str
    template: str
    host: str = ""
    program: bool = False


@dataclass(frozen=True)
class Recipe:
    """One package. `root` starts at the repository; the paths of index, runtime and items start there."""

    folder: str
    name: str
    host: str
    command: str
    root: str
    index: str
    runtime: str
    items: tuple[Item, ...]


@dataclass(frozen=True)
class Recipes:
    """All packages; the files beside them and the documents, whose paths start at the repository.

    `documents` has per document the template of each of its blocks.
    """

    packages: tuple[Recipe, ...]
    beside: tuple[Item, ...]
    documents: Mapping[str, Mapping[str, str]]


def parse(text: str) -> Recipes:
    """Read the list; anything that does not fit is RelayError."""
    try:
        table = tomllib.loads(text)
        return Recipes(
            packages=tuple(_recipe(folder, entry) for folder, entry in table["package"].items()),
            beside=_items(table["beside"], ""),
            documents=table["document"],
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise RelayError("recipes.invalid", f"skill_templates/{LIST} cannot be used: {error!r}.") from error


def _recipe(folder: str, entry: dict[str, Any]) -> Recipe:
    plain = {key: value for key, value in entry.items() if key != "files"}
    return Recipe(folder=folder, items=_items(entry["files"], entry["host"]), **plain)


def _items(entries: dict[str, Any], host: str) -> tuple[Item, ...]:
    """A plain string is a template; a table may add `neutral` (no host facts) or `program` (executable)."""
    found: list[Item] = []
    for path, entry in entries.items():
        more: dict[str, Any] = {"template": entry} if isinstance(entry, str) else dict(entry)
        neutral = bool(more.pop("neutral", False))
        found.append(Item(path=path, host="" if neutral else host, **more))
    return tuple(found)
