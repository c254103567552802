"""Each mistake in a plan or a review is one sentence that names the place."""

import json
from dataclasses import replace
from typing import Any

import pytest

from relay_runtime.errors import Exit, RelayError
from relay_runtime.inputs import feedback, plan
from support.plans import a_feedback, a_gap, a_plan


def sentence(module: Any, value: Any) -> str:
    with pytest.raises(RelayError) as refused:
        module.parse(value if isinstance(value, str) else json.dumps(value))
    assert refused.value.exit == Exit.USAGE
    return refused.value.message


CHANGE = {"id": "A", "description": "d", "depends_on": []}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"goal": ""}, "goal must not be empty."),
        ({"goal": 3}, "goal must be a string."),
        ({"schema": 2}, "schema must be 1."),
        ({"owned": []}, "The whole has the unknown key 'owned'."),
        ({"type": "Feature!"}, "type must be one short lower case word"),
        ({"slug": "設計"}, "slug must contain a letter or digit"),
        ({"owned_paths": []}, "owned_paths must have at least 1 entry."),
        ({"owned_paths": ["src", "../x"]}, "owned_paths[1] must be a path inside the repository"),
        ({"owned_paths": ["/etc"]}, "owned_paths[0] must be a path inside"),
        ({"owned_paths": ["a\nb"]}, "owned_paths[0] must be a path inside"),
        ({"owned_paths": ["./knowzcode/specs"]}, "the target never owns knowzcode/"),
        ({"owned_paths": [".git/hooks"]}, "the target never owns .git/"),
        ({"owned_paths": ["src/**"]}, "name the folder itself"),
        ({"change_set": [CHANGE, CHANGE]}, "change_set names 'A' twice."),
        ({"change_set": [{**CHANGE, "depends_on": ["B"]}]}, "A depends on 'B'"),
        ({"change_set": [{**CHANGE, "depends_on": ["A"]}]}, "A depends on 'A'"),
    ],
)
def test_a_mistake_in_a_plan_is_named(change: dict[str, Any], expected: str) -> None:
    assert expected in sentence(plan, a_plan(**change))


def test_every_mistake_is_told_at_once() -> None:
    said = sentence(plan, a_plan(goal="", schema=2, test_commands=[1]))
    assert "goal" in said
    assert "schema" in said
    assert "test_commands[0]" in said


@pytest.mark.parametrize("text", ["", "{", "NaN", '{"schema": 1,}'])
def test_what_is_no_json_is_said(text: str) -> None:
    assert "is not JSON" in sentence(plan, text)
    assert "is not JSON" in sentence(feedback, text)


def test_a_folder_owns_what_is_below_it_and_nothing_beside_it() -> None:
    """REQ REV-05 (A-29)."""
    parsed = plan.parse(json.dumps(a_plan(owned_paths=["src/", "./tests/one.py"])))
    assert parsed.owned_paths == ("src", "tests/one.py")
    owned = ["src", "src/a", "src/b/c", "tests/one.py"]
    foreign = ["srcs", "src2/a", "tests/two.py", "README.md", "knowzcode/specs/A.md"]
    assert [path for path in owned + foreign if parsed.owns(path)] == owned


def test_the_whole_repository_can_be_owned_but_never_knowzcode() -> None:
    """REQ REV-14."""
    parsed = plan.parse(json.dumps(a_plan(owned_paths=["."])))
    assert parsed.owns("README.md")
    assert not parsed.owns("knowzcode/specs/A.md")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (a_feedback(a_gap(), actions=[]), "There are 1 gaps and 0 actions"),
        (a_feedback(actions=["x"]), "There are 0 gaps and 1 actions"),
        (a_feedback(completion=101), "completion must be between 0 and 100."),
        (a_feedback(completion=True), "completion must be a number."),
        (a_feedback(a_gap(line=-1)), "gaps[0].line must be at least 0."),
        (a_feedback(a_gap(line="7")), "gaps[0].line must be an integer or null."),
        (a_feedback(a_gap(node="")), "gaps[0].node must not be empty."),
    ],
)
def test_a_mistake_in_a_review_is_named(value: dict[str, Any], expected: str) -> None:
    """REQ PRM-06."""
    assert expected in sentence(feedback, value)


def test_the_same_gap_is_known_again_wherever_its_line_went() -> None:
    """REQ REV-10 (A-14)."""
    (gap,) = feedback.parse(json.dumps(a_feedback(a_gap()))).gaps
    assert replace(gap, line=90, criterion="  Greets by  NAME", actual="Hi").identity == gap.identity
    assert replace(gap, file="src/other.py").identity != gap.identity
    assert replace(gap, node="Cli").identity != gap.identity
