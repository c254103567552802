"""From all claims of a request to one answer."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from relay_runtime.intent.agents import ANYONE, HOST, OTHER
from relay_runtime.intent.claims import Claim
from relay_runtime.intent.roles import Role
from relay_runtime.intent.words import NAMES


class Verdict(Enum):
    """What a request says about who implements."""

    SILENT = "silent"
    DELEGATED = "delegated"
    REFUSED = "refused"
    UNCLEAR = "unclear"


class Intent(NamedTuple):
    """`selector` is `claude`, `codex` or `other` when delegated; `matched` are the deciding words only."""

    verdict: Verdict
    selector: str = ""
    matched: str = ""
    role: str = ""


def decide(claims: Sequence[Claim], host: str) -> Intent:
    """Weigh the claims in the order in which they were made."""
    told = [claim for claim in claims if claim.vocative]
    if len({claim.names for claim in told}) > 1:  # "Codex: implement the API. Claude: implement the UI."
        return Intent(Verdict.UNCLEAR, matched=_words(*told), role="unclear")
    counted = _Tally(NAMES[1 - NAMES.index(host)])
    for claim in _heard([claim for claim in claims if not (claim.vocative and claim.names == (host,))]):
        counted.count(claim)
    return counted.answer()


def _heard(claims: Sequence[Claim]) -> list[Claim]:
    """What bears on the implementation; weak claims only where nothing firmer delegates."""
    implementing = [claim for claim in claims if claim.role is Role.IMPLEMENT]
    firm = [claim for claim in implementing if not claim.weak]
    delegated = any(not (claim.negated or claim.hedged) and claim.names != (HOST,) for claim in firm)
    return firm if delegated else implementing


class _Tally:
    """Who is to implement so far. `complement` is the provider that is not the host."""

    def __init__(self, complement: str) -> None:
        self.complement = complement
        self.chosen: dict[str, Claim] = {}
        self.native: Claim | None = None  # the host itself is to implement
        self.refused: Claim | None = None
        self.open: Claim | None = None  # two are named and nothing tells them apart

    def count(self, claim: Claim) -> None:
        if claim.corrects and not claim.hedged:
            self.chosen.clear()
            self.native = self.open = None
        if claim.negated:
            self._deny(claim)
        elif HOST in claim.names and claim.hedged and self.chosen:
            self.open = claim  # "maybe Codex, or maybe you"
        elif HOST in claim.names:
            self.native = claim
        elif ANYONE in claim.names:
            return
        elif len(claim.names) > 1 or (claim.hedged and self._differs(claim)):
            self.open = claim
        else:
            self.refused = None
            for name in claim.names:
                self.chosen.setdefault(name, claim)

    def answer(self) -> Intent:
        if self.complement in self.chosen:
            self.chosen.pop(OTHER, None)  # "the other agent, Codex": the name says more
        if self.open is not None:
            return Intent(Verdict.UNCLEAR, matched=_words(self.open), role="unclear")
        if len(self.chosen) > 1:
            return Intent(Verdict.UNCLEAR, matched=_words(*self.chosen.values()), role="unclear")
        for name, claim in self.chosen.items():
            return Intent(Verdict.DELEGATED, selector=name, matched=_words(claim), role="implement")
        refusing = self.native or self.refused
        if refusing is not None:
            return Intent(Verdict.REFUSED, matched=_words(refusing), role="refusal")
        return Intent(Verdict.SILENT)

    def _differs(self, claim: Claim) -> bool:
        return bool(self.chosen) and not self.chosen.keys() & set(claim.names)

    def _deny(self, claim: Claim) -> None:
        self.refused = claim
        denied = set(claim.names)
        if denied & {OTHER, self.complement}:
            denied |= {OTHER, self.complement}
        for name in list(self.chosen):
            if name in denied or ANYONE in denied:
                del self.chosen[name]
        if ANYONE in denied or len(claim.names) > 1:
            self.open = None


def _words(*claims: Claim) -> str:
    return " / ".join(" ".join(claim.words) for claim in claims)
