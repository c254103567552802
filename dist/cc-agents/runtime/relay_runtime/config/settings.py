"""What one run goes by: flag, else the target's key, else its documented legacy key, else the default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from relay_runtime.config import values
from relay_runtime.config.document import Document
from relay_runtime.config.keys import EFFORTS, SANDBOXES, SELECTOR, SELECTORS, TRANSPORTS, Key, of_target
from relay_runtime.config.values import Found
from relay_runtime.errors import Exit, RelayError

CLAUDE_MCP = "[RELAY-TRANSPORT] Claude MCP is not an agent relay. Set relay_transport: auto or exec."


@dataclass(frozen=True)
class Flags:
    """The raw words of `--relay-model=`, `--relay-effort=` and `--relay-max-fix-rounds=`; None if absent."""

    model: str | None = None
    effort: str | None = None
    max_fix_rounds: str | None = None


@dataclass(frozen=True)
class Settings:
    """`sandbox` is empty for Claude, `permission_mode` for Codex; `max_budget_usd` is per leg, or None.

    `sources` says per field `flag`, `config`, `legacy` or `default`; `keys` names the flag or key that the
    value came from, or for a default the key that would change it.
    """

    transport: str
    max_fix_rounds: int
    timeout_minutes: int
    model: str
    effort: str
    fix_effort: str
    sandbox: str
    permission_mode: str
    max_budget_usd: float | None
    profile: str
    execute_on_fable: bool
    max_builders: int | None
    sources: Mapping[str, str]
    keys: Mapping[str, str]
    warnings: tuple[str, ...]


NO_FLAGS = Flags()


def selector(document: Document) -> str:
    """The project's `relay:`, `none` without one; another word is RelayError (3)."""
    return values.one_of(find(document, SELECTOR, None), SELECTORS)


def effective(document: Document, target: str, flags: Flags = NO_FLAGS) -> Settings:
    """The settings for a leg of `target`. A refused value is RelayError: 3 in the file, 2 in a flag.

    Only keys of this target and shared ones are looked at, and only the value that wins is checked.
    """
    words = {"model": flags.model, "effort": flags.effort, "max_fix_rounds": flags.max_fix_rounds}
    found = {
        field: find(document, key, words.get(field) if key.flag else None)
        for field, key in of_target(target).items()
    }
    warnings: list[str] = list(document.warnings)
    for field, usable in values.FORGIVING.items():
        found[field] = usable(found[field], warnings)
    transport = values.one_of(found["transport"], TRANSPORTS)
    if target == "claude" and transport == "mcp":
        raise RelayError("transport.claude-mcp", CLAUDE_MCP, exit=Exit.HALT)
    return Settings(
        transport=transport,
        max_fix_rounds=values.fix_rounds(found["max_fix_rounds"], warnings),
        timeout_minutes=values.timeout_minutes(found["timeout_minutes"], target, warnings),
        model=values.model(found["model"]),
        effort=values.one_of(found["effort"], EFFORTS[target]),
        fix_effort=values.one_of(found["fix_effort"], EFFORTS[target]),
        sandbox=values.sandbox(found["sandbox"], SANDBOXES) if "sandbox" in found else "",
        permission_mode=values.permission_mode(found["permission_mode"], warnings)
        if "permission_mode" in found
        else "",
        max_budget_usd=values.budget(found["max_budget_usd"]) if "max_budget_usd" in found else None,
        profile=found["profile"].text or "",
        execute_on_fable=values.is_true(found["execute_on_fable"]),
        max_builders=values.whole(found["max_builders"]),
        sources={field: each.source for field, each in found.items()},
        keys={field: each.name for field, each in found.items()},
        warnings=tuple(warnings),
    )


def find(document: Document, key: Key, flag: str | None) -> Found:
    """Where the value of `key` comes from; null counts as not set."""
    if flag is not None:
        return Found(key, flag, "flag", key.flag)
    for source, name in (("config", key.name), ("legacy", key.legacy)):
        entry = document.entries.get(name)
        if entry is not None and entry.value is not None:
            return Found(key, entry.value, source, name, f"{document.name}:{entry.line}: ")
    return Found(key, key.default, "default", key.name)
