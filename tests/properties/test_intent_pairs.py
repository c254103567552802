"""One agent is given the work, the other one something else, in one breath: the roles never get mixed up."""

import itertools

import pytest

from relay_runtime.intent import Verdict, read_intent

GIVEN = [
    "have {x} implement it",
    "let {x} do the coding",
    "{x} should write the code",
    "the coding goes to {x}",
    "use {x} for the implementation",
    "hand the build to {x}",
    "{x} implements",
    "it is to be built by {x}",
    "I want {x} to code this",
    "{x} is the implementer",
    "implementation by {x}",
]
BESIDE = [
    "{y} plans",
    "let {y} review the diff",
    "have {y} write the spec",
    "don't use {y}",
    "{y} should only advise",
    "{y} wrote the old version",
    "fix the {y} adapter",
    "add {y} to the list",
    "keep {y} out of it",
    "the review goes to {y}",
    "use {y} for the review",
    "ask {y} for feedback",
    "instead of {y}",
    "{y} must not touch the code",
    "the plan is written by {y}",
    "with {y} reviewing",
    "{y} is the reviewer",
    "you and {y} plan",
]
JOINTS = [". ", "; ", " and ", ", then ", " but ", ", ", ": ", " — "]


@pytest.mark.parametrize(("x", "y"), [("Claude", "Codex"), ("Codex", "Claude")])
def test_the_other_one_never_gets_the_work(x: str, y: str) -> None:
    """REQ NL-03, NL-06: never the wrong provider, and the right one nearly always."""
    right = total = 0
    for given, beside, joint, order in itertools.product(GIVEN, BESIDE, JOINTS, (1, -1)):
        parts = [given.format(x=x), beside.format(y=y)][::order]
        text = joint.join(parts) + "."
        intent = read_intent(text[0].upper() + text[1:], "claude")
        assert intent.selector in ("", x.lower()), text
        right += intent.verdict is Verdict.DELEGATED
        total += 1
    assert right >= 0.98 * total
