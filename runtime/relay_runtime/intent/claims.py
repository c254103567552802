"""What one clause says about who does what, and what it leaves behind for the next one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from relay_runtime.intent.cursor import word_at
from relay_runtime.intent.roles import Role, VerbPhrase
from relay_runtime.intent.tokens import Token, Tokens
from relay_runtime.intent.words import base_in


class Claim(NamedTuple):
    """`names` (providers, `other`, the host or anyone) have `role`, or are not to have it.

    `words` are the deciding words as written. A hedged claim ("or maybe Codex") leaves things open, a
    correcting one replaces what was said before, a weak one yields to any that is not.
    """

    names: tuple[str, ...]
    role: Role
    words: tuple[str, ...]
    negated: bool = False
    hedged: bool = False
    corrects: bool = False
    weak: bool = False
    vocative: bool = False


class Reading(NamedTuple):
    """The claims of one clause and where it ends."""

    claims: tuple[Claim, ...]
    end: int


def reading(
    tokens: Sequence[Token],
    names: tuple[str, ...],
    role: Role,
    places: Iterable[int],
    end: int,
    *,
    negated: bool = False,
    weak: bool = False,
) -> Reading:
    """One claim, its words taken from `places` in order."""
    chosen = tuple(
        tokens[place].raw for place in sorted(set(places)) if 0 <= place < len(tokens) and tokens[place].raw
    )
    return Reading((Claim(names, role, chosen, negated=negated, weak=weak),), end)


def marked(found: Reading, *, hedged: bool, corrects: bool) -> Reading:
    """`found` with what its opening words add."""
    if not (hedged or corrects):
        return found
    return Reading(
        tuple(claim._replace(hedged=hedged, corrects=corrects) for claim in found.claims), found.end
    )


class Scene:
    """What the clauses read so far leave behind for the next one."""

    def __init__(
        self, antecedent: tuple[str, ...] = (), labels: bool = False, role: VerbPhrase | None = None
    ) -> None:
        self.antecedent = antecedent  # whom "it" or "them" means
        self.labels = labels  # "Codex: plan" was read, so "Claude: implement" is one too
        self.role = role  # what a pro-verb ("Codex does") repeats
        self.negated = self.wish = self.gerund = self.hedged = False  # what opens the clause
        self.elliptic = False  # "have Claude plan and Codex implement": the second verb needs no "have"
        self.documents = False  # an earlier clause made something that "it" may mean instead
        self.main: VerbPhrase | None = None  # the work that a plain imperative of this sentence asks for
        self.preamble: VerbPhrase | None = None  # "for the coding, …"


def verb_here(tokens: Tokens, start: int, among: frozenset[str], scene: Scene) -> str | None:
    """The verb at `start` if it is one of these in the form that the opening calls for."""
    word = word_at(tokens, start)
    base = base_in(word, "gerund") if scene.gerund else base_in(word, "base")
    if base is None and scene.wish:
        base = base_in(word, "past")
    if base is None and word == "like":
        base = "like"
    return base if base in among else None
