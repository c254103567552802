"""The JSON Schemas in docs/ and the runtime's own validator say the same."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from relay_runtime.inputs import feedback, plan
from relay_runtime.inputs.schema import Schema, mistakes
from support.plans import a_feedback, a_gap, a_plan

DOCS = Path(__file__).resolve().parents[2] / "docs"
JUNK = st.sampled_from(
    [
        None,
        True,
        0,
        -1,
        1.0,
        1.5,
        101,
        "",
        "x",
        "x\n",
        "../x",
        "/x",
        "a/..",
        "C:\\x",
        "é",
        [],
        ["x"],
        [1],
        {},
        {"a": 1},
    ]
)


@pytest.mark.parametrize(("name", "schema"), [("plan", plan.SCHEMA), ("feedback", feedback.SCHEMA)])
def test_the_document_is_the_schema(name: str, schema: Schema) -> None:
    assert json.loads((DOCS / f"{name}.schema.json").read_text(encoding="utf-8")) == schema


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a JSON value, the whole first."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, item in inner for place in places(item, (*path, key)))]


def damaged(value: Any, data: st.DataObject) -> Any:
    """`value` with one place replaced, removed, or joined by an unknown key."""
    value = copy.deepcopy(value)
    path = data.draw(st.sampled_from(places(value)[1:]))
    holder = value
    for key in path[:-1]:
        holder = holder[key]
    action = data.draw(st.sampled_from(["replace", "remove", "add"]))
    if action == "replace":
        holder[path[-1]] = data.draw(JUNK)
    elif action == "remove":
        del holder[path[-1]]
    elif isinstance(holder, dict):
        holder["surplus"] = 1
    return value


@given(st.data())
def test_both_agree_on_damaged_plans(data: st.DataObject) -> None:
    agree(plan.SCHEMA, damaged(a_plan(), data))


@given(st.data())
def test_both_agree_on_damaged_feedback(data: st.DataObject) -> None:
    agree(feedback.SCHEMA, damaged(a_feedback(a_gap()), data))


def agree(schema: Schema, value: Any) -> None:
    expected = jsonschema.Draft202012Validator(dict(schema)).is_valid(value)
    assert (mistakes(value, schema) == ()) is expected


@pytest.mark.parametrize(
    ("parse", "value"),
    [(plan.parse, a_plan()), (feedback.parse, a_feedback(a_gap())), (feedback.parse, a_feedback())],
)
def test_a_whole_input_is_read(parse: Callable[[str], object], value: dict[str, Any]) -> None:
    assert parse(json.dumps(value))
