"""`brief-r0.md`: the first prompt, complete in itself."""

from __future__ import annotations

from relay_runtime.inputs.plan import Plan, Spec
from relay_runtime.prompts.words import REPORT, constraints, one_line


def brief(wgid: str, plan: Plan, missing: frozenset[str]) -> str:
    """The prompt of round 0. `missing` are the spec paths that are not there; only they are spelled out."""
    return (
        f"# KnowzCode Relay Brief — {wgid} (round 0)\n"
        "\n"
        "## Mission\n"
        "You are the external implementation engineer. The host has planned this work and a person has"
        " approved its Change Set and specs. Read every spec listed below, decide only the details that"
        " they leave open, and implement all of it.\n"
        "\n"
        f"## Goal\n{plan.goal.strip()}\n"
        "\n"
        f"## Change Set\n{_changes(plan)}"
        "\n"
        f"## Specifications\n{_specs(plan, missing)}"
        "Read every listed file. Its VERIFY criteria decide whether the work is accepted.\n"
        "\n"
        f"## Constraints\n{constraints(plan)}"
        "\n"
        f"{REPORT}"
    )


def _changes(plan: Plan) -> str:
    """Numbered in the order of work."""
    lines: list[str] = []
    for number, change in enumerate(plan.change_set, 1):
        after = f" (after {', '.join(change.depends_on)})" if change.depends_on else ""
        lines.append(f"{number}. {change.id}{after}: {one_line(change.description)}\n")
    return "".join(lines)


def _specs(plan: Plan, missing: frozenset[str]) -> str:
    return "".join(
        _missing(plan, spec) if spec.path in missing else f"- {spec.path}: {one_line(spec.summary)}\n"
        for spec in plan.specs
    )


def _missing(plan: Plan, spec: Spec) -> str:
    described = "; ".join(one_line(one.description) for one in plan.change_set if one.id == spec.id)
    known = f"{one_line(spec.summary)}{f' — {described}' if described else ''}"
    return f"- [SPEC_ISSUE] {spec.path} does not exist. All that is known of {spec.id}: {known}\n"
