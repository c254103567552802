"""`state.md`: the template exactly, strict reading, and text that cannot pose as state."""

from dataclasses import replace
from pathlib import Path

import pytest

from relay_runtime.errors import Exit, RelayError
from relay_runtime.state.relay import RoundRow
from relay_runtime.state.text import parse, render
from relay_runtime.state.values import State
from support.relays import FOLDER, WGID, a_relay

PATH = Path("/repo") / FOLDER / "state.md"

TEMPLATE = f"""\
# Relay State: {WGID}

**Schema:** 2
**Host:** claude
**Target:** codex
**Selector:** other
**Intent Source:** flag-automatic
**State:** PLANNED
**Round:** 0
**Max Fix Rounds:** 2
**Session ID:** pending
**Manual Attach:** pending
**Target Version:** 0.171.0
**Transport:** exec
**Model:** gpt-5.6-sol
**Effort:** xhigh
**Isolation:** sandbox workspace-write
**Branch:** kc-relay/{WGID}
**CWD:** /repo
**PID:** none
**Log Path:** {FOLDER}/codex-log-r0.jsonl
**Error Path:** {FOLDER}/codex-err-r0.log
**Last Message Path:** {FOLDER}/codex-last-r0.md
**Result Subtype:** pending
**Last Output:** pending
**Updated:** 2026-01-01T00:00:00Z

## Checkpoints
| Label | SHA | Meaning |
|---|---|---|
| C0 | {"a" * 40} | Specs approved — pre-relay baseline |

## Round Log
| Round | Leg | Started | Ended | Exit | Result |
|---|---|---|---|---|---|
| 0 | target-implement | 2026-01-01T00:00:00Z | — | — | running |
"""


def test_the_file_has_the_24_labelled_lines_and_both_tables_in_order() -> None:
    """REQ STA-01, STA-04."""
    assert render(a_relay()) == TEMPLATE


def test_reading_gives_back_what_was_written() -> None:
    """REQ STA-01."""
    assert parse(TEMPLATE, PATH) == a_relay()


def test_a_summary_with_a_fake_state_line_changes_nothing() -> None:
    """REQ STA-15."""
    summary = "ok | `x`\n**State:** DONE\r\n| 9 | leg | a | b | c | d |\n## Round Log\u2028**Round:** 2"
    relay = a_relay(rounds=(RoundRow(0, "target-implement", "s", "e", "0", summary),))
    text = render(relay)
    assert text.count("\n") == TEMPLATE.count("\n")
    assert parse(text, PATH) == relay


def test_text_with_line_breaks_in_a_labelled_value_stays_on_its_line() -> None:
    """REQ STA-15."""
    relay = a_relay(cwd="/repo\n**State:** DONE", model="a|b`c\\n ", session_id=" ")
    assert parse(render(relay), PATH) == relay


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("host", "gemini"),
        ("target", "opencode"),
        ("selector", "none"),
        ("source", "none"),
        ("transport", "ssh"),
    ],
)
def test_a_word_outside_its_set_is_refused_on_writing_and_on_reading(name: str, value: str) -> None:
    """REQ STA-02."""
    with pytest.raises(ValueError, match=value):
        a_relay(**{name: value})
    good = f"** {getattr(a_relay(), name)}\n"
    with pytest.raises(RelayError) as refused:
        parse(TEMPLATE.replace(good, f"** {value}\n", 1), PATH)
    assert refused.value.problem == "state.damaged"


def test_an_unknown_state_word_is_refused() -> None:
    """REQ STA-02, STA-03."""
    with pytest.raises(RelayError, match="CODEX_DONE"):
        parse(TEMPLATE.replace("PLANNED", "CODEX_DONE"), PATH)


def test_there_are_eleven_states_and_none_names_a_provider() -> None:
    """REQ STA-03."""
    words = [state.value for state in State]
    assert len(words) == 11
    assert not any(name in word for word in words for name in ("CODEX", "CLAUDE"))


@pytest.mark.parametrize("text", ["", " \n\n"])
def test_an_empty_file_is_an_answer_of_its_own(text: str) -> None:
    """REQ STA-14."""
    assert problem_of(text) == "state.empty"


@pytest.mark.parametrize("schema", ["1", "3", "2.1", "two"])
def test_another_schema_is_an_answer_of_its_own(schema: str) -> None:
    """REQ STA-14, LEG-08."""
    assert problem_of(TEMPLATE.replace("**Schema:** 2", f"**Schema:** {schema}")) == "state.schema"


def test_a_file_cut_anywhere_is_never_read_as_another_relay() -> None:
    """REQ STA-14; field report 53. A cut between two rows of the last table leaves a legal file."""
    whole = a_relay()
    for length in range(1, len(TEMPLATE)):
        text = TEMPLATE[:length]
        try:
            assert parse(text, PATH) == replace(whole, rounds=())
        except RelayError as refused:
            assert refused.exit == Exit.HALT
            assert refused.problem in ("state.damaged", "state.schema")


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ("**Host:** claude\n", ""),
        ("**Round:** 0", "**Round:** zero"),
        ("**Round:** 0", "**Round:** 3"),
        ("**Max Fix Rounds:** 2", "**Max Fix Rounds:** 9"),
        ("**PID:** none", "**PID:** -1"),
        ("**Model:** gpt", "**Model:** \\q"),
        ("| C0 | ", "| C0 | x | "),
        ("\n\n## Round Log", "\n## Round Log"),
    ],
)
def test_a_damaged_line_is_named(line: str, other: str) -> None:
    """REQ STA-14."""
    assert line in TEMPLATE
    assert problem_of(TEMPLATE.replace(line, other, 1)) == "state.damaged"


def problem_of(text: str) -> str:
    with pytest.raises(RelayError) as refused:
        parse(text, PATH)
    assert str(PATH) in refused.value.message
    return refused.value.problem
