"""Whether a relay may start at all: tier, gate, the resolution, the settings. Nothing is touched."""

from __future__ import annotations

from dataclasses import dataclass

from relay_runtime import config, rehearsal
from relay_runtime.answer import Answer, Next
from relay_runtime.attempts.environment import child_environment
from relay_runtime.config import Settings
from relay_runtime.context import Context
from relay_runtime.errors import Exit, RelayError, UsageError
from relay_runtime.relay import transport
from relay_runtime.resolve import Resolution, decode_token


@dataclass(frozen=True)
class Admitted:
    """A relay's target and settings; `lines` say what of the configuration it leaves aside."""

    resolution: Resolution
    target: str
    settings: Settings
    transport: str
    lines: tuple[str, ...]


def skip_of(tier: int) -> Answer | None:
    """The visible skip (exit 5) of a tier that does not relay."""
    if tier == 3:
        return None
    line = f"[RELAY-SKIP] Tier {tier} — relay is Tier 3 only, running native Phase 2A"
    return Answer(
        message=line.partition("] ")[2],
        exit=Exit.NATIVE,
        lines=(line,),
        next=Next(step="go on natively"),
        data={"tier": tier},
    )


def admit(token: str, *, gate2: bool, context: Context) -> Admitted:
    """The relay that `token` resolved to, with the settings in force now."""
    if not gate2:
        raise RelayError(
            "start.gate2",
            "Gate #2 has not approved the specs, so nothing may be handed over.",
            exit=Exit.HALT,
            hint="Show the specs for approval, then call start with --gate2-approved.",
        )
    resolution = decode_token(token)
    if resolution.target is None or resolution.host != context.package.host:
        raise UsageError(
            "resolution.host",
            f"The token is of the {resolution.host} host; this is the {context.package.host} host.",
            hint="Run resolve again on the request.",
        )
    document = config.load(context.project())
    _check_selector(resolution, config.selector(document))
    settings = config.effective(document, resolution.target, resolution.flags)
    chosen = transport.choose(
        resolution.target,
        # A registered server would ask its own provider, on somebody's account.
        transport.EXEC if rehearsal.endpoint(context.environ) else settings.transport,
        child_environment(context.environ),
        context.project().root,
        context.clock,
    )
    lines = tuple(
        f"[RELAY-CONFIG] {line}" for line in (*settings.warnings, *config.announce_conflicts(settings))
    )
    return Admitted(resolution, resolution.target, settings, chosen.name, (*lines, *chosen.lines))


def _check_selector(resolution: Resolution, now: str) -> None:
    """The configuration counts where the request left it the choice."""
    expected = {"config": resolution.selector, "entry-default": "none"}.get(resolution.source, now)
    if now != expected:
        raise UsageError(
            "resolution.config",
            f"The configuration says relay: {now} now; it said {expected} when the request was resolved.",
            hint="Run resolve again on the request.",
        )


def isolation(settings: Settings) -> str:
    """What keeps the target in its place, in words."""
    if settings.sandbox:
        return f"sandbox {settings.sandbox}"
    return f"permission {settings.permission_mode}, strict Bash sandbox"
