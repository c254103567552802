"""What the text of a setting means: checked, clamped with a warning, or refused with its place."""

from __future__ import annotations

import math
import re
from typing import Callable, NamedTuple

from relay_runtime.config.keys import (
    FIX_ROUNDS,
    PERMISSION_MODE,
    REFUSED_PERMISSION_MODE,
    TIMEOUT_CEILING,
    TIMEOUT_FLOOR,
    Key,
)
from relay_runtime.config.shown import shown
from relay_runtime.errors import Exit, RelayError, UsageError

# Compiled when used; most of them are not.
_WHOLE = r"[+-]?[0-9]+"
_DECIMAL = r"\+?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_MODEL = r"(?a)[A-Za-z0-9][\w.:@+\[\]-]*"
_TRUE = ("true", "yes", "on")
_FALSE = ("false", "no", "off")


class Found(NamedTuple):
    """The text that won. `name` is the flag or key it stands under, `place` "file:line: " or empty."""

    key: Key
    text: str | None
    source: str
    name: str
    place: str = ""

    def says(self) -> str:
        """`file:line: key: value`, or `--flag=value`."""
        if self.source == "flag":
            return f"{self.name}={shown(self.text or '')}"
        return f"{self.place}{self.name}: {shown(self.text or '')}"


def one_of(found: Found, allowed: tuple[str, ...]) -> str:
    if found.text not in allowed:
        raise refused(found, "is not one of its values", "One of: " + " ".join(allowed))
    return found.text


def model(found: Found) -> str:
    """A model name that is safe as one argument. The form `name/effort` is refused, never split."""
    text = found.text or ""
    if "/" in text:
        raise refused(
            found,
            "holds a slash, and a model name has none",
            "An effort is a setting of its own: --relay-effort=, or the target's effort key.",
        )
    if not re.fullmatch(_MODEL, text):
        raise refused(found, "is no model name", "Letters, digits and . _ : @ + - [ ] make a model name.")
    return text


def sandbox(found: Found, allowed: tuple[str, ...]) -> str:
    if found.text == "read-only":
        raise refused(
            found, "cannot be used: the target has to write", "Remove it, or set: " + " ".join(allowed)
        )
    return one_of(found, allowed)


def permission_mode(found: Found, warnings: list[str]) -> str:
    text = found.text or ""
    if text.casefold() == REFUSED_PERMISSION_MODE.casefold():
        raise refused(found, "is never used for a relay", f"Remove it, or set: {PERMISSION_MODE}")
    if text != PERMISSION_MODE:
        warnings.append(f"{found.says()} is not supported unattended; {PERMISSION_MODE} is used.")
    return PERMISSION_MODE


def budget(found: Found) -> float | None:
    """Dollars per leg, more than zero and finite; None without one."""
    if found.text is None:
        return None
    amount = float(found.text) if re.fullmatch(_DECIMAL, found.text) else math.nan
    if not 0 < amount < math.inf:
        raise refused(found, "is no amount above zero", "Set dollars such as 2.5, or null for no budget.")
    return amount


def fix_rounds(found: Found, warnings: list[str]) -> int:
    low, high = FIX_ROUNDS
    return _clamped(found, low, high, warnings)


def timeout_minutes(found: Found, target: str, warnings: list[str]) -> int:
    return _clamped(found, TIMEOUT_FLOOR[target], TIMEOUT_CEILING, warnings)


def is_true(found: Found) -> bool:
    return (found.text or "").lower() in _TRUE


def whole(found: Found) -> int | None:
    """The whole number, or None where nothing or something else stands."""
    if found.text is None or not re.fullmatch(_WHOLE, found.text):
        return None
    # Python refuses to convert thousands of digits; a number that long is beyond every limit anyway.
    return int(found.text[:19])


def refused(found: Found, why: str, hint: str) -> RelayError:
    if found.source == "flag":
        return UsageError(f"flag.{found.key.field}", f"{found.says()} {why}.", hint=hint)
    return RelayError(f"config.{found.key.field}", f"{found.says()} {why}.", exit=Exit.HALT, hint=hint)


def _clamped(found: Found, low: int, high: int, warnings: list[str]) -> int:
    number = whole(found) or 0
    kept = min(max(number, low), high)
    if kept != number:
        bound = "least" if kept == low else "most"
        warnings.append(f"{found.says()} is out of range; {kept}, the {bound} allowed, is used.")
    return kept


def _number(found: Found, warnings: list[str]) -> Found:
    if whole(found) is not None:
        return found
    if found.source == "flag":
        raise refused(found, "is no whole number", f"Example: {found.name}={found.key.default}")
    return _default(found, "is no whole number", warnings)


def _boolean(found: Found, warnings: list[str]) -> Found:
    if (found.text or "").lower() in (*_TRUE, *_FALSE):
        return found
    return _default(found, "is neither true nor false", warnings)


def _default(found: Found, why: str, warnings: list[str]) -> Found:
    key = found.key
    warnings.append(f"{found.says()} {why}; the default {key.default} is used.")
    return Found(key, key.default, "default", key.name)


# What makes a bad value of these fields give way to the default, with a warning. A flag is refused instead.
FORGIVING: dict[str, Callable[[Found, list[str]], Found]] = {
    "max_fix_rounds": _number,
    "timeout_minutes": _number,
    "execute_on_fable": _boolean,
}
