"""Speaking to an agent by its name: `Codex, please build this`, `Please build this, Codex`.

To the other one it is a delegation; to the host it is no news (`decision` knows which is which).
"""

from __future__ import annotations

from typing import NamedTuple

from relay_runtime.intent.agents import OTHER
from relay_runtime.intent.claims import Claim, Scene, reading
from relay_runtime.intent.cursor import agent_at, word_at
from relay_runtime.intent.directives import directive
from relay_runtime.intent.openers import open_clause
from relay_runtime.intent.roles import Role, VerbPhrase, verb_phrase
from relay_runtime.intent.tokens import MARK, Tokens
from relay_runtime.intent.words import word_set

_GREETINGS = word_set("hey hi hello ok okay yo dear please")
_ASKING = word_set("please kindly now then just go ahead and you")
_MODALS = word_set("can could would will")


class Address(NamedTuple):
    """What the address delegates, and where the rest of the sentence begins (0 without an address)."""

    claims: tuple[Claim, ...] = ()
    end: int = 0


def addressed(tokens: Tokens, *, labels: bool) -> Address:
    """Read the address of a sentence. `labels`: `Codex: …` gave a role before, so it does now."""
    at = _behind_greeting(tokens)
    names = agent_at(tokens, at)
    if len(names) != 1 or names == (OTHER,):
        return _closing(tokens)
    colon = _is_mark(tokens, at + 1, ":")
    marked_off = colon or _is_mark(tokens, at + 1, ",", "\u2014")
    after = at + 1 + marked_off
    asked = _behind_asking(tokens, after)
    if not marked_off and asked == after and sum(bool(token.names) for token in tokens) > 1:
        return Address()  # "claude plan, codex implement" gives roles
    found = verb_phrase(tokens, asked, ("base",))
    if found is None or found.role is not Role.IMPLEMENT:
        return Address(end=after if marked_off and asked > after else 0)
    if colon and (labels or found.object < 0):
        return Address()
    if _delegates(tokens, found.verb):
        return Address(end=after)
    return Address(_told(tokens, at, found), found.end)


def _behind_greeting(tokens: Tokens) -> int:
    at = 0
    while word_at(tokens, at) in _GREETINGS:
        at += 1
        while at < len(tokens) and tokens[at].kind == MARK:
            at += 1
    return at


def _behind_asking(tokens: Tokens, at: int) -> int:
    """Behind `please`, `can you`, `go ahead and`."""
    while word_at(tokens, at) in _ASKING or (
        word_at(tokens, at) in _MODALS and word_at(tokens, at + 1) == "you"
    ):
        at += 1
    return at


def _delegates(tokens: Tokens, start: int) -> bool:
    """Does a delegation of its own follow: `Claude, have Codex implement this`?"""
    found = directive(tokens, start, Scene())
    return found is not None and any(claim.role is Role.IMPLEMENT for claim in found.claims)


def _closing(tokens: Tokens) -> Address:
    last = len(tokens) - 1
    while last > 0 and word_at(tokens, last) in ("please", "thanks"):
        last -= 1
    names = agent_at(tokens, last)
    if last < 2 or not _is_mark(tokens, last - 1, ",") or len(names) != 1 or names == (OTHER,):
        return Address()
    opening = open_clause(tokens, 0)
    found = verb_phrase(tokens, opening.at, ("base",))
    alone = sum(bool(token.names) for token in tokens) == 1 and not opening.negated
    if found is None or not alone or found.role is not Role.IMPLEMENT or not found.is_plain:
        return Address()
    return Address(_told(tokens, last, found))


def _told(tokens: Tokens, agent: int, found: VerbPhrase) -> tuple[Claim, ...]:
    told = reading(
        tokens, agent_at(tokens, agent), Role.IMPLEMENT, (agent, found.verb, found.object), found.end
    )
    return tuple(claim._replace(vocative=True) for claim in told.claims)


def _is_mark(tokens: Tokens, index: int, *marks: str) -> bool:
    return 0 <= index < len(tokens) and tokens[index].kind == MARK and tokens[index].word in marks
