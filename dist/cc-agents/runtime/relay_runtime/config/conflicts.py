"""KnowzCode settings that meet a relay."""

from __future__ import annotations

from relay_runtime.config.settings import Settings
from relay_runtime.errors import Exit, RelayError

ADVISOR = "advisor"


def announce_conflicts(settings: Settings) -> tuple[str, ...]:
    """Lines for what a relay leaves aside; `profile: advisor` is RelayError (3)."""
    if settings.profile == ADVISOR:
        raise RelayError(
            "conflict.profile",
            "profile: advisor routes a native builder, and a relay replaces that builder.",
            exit=Exit.HALT,
            hint="Set profile: frontier or profile: teams, or work without a relay.",
        )
    lines: list[str] = []
    if settings.execute_on_fable:
        lines.append("execute_on_fable: true is ignored for the implementation; the target executes.")
    if settings.max_builders is not None and settings.max_builders > 1:
        lines.append(f"max_builders: {settings.max_builders} is ignored; the target is one process.")
    return tuple(lines)
