"""A job's header: `key: value` lines up to a line `---`, then the task. Pure; nothing of the task is read."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Callable, TypeVar

from relay_runtime.adapters.job import Mode
from relay_runtime.jobs.backends import BACKENDS, DEFAULT, Backend, owner_of

SEPARATOR = "---"
KEYS = (
    "backend",
    "model",
    "effort",
    "mode",
    "network",
    "web-search",
    "cd",
    "add-dir",
    "brief",
    "fast",
    "grok-home",
    "kimi-home",
)

_BOM = b"\xef\xbb\xbf"
_IGNORED = ("fast", "grok-home", "kimi-home")
_REPEATED = "add-dir"
_SWITCH = {"on": True, "true": True, "yes": True, "off": False, "false": False, "no": False}
_WORD = re.compile(r"[A-Za-z0-9][\w.:@/+\[\]-]*")
_SHOWN = 80

_T = TypeVar("_T")


@dataclass(frozen=True)
class Header:
    """What a header asks for. `model` and `effort` are empty, switches None, paths empty where not stated.

    `model` is the one to name to the client. `notes` are facts that the state block tells.
    """

    backend: Backend
    mode: Mode
    model: str = ""
    effort: str = ""
    network: bool | None = None
    web_search: bool | None = None
    cd: str = ""
    add_dirs: tuple[str, ...] = ()
    brief: str = ""
    notes: tuple[str, ...] = ()


class HeaderError(Exception):
    """The header or its task is wrong. `sentence` says what; `stated` is what could be read of it."""

    def __init__(self, sentence: str, stated: dict[str, str] | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.stated = stated or {}


def split(prompt: bytes) -> tuple[bytes, bytes]:
    """The header's bytes, and the task's as they stand after the first line `---`; empty without one."""
    rest = prompt[len(_BOM) :] if prompt.startswith(_BOM) else prompt
    header = b""
    while rest:
        line, newline, rest = rest.partition(b"\n")
        if line.strip() == SEPARATOR.encode():
            return header, rest
        header += line + newline
    return header, b""


def parse(header: bytes) -> Header:
    """The header's meaning; HeaderError for anything not understood. Nothing is ignored in silence."""
    stated: dict[str, str] = {}
    try:
        folders = _read(header, stated)
        return _meaning(stated, folders)
    except HeaderError as error:
        raise HeaderError(error.sentence, stated) from None


def _read(header: bytes, stated: dict[str, str]) -> list[str]:
    """Fill `stated` from all lines that can be read, and give the folders; then raise the first mistake."""
    try:
        text = header.decode("utf-8")
    except UnicodeDecodeError as error:
        raise HeaderError("The header is not UTF-8.") from error
    folders: list[str] = []
    mistakes: list[HeaderError] = []
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip(" \t\r")
        try:
            if line:
                _take(number, line, stated, folders)
        except HeaderError as error:
            mistakes.append(error)
    if mistakes:
        raise mistakes[0]
    return folders


def _take(number: int, line: str, stated: dict[str, str], folders: list[str]) -> None:
    key, colon, value = line.partition(":")
    key, value = key.rstrip(" \t"), value.strip(" \t")
    if not colon:
        raise HeaderError(f"Line {number} of the header is not `key: value`: {_shown(line)}.")
    if key not in KEYS:
        raise HeaderError(f"The header has no key {_shown(key)}; its keys are {', '.join(KEYS)}.")
    if not value:
        raise HeaderError(f"The key {key} has no value.")
    if not value.isprintable():
        raise HeaderError(f"The value of {key} has a control character in it.")
    if key == _REPEATED:
        found = [one.strip() for one in value.split(",")]
        if not all(found):
            raise HeaderError(f"add-dir has an empty place between its commas: {_shown(value)}.")
        folders += found
    elif key in stated:
        raise HeaderError(f"The key {key} stands twice in the header.")
    else:
        stated[key] = value


def _meaning(stated: dict[str, str], folders: list[str]) -> Header:
    backend = _backend(stated)
    mode = _one_of("mode", stated.get("mode", Mode.WRITE.value), {each.value: each for each in Mode})
    network, web_search = _switch("network", stated), _switch("web-search", stated)
    for key in ("cd", "brief"):
        if key in stated:
            _absolute(key, stated[key])
    for folder in folders:
        _absolute("add-dir", folder)
    found = Header(
        backend=backend,
        mode=mode,
        model=_model(stated.get("model", ""), backend),
        effort=_word("effort", stated.get("effort", "")),
        network=network,
        web_search=web_search,
        cd=stated.get("cd", ""),
        add_dirs=tuple(dict.fromkeys(folders)),
        brief=stated.get("brief", ""),
    )
    for contradicts, sentence in _CONTRADICTIONS:
        if contradicts(found):
            raise HeaderError(sentence)
    return replace(found, notes=_notes(found, stated))


