"""Another model or effort in the middle of a relay: only when this call asks for it, and written down."""

from __future__ import annotations

from dataclasses import replace

from relay_runtime import config
from relay_runtime.config import Flags, Settings
from relay_runtime.context import Context
from relay_runtime.state.store import Stored

NO_ESCALATION = Flags()


def escalated(stored: Stored, flags: Flags, context: Context) -> Stored:
    """The relay with the settings that were asked for; they are written with the launch's announcement."""
    if flags == NO_ESCALATION:
        return stored
    asked = config.effective(config.load(context.project()), stored.relay.target, flags)
    before = stored.record.settings
    changes: dict[str, str] = {}
    if flags.model is not None:
        changes["model"] = asked.model
    if flags.effort is not None:
        changes.update(effort=asked.effort, fix_effort=asked.effort)
    sources = {**before.sources, **dict.fromkeys(changes, "flag")}
    settings = replace(before, **changes, sources=sources)  # type: ignore[arg-type]  both kinds are texts
    return replace(stored, record=replace(stored.record, settings=settings))


def escalation_words(flags: Flags) -> tuple[str, ...]:
    """The same wish, to be typed again."""
    named = (("--model", flags.model), ("--effort", flags.effort))
    return tuple(word for name, value in named if value is not None for word in (name, value))


def escalation_lines(before: Settings, stored: Stored) -> tuple[str, ...]:
    """What was escalated."""
    now = stored.record.settings
    efforts = [one.fix_effort if stored.relay.round else one.effort for one in (before, now)]
    pairs = (("model", before.model, now.model), ("effort", *efforts))
    return tuple(
        f"[RELAY-ESCALATION] {name}: {old} → {new}, from this attempt on"
        for name, old, new in pairs
        if old != new
    )
