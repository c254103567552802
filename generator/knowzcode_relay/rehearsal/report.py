"""A rehearsal in words and in JSON."""

import shlex

from knowzcode_relay.errors import Exit
from knowzcode_relay.rehearsal.host import Step
from knowzcode_relay.rehearsal.play import Played
from knowzcode_relay.result import Result


def step_lines(step: Step, state: str) -> tuple[str, ...]:
    """One command of the host: what it was, what it answered, and how the relay stands after it."""
    stands = (f"  = {state}",) if state else ()
    return (
        f"$ {shlex.join(step.argv)}",
        f"  exit {step.exit}",
        *(f"  {line}" for line in step.lines),
        *stands,
    )


def verdict(played: Played) -> Result:
    """Exit 0 only when the relay is DONE and every check held."""
    kept = (f"The folder is kept: {played.folder}",) if played.folder else ()
    checks = tuple(
        f"{'held' if each.held else 'FAILED'}: {each.name}{'' if each.held else f' ({each.problem})'}"
        for each in played.checks
    )
    failed = sum(not each.held for each in played.checks)
    outcome = (
        f"DONE, {len(checks)} checks held"
        if played.done
        else f"FAILED, {failed} of {len(checks)} checks; the relay is {played.relay['State'] or 'not there'}"
    )
    words = f"{played.host} → {played.target}: {outcome}"
    hint = "" if played.done or played.folder else "Look at what it left: rehearse again with --keep."
    return Result(
        message=words,
        exit=Exit.DONE if played.done else Exit.FAILED,
        lines=(*checks, *kept, f"verdict: {words}"),
        hint=hint,
        data={
            "host": played.host,
            "target": played.target,
            "relay": played.relay.as_data(),
            "steps": [
                {"argv": list(step.argv), "exit": step.exit, "lines": list(step.lines)}
                for step in played.steps
            ],
            "checks": [
                {"name": each.name, "held": each.held, "problem": each.problem} for each in played.checks
            ],
            "folder": str(played.folder) if played.folder else None,
        },
    )
