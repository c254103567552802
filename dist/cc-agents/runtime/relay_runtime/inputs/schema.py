"""Check a JSON value against a small part of JSON Schema: one sentence for each mistake, nothing raised."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import cast

Schema = Mapping[str, object]

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}


def parse(text: str) -> object:
    """`text` as JSON; ValueError for anything else, the words NaN and Infinity included."""
    return json.loads(text, parse_constant=_no_constant)


def mistakes(value: object, schema: Schema, where: str = "") -> tuple[str, ...]:
    """What is wrong with `value`, each as one sentence that names the place."""
    place = where or "The whole"
    if "const" in schema and (value != schema["const"] or isinstance(value, bool)):
        return (f"{place} must be {schema['const']!r}.",)
    kinds = _kinds(schema)
    if kinds and not any(_is(value, kind) for kind in kinds):
        return (f"{place} must be {' or '.join(map(_with_article, kinds))}.",)
    if isinstance(value, str):
        return _text(value, schema, place)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _number(value, schema, place)
    if isinstance(value, list):
        return _list(cast(list[object], value), schema, where, place)
    if isinstance(value, dict):
        return _object(cast(dict[str, object], value), schema, where, place)
    return ()


def _text(value: str, schema: Schema, place: str) -> tuple[str, ...]:
    found: list[str] = []
    shortest, longest = cast(int, schema.get("minLength", 0)), cast(int, schema.get("maxLength", len(value)))
    if len(value) < shortest:
        found.append(f"{place} must not be empty." if shortest == 1 else f"{place} is too short.")
    if len(value) > longest:
        found.append(f"{place} must have at most {longest} characters.")
    if "pattern" in schema and not re.search(cast(str, schema["pattern"]), value):
        found.append(f"{place} must be {schema.get('description', 'of another form')}.")
    return tuple(found[:1])


def _number(value: int | float, schema: Schema, place: str) -> tuple[str, ...]:
    low, high = cast(float, schema.get("minimum", value)), cast(float, schema.get("maximum", value))
    if low <= value <= high:
        return ()
    if "maximum" in schema and "minimum" in schema:
        return (f"{place} must be between {low} and {high}.",)
    return (f"{place} must be at least {low}." if value < low else f"{place} must be at most {high}.",)


def _list(value: list[object], schema: Schema, where: str, place: str) -> tuple[str, ...]:
    if len(value) < cast(int, schema.get("minItems", 0)):
        return (f"{place} must have at least {schema['minItems']} entry.",)
    items = cast(Schema, schema.get("items", {}))
    return tuple(
        sentence for i, item in enumerate(value) for sentence in mistakes(item, items, f"{where}[{i}]")
    )


def _object(value: dict[str, object], schema: Schema, where: str, place: str) -> tuple[str, ...]:
    known = cast(Mapping[str, Schema], schema.get("properties", {}))
    inner = f"{where}." if where else ""
    found = [
        f"{inner}{name} is missing."
        for name in cast(list[str], schema.get("required", []))
        if name not in value
    ]
    if schema.get("additionalProperties", True) is False:
        found += [f"{place} has the unknown key {name!r}." for name in value if name not in known]
    for name, item in value.items():
        if name in known:
            found += mistakes(item, known[name], f"{inner}{name}")
    return tuple(found)


def _kinds(schema: Schema) -> tuple[str, ...]:
    kinds = schema.get("type", ())
    return (kinds,) if isinstance(kinds, str) else tuple(cast(list[str], kinds))


def _is(value: object, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    if kind == "integer":
        return isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    return isinstance(value, _TYPES[kind])


def _with_article(kind: str) -> str:
    return {"null": "null"}.get(kind, f"{'an' if kind[0] in 'aio' else 'a'} {kind}")


def _no_constant(word: str) -> object:
    raise ValueError(f"{word} is not JSON")
