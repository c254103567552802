"""What one clause says about who does what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from relay_runtime.intent.roles import Role
from relay_runtime.intent.tokens import Token


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
