"""Does a request in plain English say who implements? A small grammar without I/O or memory.

Reading order: `masking` blanks quotations and code, `tokens` cuts sentences, `agents` finds who is mentioned,
`clauses` finds where a clause begins and hands it to `directives` and `refusals`, `decision` counts the
claims. The vocabulary is in `words`.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from relay_runtime.intent.claims import Claim
from relay_runtime.intent.clauses import Reader
from relay_runtime.intent.decision import AUTOMATIC, tally
from relay_runtime.intent.masking import mask
from relay_runtime.intent.tokens import sentences


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


def read_intent(text: str, host: str) -> Intent:
    """Read a request of any length, in time proportional to it."""
    reader = Reader(host)
    claims = [claim for sentence in sentences(mask(text)) for claim in reader.read(sentence)]
    counted = tally(claims, host)
    chosen = dict(counted.chosen)
    if AUTOMATIC in chosen and len(chosen) > 1:  # "the other agent, Codex": the name says more
        complement = "codex" if host == "claude" else "claude"
        if complement in chosen:
            del chosen[AUTOMATIC]
    if counted.open is not None or len(chosen) > 1:
        deciding = [counted.open] if counted.open is not None else list(chosen.values())
        return Intent(Verdict.UNCLEAR, matched=_words(deciding), role="unclear")
    if chosen and counted.native is None:
        ((name, claim),) = chosen.items()
        return Intent(Verdict.DELEGATED, selector=name, matched=_words([claim]), role="implement")
    if chosen:
        ((name, claim),) = chosen.items()
        return Intent(Verdict.DELEGATED, selector=name, matched=_words([claim]), role="implement")
    refusing = counted.native or counted.refused
    if refusing is not None:
        return Intent(Verdict.REFUSED, matched=_words([refusing]), role="refusal")
    return Intent(Verdict.SILENT)


def _words(claims: list[Claim]) -> str:
    return " / ".join(" ".join(claim.words) for claim in claims)
