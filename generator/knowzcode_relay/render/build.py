"""From templates and runtime to every file that the repository carries rendered."""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from knowzcode_relay.errors import RelayError
from knowzcode_relay.hosts import facts
from knowzcode_relay.package import PLAIN, PROGRAM, File, Package
from knowzcode_relay.render import recipes
from knowzcode_relay.render.documents import fill
from knowzcode_relay.render.recipes import Item, Recipe
from knowzcode_relay.render.sources import runtime_in, templates_in, text_of
from knowzcode_relay.render.text import Renderer, front_matter

_FRONT_MATTER = "front_matter.toml"


@dataclass(frozen=True)
class Rendering:
    """`packages` by folder name; `files` is everything rendered, with paths that start at the repository.

    `blocks` has, per document of the repository, the text of each of its blocks.
    """

    packages: Mapping[str, Package]
    files: tuple[File, ...]
    blocks: Mapping[str, Mapping[str, str]]


def render(templates: Path, runtime: Path, version: str) -> Rendering:
    """Render every package. The same input gives the same bytes."""
    maker = _Maker(templates, version)
    bundled = runtime_in(runtime)
    packages: dict[str, Package] = {}
    files = [maker.file(item) for item in maker.recipes.beside]
    for recipe in maker.recipes.packages:
        package = maker.package(recipe, bundled)
        packages[recipe.folder] = package
        files += (File(f"{recipe.root}/{file.path}", file.data, file.mode) for file in package.all_files)
    _refuse_twice([file.path for file in files])
    blocks = {path: maker.blocks(each) for path, each in maker.recipes.documents.items()}
    return Rendering(packages, tuple(sorted(files)), blocks)


def documents(checkout: Path, rendering: Rendering) -> tuple[File, ...]:
    """The documents of `checkout` with their blocks filled."""
    filled = {path: fill(path, text_of(checkout / path), each) for path, each in rendering.blocks.items()}
    return tuple(File(path, text.encode()) for path, text in filled.items())


class _Maker:
    """Makes files of one set of templates, with the values that belong to each."""

    def __init__(self, folder: Path, version: str) -> None:
        sources = templates_in(folder)
        self._renderer = Renderer(sources)
        self._version = version
        self._headers = _headers(sources.get(_FRONT_MATTER, ""))
        self.recipes = recipes.parse(sources.get(recipes.LIST, ""))
        hosts = {recipe.host for recipe in self.recipes.packages}
        self._facts = {host: facts.load(folder / "hosts" / f"{host}.toml") for host in sorted(hosts)}

    def package(self, recipe: Recipe, bundled: Mapping[str, bytes]) -> Package:
        made = [self.file(item) for item in recipe.items]
        copied = [File(f"{recipe.runtime}/{path}", data) for path, data in bundled.items()]
        return Package(
            name=recipe.name,
            host=recipe.host,
            version=self._version,
            command=recipe.command,
            index_path=recipe.index,
            files=tuple(sorted(made + copied)),
        )

    def file(self, item: Item) -> File:
        """A neutral item gets no host facts: a text that uses one fails here, and never differs per host."""
        values: dict[str, object] = {"version": self._version}
        if item.host:
            values["host"] = self._facts[item.host]
        text = self._renderer.text(item.template, values)
        if item.path.endswith("SKILL.md") or item.template in self._headers:
            text = front_matter(self._header(item)) + "\n" + text
        if item.path.endswith(".json"):
            _check_json(item.path, text)
        return File(item.path, (text.rstrip("\n") + "\n").encode(), PROGRAM if item.program else PLAIN)

    def blocks(self, templates: Mapping[str, str]) -> dict[str, str]:
        return {name: self._renderer.text(template, {}) for name, template in templates.items()}

    def _header(self, item: Item) -> dict[str, str]:
        """The keys that the item's host reads; the name is the skill's folder, or the agent's file."""
        path = PurePosixPath(item.path)
        keys = self._headers.get(item.template)
        if keys is None:
            raise RelayError(
                "front-matter.missing", f"skill_templates/{_FRONT_MATTER} has no entry for {item.template}."
            )
        known = self._facts[item.host].front_matter
        name = path.parent.name if path.name == "SKILL.md" else path.stem
        return {"name": name, **{key: value for key, value in keys.items() if key in known}}


def _headers(text: str) -> dict[str, dict[str, str]]:
    try:
        table: dict[str, Any] = tomllib.loads(text)
    except ValueError as error:
        raise RelayError("front-matter.invalid", f"skill_templates/{_FRONT_MATTER}: {error}.") from error
    return table


def _check_json(path: str, text: str) -> None:
    try:
        json.loads(text)
    except ValueError as error:
        raise RelayError("json.invalid", f"The template of {path} gives no JSON: {error}.") from error


def _refuse_twice(paths: list[str]) -> None:
    if twice := sorted({path for path in paths if paths.count(path) > 1}):
        raise RelayError("recipes.twice", f"Two templates make {twice[0]}.")
