"""From all claims of a request to one answer."""

from __future__ import annotations

from collections.abc import Iterable

from relay_runtime.intent.agents import ANYONE, HOST
from relay_runtime.intent.claims import Claim
from relay_runtime.intent.roles import Role

AUTOMATIC = "other"


class Tally:
    """Who is to implement so far. Claims are counted in the order in which they were made."""

    def __init__(self, host: str) -> None:
        self.host = host
        self.chosen: dict[str, Claim] = {}
        self.native: Claim | None = None
        self.refused: Claim | None = None
        self.open: Claim | None = None  # both are named and nothing tells them apart

    def count(self, claim: Claim) -> None:
        if claim.role is not Role.IMPLEMENT or (ANYONE in claim.names and not claim.negated):
            return
        if claim.negated:
            self._deny(claim)
        elif claim.names == (HOST,):
            self._native(claim)
        elif claim.hedged and self.chosen and not set(claim.names) <= set(self.chosen):
            self.open = claim
        elif len(claim.names) > 1:
            self.open = claim
            self.native = self.refused = None
        else:
            self._choose(claim)

    def _deny(self, claim: Claim) -> None:
        self.refused = claim
        for name in list(self.chosen):
            if name in claim.names or claim.names == (ANYONE,):
                del self.chosen[name]
        if claim.names == (ANYONE,) or len(claim.names) > 1:
            self.open = None

    def _native(self, claim: Claim) -> None:
        if claim.corrects:
            self.chosen.clear()
            self.open = None
        self.native = claim

    def _choose(self, claim: Claim) -> None:
        if claim.corrects:
            self.chosen.clear()
            self.open = None
        self.refused = self.native = None if claim.corrects else self.native
        self.chosen.setdefault(claim.names[0], claim)


def tally(claims: Iterable[Claim], host: str) -> Tally:
    """Count the claims; weak ones only where no other one delegates."""
    listed = list(claims)
    firm = [claim for claim in listed if not claim.weak]
    if any(claim.role is Role.IMPLEMENT and not claim.negated and claim.names != (HOST,) for claim in firm):
        listed = firm
    counted = Tally(host)
    for claim in listed:
        counted.count(claim)
    return counted
