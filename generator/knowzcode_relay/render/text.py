"""Templates to text: every name must be defined, and front matter is read back by a real YAML parser."""

import json
import traceback
from collections.abc import Callable, Mapping
from typing import Any

import jinja2
import yaml

from knowzcode_relay.errors import RelayError


class Renderer:
    """Renders templates from a fixed set of sources; the same sources and values give the same bytes."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self._sources = sources
        self._environment = jinja2.Environment(
            loader=jinja2.FunctionLoader(lambda name: _with_name(sources, name)),
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            autoescape=False,  # noqa: S701  the output is Markdown, JSON and shell, never HTML
        )

    def text(self, template: str, values: Mapping[str, object]) -> str:
        """`template` filled in; an undefined name or a mistake is RelayError naming it, its file and line."""
        try:
            return self._environment.get_template(template).render(values)
        except jinja2.TemplateNotFound as error:
            raise RelayError("template.missing", f"There is no template {error.name}.") from error
        except jinja2.TemplateSyntaxError as error:
            raise RelayError(
                "template.syntax", f"{error.name or template}, line {error.lineno}: {error.message}."
            ) from error
        except jinja2.UndefinedError as error:
            raise RelayError("template.undefined", f"{self._place(error)}: {error.message}.") from error

    def _place(self, error: Exception) -> str:
        frames = traceback.extract_tb(error.__traceback__)
        inner = [frame for frame in frames if frame.filename in self._sources][-1]
        return f"{inner.filename}, line {inner.lineno}"


def _with_name(sources: Mapping[str, str], name: str) -> tuple[str, str, Callable[[], bool]] | None:
    """The source with its own name as file name, so that an error in an included part names that part."""
    return (sources[name], name, lambda: True) if name in sources else None


def front_matter(values: Mapping[str, str]) -> str:
    """`values` as a front matter block that YAML reads back unchanged; otherwise RelayError."""
    lines = [f"{key}: {_scalar(key, value)}\n" for key, value in values.items()]
    try:
        read: Any = yaml.safe_load("".join(lines))
    except yaml.YAMLError as error:
        raise RelayError("front-matter.invalid", f"The front matter is not YAML: {error}.") from error
    if read != dict(values):
        raise RelayError("front-matter.changed", f"YAML reads the front matter of {values} as {read}.")
    return f"---\n{''.join(lines)}---\n"


def _scalar(key: str, value: str) -> str:
    """A name is a plain word, as every client shows it; anything else is quoted."""
    return value if key == "name" else json.dumps(value, ensure_ascii=False)
