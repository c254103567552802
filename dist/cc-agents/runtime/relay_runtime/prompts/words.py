"""The parts that several prompts share."""

from __future__ import annotations

from relay_runtime.inputs.plan import Plan

REPORT = """\
## Output Contract
End with a report of these five parts. Write None where there is nothing to say.
### Files Changed
Each path, what changed in it and why.
### Tests
Each test command, its result, and the VERIFY criteria that it proves.
### Plan Refinements
Where you deviated from a spec or completed it.
### Spec Issues
Each contradiction or hole in a spec, marked [SPEC_ISSUE].
### Remaining Work
What is not done, and tests that this sandbox does not let you run.
"""


def one_line(text: str) -> str:
    """`text` without line breaks or runs of blanks."""
    return " ".join(text.split())


def cell(text: str) -> str:
    """`text` as one cell of a Markdown table."""
    return one_line(text).replace("\\", "\\\\").replace("|", "\\|")


def constraints(plan: Plan) -> str:
    """The rules of a leg, as a list."""
    commands = "; ".join(one_line(command) for command in plan.test_commands)
    owned = "\n".join(f"  - {path}" for path in plan.owned_paths)
    return (
        "- TDD: write or extend the test first. Every VERIFY criterion needs a passing test.\n"
        f"- Test commands: {commands}\n"
        "- Do not commit, push, switch branches, stash or create worktrees. The host commits.\n"
        "- Do not modify files under knowzcode/. Report what is wrong with a spec as [SPEC_ISSUE].\n"
        "- Stay inside this repository/worktree, and change only these paths (a folder includes what is"
        f" below it):\n{owned}\n"
    )
