"""The four `--relay…` flags of a request.

They count in the run of flags that a request begins with, and on its argument line, the first line
that holds anything else. Quotations and code never count, later lines never do, and on the argument
line a flag that is spoken *about* ("document the --relay=codex flag") is text.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from relay_runtime.config import SELECTORS, Flags
from relay_runtime.errors import UsageError
from relay_runtime.intent.masking import MASK, mask
from relay_runtime.intent.words import word_set

NAMES = ("relay", "relay-model", "relay-effort", "relay-max-fix-rounds")

_WORD = r"[^\s\0]+\0*|\0+"
_FLAG = r"(?s)--(relay(?:-[^\s=]*)?)(?:=(.*))?"
# A flag is spoken about when one of these stands right before it or right behind it.
_BEFORE = word_set(
    "a an the our your its this that each every new about what how where why whether if like called named "
    "document describe explain mention support parse test rename remove"
)
_BEHIND = word_set("flag flags option options argument arguments switch parameter does do did means is")


class Request(NamedTuple):
    """A request taken apart: the value of `--relay` if given, the other flags, and the text without them."""

    selector: str | None
    flags: Flags
    text: str


class _Found(NamedTuple):
    name: str
    value: str | None
    start: int
    end: int


def read_request(text: str) -> Request:
    """Take the flags out of `text`; an unknown, repeated-but-different or valueless one is UsageError."""
    values: dict[str, str] = {}
    rest = text
    for flag in reversed(_flags(text)):
        value = _value(flag)
        if values.setdefault(flag.name, value) != value:
            raise UsageError(
                "flags.conflict",
                f"--{flag.name} is given twice with different values: {value}, {values[flag.name]}.",
                hint="Give each flag once.",
            )
        rest = rest[: flag.start] + rest[flag.end :]
    return Request(
        selector=values.get("relay"),
        flags=Flags(
            model=values.get("relay-model"),
            effort=values.get("relay-effort"),
            max_fix_rounds=values.get("relay-max-fix-rounds"),
        ),
        text=rest,
    )


def _flags(text: str) -> list[_Found]:
    if "--relay" not in text:
        return []
    masked = mask(text)
    leading, body = _run(text, masked, 0, len(text))
    line_end = masked.find("\n", body)
    return leading + _inline(text, masked, body, len(text) if line_end < 0 else line_end)


def _run(text: str, masked: str, start: int, end: int) -> tuple[list[_Found], int]:
    """The flags that follow one another from `start`, and where the first other word begins."""
    found: list[_Found] = []
    words = re.compile(_WORD).finditer(masked, start, end)
    for word in words:
        flag = _flag(text, word)
        if flag is None:
            return found, word.start()
        if flag.value is None:
            following = re.compile(_WORD).search(masked, word.end(), end)
            if following and not following[0].startswith(("--", MASK)):
                flag = _Found(flag.name, following[0], flag.start, following.end())
                next(words)
        found.append(flag)
    return found, end


def _inline(text: str, masked: str, start: int, end: int) -> list[_Found]:
    """The flags on the rest of the argument line that are not spoken about."""
    found: list[_Found] = []
    words = list(re.compile(_WORD).finditer(masked, start, end))
    for index, word in enumerate(words):
        flag = _flag(text, word)
        if flag is None:
            continue
        before = words[index - 1][0].lower() if index else ""
        after = words[index + 1][0].lower().rstrip(".,;:!?") if index + 1 < len(words) else ""
        if before in _BEFORE or after in _BEHIND:
            continue
        if flag.value is not None:
            found.append(_Found(flag.name, flag.value.rstrip(".,;:!?)"), flag.start, flag.end))
        elif flag.name == "relay" and after in SELECTORS:
            found.append(_Found(flag.name, after, flag.start, words[index + 1].end()))
    return found


def _flag(text: str, word: re.Match[str]) -> _Found | None:
    match = None if word[0].startswith(MASK) else re.compile(_FLAG).fullmatch(text, word.start(), word.end())
    return _Found(match[1], match[2], word.start(), word.end()) if match else None


def _value(flag: _Found) -> str:
    """The flag's value without the quotes around it, checked as far as the flag alone tells."""
    if flag.name not in NAMES:
        known = ", ".join(f"--{name}=" for name in NAMES)
        raise UsageError("flags.unknown", f"There is no flag --{flag.name}.", hint=f"The flags are {known}.")
    value = (flag.value or "").strip("\"'")
    if flag.name == "relay" and value not in SELECTORS:
        raise UsageError(
            "flags.selector",
            f"--relay={value} is not one of {', '.join(SELECTORS)}.",
            hint="Use one of: " + " ".join(f"--relay={name}" for name in SELECTORS),
        )
    if not value:
        raise UsageError("flags.empty", f"--{flag.name} has no value.", hint=f"Write --{flag.name}=VALUE.")
    return value
