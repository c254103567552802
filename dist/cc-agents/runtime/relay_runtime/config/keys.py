"""Every setting: its key, flag, default and limits. The reference in docs/ is checked against this."""

from __future__ import annotations

from typing import NamedTuple

SELECTORS = ("none", "auto", "other", "claude", "codex")
TRANSPORTS = ("auto", "mcp", "exec")
TARGETS = ("codex", "claude")

EFFORTS = {
    "codex": ("none", "minimal", "low", "medium", "high", "xhigh", "max", "ultra"),
    "claude": ("low", "medium", "high", "xhigh", "max"),
}
SANDBOXES = ("workspace-write", "danger-full-access")
PERMISSION_MODE = "dontAsk"
REFUSED_PERMISSION_MODE = "bypassPermissions"

FIX_ROUNDS = (1, 3)
TIMEOUT_FLOOR = {"codex": 7, "claude": 12}
TIMEOUT_CEILING = 7 * 24 * 60


class Key(NamedTuple):
    """`target` is empty for settings of both. `default` is None for "not set"."""

    field: str
    name: str
    default: str | None
    target: str = ""
    flag: str = ""
    legacy: str = ""


SELECTOR = Key("selector", "relay", "none", flag="--relay")

SHARED = (
    Key("transport", "relay_transport", "auto"),
    Key("max_fix_rounds", "relay_max_fix_rounds", "2", flag="--relay-max-fix-rounds"),
    Key("timeout_minutes", "relay_timeout_minutes", "90"),
)
CODEX = (
    Key("model", "relay_codex_model", "gpt-5.6-sol", "codex", "--relay-model", "relay_model"),
    Key("effort", "relay_codex_effort", "xhigh", "codex", "--relay-effort", "relay_effort"),
    Key("fix_effort", "relay_codex_fix_effort", "high", "codex", legacy="relay_fix_effort"),
    Key("sandbox", "relay_codex_sandbox", "workspace-write", "codex", legacy="relay_sandbox"),
)
CLAUDE = (
    Key("model", "relay_claude_model", "opus", "claude", "--relay-model"),
    Key("effort", "relay_claude_effort", "high", "claude", "--relay-effort"),
    Key("fix_effort", "relay_claude_fix_effort", "high", "claude"),
    Key("permission_mode", "relay_claude_permission_mode", PERMISSION_MODE, "claude"),
    Key("max_budget_usd", "relay_claude_max_budget_usd", None, "claude"),
)
# KnowzCode's own settings that a relay has to look at; they are no relay settings.
NEIGHBOURS = (
    Key("profile", "profile", None),
    Key("execute_on_fable", "execute_on_fable", "false"),
    Key("max_builders", "max_builders", None),
)

RELAY_KEYS = (SELECTOR, *SHARED, *CODEX, *CLAUDE)
READ = frozenset(
    name for key in (*RELAY_KEYS, *NEIGHBOURS) for name in (key.name, key.legacy) if name
)  # everything else in the file is left to others


def of_target(target: str) -> dict[str, Key]:
    """The keys that a target's settings come from, by field; the other target's are not among them."""
    own = {"codex": CODEX, "claude": CLAUDE}[target]
    return {key.field: key for key in (*SHARED, *own, *NEIGHBOURS)}


def target_of(host: str) -> str:
    """The one target that a host can relay to."""
    return next(target for target in TARGETS if target != host)
