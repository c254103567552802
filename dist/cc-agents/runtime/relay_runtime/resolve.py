"""Which agent implements: the selector, where it came from, the target, and what follows from it."""

from __future__ import annotations

import contextlib
import importlib
from enum import Enum
from typing import Callable, NamedTuple

from relay_runtime.config import SELECTORS, Document, Flags, effective, selector
from relay_runtime.config.keys import TARGETS, target_of
from relay_runtime.errors import UsageError
from relay_runtime.flags import read_request
from relay_runtime.intent import Intent, Verdict, read_intent

AUTOMATIC = ("auto", "other")
NAMED_SOURCES = ("flag-named", "natural-named")
RELAY_SOURCES = (*NAMED_SOURCES, "flag-automatic", "natural-automatic", "config", "entry-default")

_FORMAT = "r1"
_NO_DOCUMENT = Document("", exists=False)


class Action(Enum):
    """What the host does now."""

    RELAY = "relay"
    NATIVE = "native"
    HALT = "halt"
    CLARIFY = "clarify"


class Resolution(NamedTuple):
    """One request's answer. `target` is set exactly when the action is relay.

    `matched` are the request's words that decided, `role` what they say; both are empty otherwise.
    """

    host: str
    selector: str
    source: str
    target: str | None
    action: Action
    flags: Flags
    request_sha256: str
    matched: str = ""
    role: str = ""

    @property
    def is_fallback(self) -> bool:
        """The configuration names the host itself, so the work is native and that has to be said."""
        return self.action is Action.NATIVE and self.selector == self.host


def resolve(text: str, *, host: str, entry: str, load_document: Callable[[], Document]) -> Resolution:
    """Flag, then plain language, then configuration, then the entry's default; writes nothing.

    The configuration is only loaded when it is its turn. A flag's bad value is RelayError (2).
    """
    request = read_request(text)
    intent = read_intent(request.text, host) if request.selector is None else Intent(Verdict.SILENT)
    if request.selector is not None:
        chosen, source = request.selector, _flag_source(request.selector)
    elif intent.verdict is not Verdict.SILENT:
        chosen, source = _said(intent)
    else:
        chosen, source = _unsaid(entry, load_document)
    action = _action(chosen, source, host)
    target = target_of(host) if action is Action.RELAY else None
    if target is not None:
        effective(_NO_DOCUMENT, target, request.flags)
    return Resolution(
        host=host,
        selector=chosen,
        source=source,
        target=target,
        action=action,
        flags=request.flags,
        request_sha256=_sha256(text),
        matched=intent.matched,
        role=intent.role,
    )


def encode_token(resolution: Resolution, host: str) -> str:
    """A relay's resolution as one word of letters, digits, `-` and `_`."""
    flags = resolution.flags
    settings = (flags.model, flags.effort, flags.max_fix_rounds)
    fields = (
        resolution.request_sha256,
        host,
        resolution.selector,
        resolution.source,
        resolution.target or "",
        *("" if value is None else "x" + value.encode().hex() for value in settings),
    )
    body = "_".join(fields)
    return f"{_FORMAT}_{_checksum(body)}_{body}"


def decode_token(token: str) -> Resolution:
    """The resolution in `token`; damaged, made by another version or contradicting itself is UsageError.

    Whether its host is the host of the caller is for the caller to compare.
    """
    version, _, rest = token.partition("_")
    checksum, _, body = rest.partition("_")
    if version != _FORMAT:
        raise _bad_token("was not made by this version")
    if checksum != _checksum(body):
        raise _bad_token("is damaged")
    try:
        digest, host, chosen, source, target, *settings = body.split("_")
        model, effort, rounds = (bytes.fromhex(value[1:]).decode() if value else None for value in settings)
    except ValueError as error:
        raise _bad_token("is damaged") from error
    consistent = (
        host in TARGETS
        and chosen in SELECTORS
        and source in RELAY_SOURCES
        and _action(chosen, source, host) is Action.RELAY
        and target == target_of(host)
    )
    if not consistent:
        raise _bad_token("contradicts itself")
    return Resolution(host, chosen, source, target, Action.RELAY, Flags(model, effort, rounds), digest)


def _checksum(body: str) -> str:
    """Tells a mistyped token from a good one; it is no secret."""
    return _sha256(body)[:8]


def _bad_token(what: str) -> UsageError:
    return UsageError(
        "resolution.token", f"The --resolution token {what}.", hint="Run resolve again on the request."
    )


def _flag_source(chosen: str) -> str:
    if chosen == "none":
        return "none"
    return "flag-automatic" if chosen in AUTOMATIC else "flag-named"


def _said(intent: Intent) -> tuple[str, str]:
    if intent.verdict is Verdict.UNCLEAR:
        return "ambiguous", "clarify"
    if intent.verdict is Verdict.REFUSED:
        return "none", "none"
    return intent.selector, "natural-automatic" if intent.selector in AUTOMATIC else "natural-named"


def _unsaid(entry: str, load_document: Callable[[], Document]) -> tuple[str, str]:
    configured = selector(load_document())
    if configured != "none":
        return configured, "config"
    return ("other", "entry-default") if entry == "relay" else ("none", "none")


def _action(chosen: str, source: str, host: str) -> Action:
    if chosen == "ambiguous":
        return Action.CLARIFY
    if chosen == "none":
        return Action.NATIVE
    if chosen != host:
        return Action.RELAY
    return Action.HALT if source in NAMED_SOURCES else Action.NATIVE


def _sha256(text: str) -> str:
    """Hex digest, by the interpreter's own module where there is one: `hashlib` loads OpenSSL first."""
    data = text.strip().encode("utf-8", "surrogatepass")
    for name in ("_sha2", "_sha256", "hashlib"):  # 3.12 and newer, older, always there
        with contextlib.suppress(ImportError):
            return str(importlib.import_module(name).sha256(data).hexdigest())
    raise AssertionError("hashlib is part of Python")
