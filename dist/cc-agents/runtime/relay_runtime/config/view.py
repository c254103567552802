"""The effective settings of both targets, written out with where each comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from relay_runtime.answer import Answer, Next
from relay_runtime.config.conflicts import announce_conflicts
from relay_runtime.config.document import Document
from relay_runtime.config.keys import FIX_ROUNDS, NEIGHBOURS, SELECTOR, TIMEOUT_FLOOR, of_target
from relay_runtime.config.settings import NO_FLAGS, Flags, Settings, effective, find
from relay_runtime.config.settings import selector as selector_of
from relay_runtime.config.shown import shown
from relay_runtime.errors import Exit, RelayError

TAG = "[RELAY-CONFIG]"
WARNING = "[RELAY-WARNING]"
_NEIGHBOURS = frozenset(key.field for key in NEIGHBOURS)


@dataclass(frozen=True)
class View:
    """`target` is the one that flags are meant for. A target's settings, or the refusal in their place."""

    document: Document
    target: str
    selector: str
    targets: Mapping[str, Settings | RelayError]


def view(
    document: Document, targets: tuple[str, ...], flagged: str, flags: Flags, selector_flag: str | None
) -> View:
    """The settings of `targets`, with flags for the `flagged` one.

    A bad selector is RelayError; a target's bad value is kept for its own line.
    """
    found: dict[str, Settings | RelayError] = {}
    for each in targets:
        try:
            found[each] = effective(document, each, flags if each == flagged else NO_FLAGS)
        except RelayError as error:
            found[each] = error
    return View(document, flagged, selector_of(document) if selector_flag is None else selector_flag, found)


def answer(shown: View, *, explain: bool, selector_source: str, next_step: Next) -> Answer:
    document = shown.document
    lines = [f"{TAG} file: {document.name}" + ("" if document.exists else " (missing; defaults apply)")]
    lines.append(f"{TAG} {SELECTOR.name}: {shown.selector} ({selector_source})")
    refusals = {name: each for name, each in shown.targets.items() if isinstance(each, RelayError)}
    warnings: dict[str, None] = dict.fromkeys(document.warnings)
    for name, settings in shown.targets.items():
        if isinstance(settings, RelayError):
            lines.append(f"{TAG} {name}: refused")
            lines.append(settings.as_line())
            continue
        lines += _explained(name, settings, document) if explain else [_short(name, settings)]
        warnings.update(dict.fromkeys(settings.warnings))
        if name == shown.target:
            warnings.update(dict.fromkeys(_conflicts(settings)))
    lines += [f"{WARNING} {text}" for text in warnings]
    worst = next((error for name, error in refusals.items() if _counts(error, name, shown)), None)
    return Answer(
        message=worst.message if worst else f"relay: {shown.selector}.",
        exit=worst.exit if worst else Exit.DONE,
        lines=tuple(lines),
        hint=worst.hint if worst else "",
        next=None if worst else next_step,
        data={
            **({"problem": worst.problem} if worst else {}),
            "file": document.name,
            "exists": document.exists,
            "selector": {"value": shown.selector, "source": selector_source},
            "targets": {name: _data(each, document) for name, each in shown.targets.items()},
            "limits": {"max_fix_rounds": list(FIX_ROUNDS), "timeout_minutes_floor": TIMEOUT_FLOOR},
            "warnings": list(warnings),
        },
    )


def selector_source(document: Document, flag: str | None) -> str:
    return find(document, SELECTOR, flag).source


def _counts(error: RelayError, target: str, shown: View) -> bool:
    """A bad value is a fault of the file for whoever reads it; a bad pairing only for that target's runs."""
    return error.problem != "transport.claude-mcp" or target == shown.target


def _short(target: str, settings: Settings) -> str:
    fields = [field for field in of_target(target) if field not in _NEIGHBOURS]
    return f"{TAG} {target}: " + " ".join(f"{field}={_text(settings, field)}" for field in fields)


def _explained(target: str, settings: Settings, document: Document) -> list[str]:
    return [
        f"{TAG} {target} {field} = {_text(settings, field)} ({_origin(settings, field, document)})"
        for field in of_target(target)
        if field not in _NEIGHBOURS or settings.sources[field] != "default"
    ]


def _origin(settings: Settings, field: str, document: Document) -> str:
    source, key = settings.sources[field], settings.keys[field]
    if source == "default":
        return f"default; {key}"
    line = _line(settings, field, document)
    return f"{source} {key}" + (f", line {line}" if line else "")


def _line(settings: Settings, field: str, document: Document) -> int | None:
    entry = document.entries.get(settings.keys[field])
    return entry.line if entry and settings.sources[field] in ("config", "legacy") else None


def _text(settings: Settings, field: str) -> str:
    value: object = getattr(settings, field)
    if value is None or value == "":
        return "null"
    return str(value).lower() if isinstance(value, bool) else shown(str(value))


def _conflicts(settings: Settings) -> tuple[str, ...]:
    try:
        return announce_conflicts(settings)
    except RelayError as error:
        return (error.message,)


def _data(each: Settings | RelayError, document: Document) -> dict[str, object]:
    if isinstance(each, RelayError):
        return {"refused": {"problem": each.problem, "message": each.message, "code": int(each.exit)}}
    return {
        field: {
            "value": getattr(each, field),
            "source": each.sources[field],
            "key": each.keys[field],
            "line": _line(each, field, document),
        }
        for field in each.sources
    }
