"""What the target reads: the agreed headings, all that a new session needs, nothing that it must not see."""

import json
import re

import pytest

from relay_runtime.inputs import feedback, plan
from relay_runtime.prompts.brief import brief
from relay_runtime.prompts.fix import Prior, continue_prompt, fix_prompt
from relay_runtime.prompts.review import delta_prompt, feedback_text
from support.plans import a_feedback, a_gap, a_plan
from support.relays import WGID

PLAN = plan.parse(json.dumps(a_plan()))
REVIEW = feedback.parse(json.dumps(a_feedback(a_gap(), a_gap(node="Cli", file="", line=None))))
PRIOR = Prior(("C0 " + "a" * 40 + " approved", "C1 " + "b" * 40 + " round 0"), ("src/greet.py | 4 ++--",))


def headings(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("#")]


def the_brief() -> str:
    return brief(WGID, PLAN, frozenset())


def the_feedback() -> str:
    return feedback_text(WGID, 1, REVIEW, "FIX_ROUND")


def the_fix() -> str:
    return fix_prompt(WGID, 1, PLAN, (f"kc-relay/{WGID}", "/repo"), PRIOR, the_feedback())


def the_delta() -> str:
    return delta_prompt(WGID, 1, REVIEW, "C0..C1")


def test_the_brief_has_the_agreed_headings_in_order() -> None:
    """REQ PRM-01."""
    assert headings(the_brief()) == [
        f"# KnowzCode Relay Brief — {WGID} (round 0)",
        "## Mission",
        "## Goal",
        "## Change Set",
        "## Specifications",
        "## Constraints",
        "## Output Contract",
        "### Files Changed",
        "### Tests",
        "### Plan Refinements",
        "### Spec Issues",
        "### Remaining Work",
    ]


def test_the_brief_lists_every_spec_by_path_and_summary() -> None:
    """REQ PRM-02, PRM-04."""
    assert "- knowzcode/specs/Greeter.md: one greeting\n" in the_brief()
    assert "- knowzcode/specs/Cli.md: one question\n" in the_brief()
    assert "Read every listed file. Its VERIFY criteria" in the_brief()
    assert "[SPEC_ISSUE] knowzcode" not in the_brief()


def test_a_missing_spec_is_flagged_with_what_is_known() -> None:
    """REQ PRM-03."""
    text = brief(WGID, PLAN, frozenset({"knowzcode/specs/Cli.md"}))
    assert "- [SPEC_ISSUE] knowzcode/specs/Cli.md does not exist." in text
    assert "one question — asks for the name" in text


@pytest.mark.parametrize("text", [the_brief(), the_fix()])
def test_the_rules_are_in_every_prompt_that_stands_alone(text: str) -> None:
    """REQ PRM-05, CON-06; field report 64."""
    rules = text.partition("## Constraints\n")[2]
    assert "TDD" in rules
    assert "Test commands: python3 -m unittest" in rules
    assert "Do not commit, push, switch branches, stash or create worktrees." in rules
    assert "Do not modify files under knowzcode/" in rules
    assert "Stay inside this repository/worktree" in rules
    assert "  - src\n  - tests\n" in rules


def test_the_feedback_has_its_head_table_and_one_action_per_gap() -> None:
    """REQ PRM-06."""
    text = the_feedback()
    assert headings(text) == [
        f"# Relay Review — {WGID}, round 1",
        "## Gaps (2)",
        "## Required Actions",
        "## Reply Contract",
    ]
    assert "**ARC Completion:** 80%   **Security:** no findings   **Verdict:** FIX_ROUND\n" in text
    assert "| # | NodeID | File:Line | VERIFY Criterion | Expected | Actual | Severity |\n" in text
    assert "| 1 | Greeter | src/greet.py:3 | greets by name | Hello, Ada | Hello | major |\n" in text
    assert "| 2 | Cli | — | greets by name | Hello, Ada | Hello | major |\n" in text
    assert "## Required Actions\n1. Repair gap 1.\n2. Repair gap 2.\n\n" in text


def test_a_cell_with_a_bar_or_a_line_break_stays_one_cell() -> None:
    review = feedback.parse(json.dumps(a_feedback(a_gap(actual="a | b\n| c |\\"))))
    row = next(line for line in feedback_text(WGID, 1, review, "FIX_ROUND").splitlines() if "Greeter" in line)
    assert row.endswith("| a \\| b \\| c \\|\\\\ | major |")


def test_the_delta_holds_only_findings_and_is_shorter_than_the_fix_prompt() -> None:
    """REQ PRM-07."""
    text = the_delta()
    assert PLAN.goal not in text
    assert "Greeter at src/greet.py:3: Repair gap 1." in text
    assert "C0..C1" in text
    assert len(text) < len(the_fix()) / 2


def test_the_fix_prompt_stands_alone_and_ends_with_the_whole_feedback() -> None:
    """REQ PRM-08, PRM-09, HYA-15."""
    text = the_fix()
    assert text.endswith(the_feedback())
    assert PLAN.goal in text
    assert f"Branch kc-relay/{WGID} in /repo" in text
    assert "knowzcode/specs/Cli.md" in text
    assert "C1 " + "b" * 40 in text
    assert not re.search(r"as before|see above|previous prompt", text, re.IGNORECASE)


def test_no_placeholder_is_left_over() -> None:
    """REQ PRM-10."""
    texts = [the_brief(), the_feedback(), the_delta(), the_fix(), continue_prompt(WGID, 0, "x/brief-r0.md")]
    assert [text for text in texts if re.search(r"[{}]", text)] == []


def test_a_retry_of_the_round_gets_a_continuation_and_no_invented_findings() -> None:
    """REQ PRM-12."""
    text = continue_prompt(WGID, 0, "knowzcode/workgroups/x/brief-r0.md")
    assert "knowzcode/workgroups/x/brief-r0.md" in text
    assert "do not commit" in text
    assert "Gaps" not in text
