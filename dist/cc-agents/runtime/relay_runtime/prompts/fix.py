"""Prompts after the first one: for a session that knows nothing, and for one that was cut off."""

from __future__ import annotations

from dataclasses import dataclass

from relay_runtime.inputs.plan import Plan
from relay_runtime.prompts.words import constraints, one_line


@dataclass(frozen=True)
class Prior:
    """What earlier rounds left: `commits` with their meaning, `changed` as lines of a bounded summary."""

    commits: tuple[str, ...]
    changed: tuple[str, ...]


def fix_prompt(
    wgid: str, number: int, plan: Plan, place: tuple[str, str], prior: Prior, feedback: str
) -> str:
    """`fix-prompt-r{N}.md`: enough for a new session. `place` is branch and folder, `feedback` the whole."""
    branch, folder = place
    specs = "".join(f"- {spec.path}: {one_line(spec.summary)}\n" for spec in plan.specs)
    commits = "".join(f"- {commit}\n" for commit in prior.commits)
    changed = "".join(f"  {line}\n" for line in prior.changed)
    return (
        f"# KnowzCode Relay Fix — {wgid} (round {number})\n"
        "\n"
        "You are the external implementation engineer of a relay. An earlier session implemented the goal;"
        " the host reviewed it and found gaps. Close exactly these gaps.\n"
        "\n"
        f"## Goal\n{plan.goal.strip()}\n"
        "\n"
        f"## Place\nBranch {branch} in {folder}\n"
        "\n"
        f"## Specifications\n{specs}"
        "Read them; their VERIFY criteria decide.\n"
        "\n"
        f"## Work So Far\n{commits}{changed}"
        "\n"
        f"## Constraints\n{constraints(plan)}"
        "\n"
        f"{feedback}"
    )


def continue_prompt(wgid: str, number: int, prompt: str) -> str:
    """`continue-prompt-r{N}.md`: the same session goes on. `prompt` is the path of what it was told first."""
    return (
        f"# KnowzCode Relay Continuation — {wgid} (round {number})\n"
        "\n"
        "Your turn was cut off before it ended. The files are as you left them; nothing was committed or"
        " reverted. Look at git status and git diff, complete the work, and end with the report that you"
        f" were asked for. What you were asked is in {prompt}; its constraints still hold: do not commit,"
        " push or switch branches, and do not modify files under knowzcode/.\n"
    )


def recovery_prompt(prompt: str, commits: tuple[str, ...], changed: tuple[str, ...]) -> str:
    """`recovery-prompt-r{N}.md`: what the lost session was told, and what it left. Enough for a new one."""
    listed = "".join(f"- {commit}\n" for commit in commits)
    lines = "".join(f"  {line}\n" for line in changed) or "  nothing yet\n"
    return (
        f"{prompt.rstrip()}\n"
        "\n"
        "## After a Lost Session\n"
        "An earlier session worked on exactly this and ended before its report. Its files are as it left"
        " them; nothing was reverted. Look at git status and git diff, keep what is right, and complete the"
        " work.\n"
        f"{listed}"
        "Changed since this round began:\n"
        f"{lines}"
    )
