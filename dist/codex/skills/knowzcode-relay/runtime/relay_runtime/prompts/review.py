"""What a review tells the target: the findings in full, and the small form for a warm session."""

from __future__ import annotations

from relay_runtime.inputs.feedback import Feedback
from relay_runtime.prompts.words import cell, one_line

_COLUMNS = ("#", "NodeID", "File:Line", "VERIFY Criterion", "Expected", "Actual", "Severity")


def feedback_text(wgid: str, number: int, feedback: Feedback, verdict: str) -> str:
    """`feedback-r{N}.md`; `number` is the fix round to come."""
    return (
        f"# Relay Review — {wgid}, round {number}\n"
        "\n"
        f"**ARC Completion:** {feedback.completion:g}%   **Security:** {one_line(feedback.security)}"
        f"   **Verdict:** {verdict}\n"
        "\n"
        f"## Gaps ({len(feedback.gaps)})\n{_gaps(feedback)}"
        "\n"
        f"## Required Actions\n{_actions(feedback)}"
        "\n"
        "## Reply Contract\n"
        "Answer each action with the file:line that you changed and the test that proves it. Do not commit,"
        " and do not refactor beyond the listed actions.\n"
    )


def delta_prompt(wgid: str, number: int, feedback: Feedback, reviewed: str) -> str:
    """`delta-prompt-r{N}.md`, for the session that did the work. `reviewed` says which commits were read."""
    findings = "".join(
        f"{place}. {one_line(gap.node)} at {gap.place}: {one_line(action)}\n"
        f"   VERIFY: {one_line(gap.criterion)}\n"
        f"   Expected: {one_line(gap.expected)} Found: {one_line(gap.actual)}\n"
        for place, (gap, action) in enumerate(zip(feedback.gaps, feedback.actions), 1)
    )
    return (
        f"# KnowzCode Relay Delta — {wgid} (round {number})\n"
        "\n"
        f"The host reviewed {reviewed}. Open findings:\n"
        "\n"
        f"{findings}"
        "\n"
        "Answer each with file:line and the proving test. Do not commit.\n"
    )


def _gaps(feedback: Feedback) -> str:
    rows = [
        (str(number), gap.node, gap.place, gap.criterion, gap.expected, gap.actual, gap.severity)
        for number, gap in enumerate(feedback.gaps, 1)
    ]
    head = f"| {' | '.join(_COLUMNS)} |\n|{'---|' * len(_COLUMNS)}\n"
    return head + "".join(f"| {' | '.join(map(cell, row))} |\n" for row in rows)


def _actions(feedback: Feedback) -> str:
    listed = "".join(f"{number}. {one_line(text)}\n" for number, text in enumerate(feedback.actions, 1))
    return listed or "None.\n"
