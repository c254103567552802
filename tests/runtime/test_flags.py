"""The four flags of a request: where they count, and which values are refused."""

import pytest

from relay_runtime.config import Flags
from relay_runtime.errors import Exit, UsageError
from relay_runtime.flags import read_request


def test_leading_flags_are_taken_out() -> None:
    """All four are read, whichever form they come in, and the goal is left."""
    request = read_request(
        "--relay=codex --relay-model gpt-5.6-sol\n--relay-effort=high --relay-max-fix-rounds=3 Add a page"
    )
    assert request.selector == "codex"
    assert request.flags == Flags(model="gpt-5.6-sol", effort="high", max_fix_rounds="3")
    assert request.text.split() == ["Add", "a", "page"]


@pytest.mark.parametrize(
    "text",
    [
        "Add a page --relay=codex",
        "Add a page --relay codex",
        "Add a page, --relay=codex, please",
        "--relay codex Add a page",
        '--relay="codex" Add a page',
        "\n\n  --relay=codex\nAdd a page",
        "--relay=codex",
    ],
)
def test_flags_count_on_the_argument_line(text: str) -> None:
    """REQ RES-24: first, last or between, with `=` or a space."""
    assert read_request(text).selector == "codex"


@pytest.mark.parametrize(
    "text",
    [
        'document the "--relay=codex" flag',
        "document the '--relay=codex' flag",
        "document the `--relay=codex` flag",
        "document the “--relay=codex” flag",
        "document the --relay=codex flag",
        "explain what --relay=codex does",
        '"--relay=codex" is a flag, document it',
        "Add a page\n--relay=codex",
        "Add a page\n\nRun it with --relay=codex then.",
        "```\n--relay=codex\n```\nFix this call.",
        "> --relay=codex\n\nFix this call.",
        "explain --sandbox danger-full-access --model x --host codex",
        "add a --relay flag",
        "x--relay=codex y",
    ],
)
def test_flags_that_are_only_spoken_about_do_not_count(text: str) -> None:
    """REQ RES-24, field report 88: quoted, in code, on later lines, or as the subject."""
    request = read_request(text)
    assert request.selector is None
    assert request.flags == Flags()
    assert request.text == text


@pytest.mark.parametrize(
    "text",
    [
        "--relay-timeout=5 x",
        "--relay-sandbox=danger-full-access x",
        "x --relay-budget=3",
        "--relay-modle=opus x",
    ],
)
def test_other_relay_flags_are_refused(text: str) -> None:
    """REQ CFG-28, CFG-13: the answer lists the four that exist."""
    with pytest.raises(UsageError) as refused:
        read_request(text)
    assert refused.value.exit is Exit.USAGE
    for name in ("--relay=", "--relay-model=", "--relay-effort=", "--relay-max-fix-rounds="):
        assert name in refused.value.hint


@pytest.mark.parametrize("text", ["--relay= x", "--relay-model= x", "--relay-effort", "--relay"])
def test_a_flag_needs_a_value(text: str) -> None:
    """REQ RES-04: empty is no value."""
    with pytest.raises(UsageError):
        read_request(text)


def test_equal_repeats_are_fine_and_different_ones_are_not() -> None:
    """REQ A-50."""
    assert read_request("--relay=codex --relay=codex x --relay codex").selector == "codex"
    with pytest.raises(UsageError, match="--relay is given twice"):
        read_request("--relay=codex x --relay=claude")
    with pytest.raises(UsageError, match="--relay-effort is given twice"):
        read_request("--relay-effort=low --relay-effort=high x")