def _backend(stated: dict[str, str]) -> Backend:
    if "backend" in stated:
        return _one_of("backend", stated["backend"], BACKENDS)
    model = stated.get("model", "")
    owner = owner_of(model.partition("/")[2] or model) or _by_provider(model)
    if owner is not None and owner.name != DEFAULT:
        raise HeaderError(
            f"The model {_shown(model)} is one of {owner.name}'s, and without a backend the job would go to "
            f"{DEFAULT}; state backend: {owner.name}."
        )
    return BACKENDS[DEFAULT]


def _by_provider(model: str) -> Backend | None:
    provider, slash, _ = model.partition("/")
    named = (each for each in BACKENDS.values() if each.provider and each.provider == provider)
    return next(named, None) if slash else None


def _model(value: str, backend: Backend) -> str:
    """The model to name to the client: an OpenCode backend's always with its provider before it."""
    value = _word("model", value)
    if not backend.provider:
        if "/" in value:
            raise HeaderError(
                f"The model {_shown(value)} has a slash in it; a {backend.name} model has none, and an "
                "effort is a key of its own (effort: high)."
            )
        return value
    provider, slash, rest = value.partition("/")
    if slash and (provider != backend.provider or not rest):
        raise HeaderError(
            f"The model {_shown(value)} is not one of {backend.provider}'s, the provider of {backend.name}."
        )
    bare = rest if slash else value
    return f"{backend.provider}/{backend.aliases.get(bare, bare) or backend.default_model}"


def _word(key: str, value: str) -> str:
    """`default` is what the block shows where the client chose, so it may be said too."""
    if value in ("", "default"):
        return ""
    if _WORD.fullmatch(value) is None:
        raise HeaderError(f"The {key} {_shown(value)} is not one plain word.")
    return value


def _absolute(key: str, value: str) -> None:
    if not Path(value).is_absolute():
        raise HeaderError(f"{key} must be an absolute path, and {_shown(value)} is none.")


def _switch(key: str, stated: dict[str, str]) -> bool | None:
    return _one_of(key, stated[key], _SWITCH) if key in stated else None


def _one_of(key: str, value: str, known: dict[str, _T]) -> _T:
    if value not in known:
        raise HeaderError(f"{key} is one of {', '.join(known)}, and {_shown(value)} is none of them.")
    return known[value]


_CONTRADICTIONS: tuple[tuple[Callable[[Header], bool], str], ...] = (
    (
        lambda it: it.mode is Mode.READ_ONLY and bool(it.add_dirs),
        "add-dir is for writing, and the mode is read-only.",
    ),
    (
        lambda it: it.mode is Mode.READ_ONLY and it.network is True,
        "The mode read-only has no network, so network: on cannot be kept; state mode: write, or no network.",
    ),
    (
        lambda it: it.mode is Mode.YOLO and not it.backend.sandboxed,
        "The mode yolo is refused by OpenCode, on which kimi, grok and zcode run; state mode: write.",
    ),
    (
        lambda it: it.mode is Mode.YOLO and it.network is False,
        "The mode yolo has no sandbox, so network: off cannot be kept.",
    ),
    (
        lambda it: it.network is False and it.mode is Mode.WRITE and not it.backend.sandboxed,
        "OpenCode has no sandbox, so network: off cannot be kept on kimi, grok and zcode.",
    ),
)


def _notes(found: Header, stated: dict[str, str]) -> tuple[str, ...]:
    notes: list[str] = []
    if "mode" not in stated:
        notes.append("the mode was not stated, so it is write; Relay's default was yolo")
    notes += [f"the key {key} is accepted and changes nothing" for key in _IGNORED if key in stated]
    if found.mode is Mode.YOLO and found.add_dirs:
        notes.append("add-dir changes nothing in the mode yolo, which may write everywhere")
    return tuple(notes)


def _shown(value: str) -> str:
    """A value inside a sentence: short, and nothing in it can end a line."""
    clean = "".join(char if char.isprintable() else "?" for char in value)
    return f"`{clean if len(clean) <= _SHOWN else clean[: _SHOWN - 1] + '…'}`"
