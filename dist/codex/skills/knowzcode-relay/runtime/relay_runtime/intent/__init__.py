"""Does a request in plain English say who implements? A small grammar without I/O or memory.

Reading order: `masking` blanks quotations and code, `tokens` cuts sentences, `agents` finds who is mentioned,
`clauses` finds where a clause begins and hands it to `directives`, `decision` weighs their
claims. The vocabulary is in `words` and `openers`.
"""

from __future__ import annotations

from relay_runtime.intent.decision import Intent as Intent
from relay_runtime.intent.decision import Verdict as Verdict
from relay_runtime.intent.decision import decide
from relay_runtime.intent.masking import mask
from relay_runtime.intent.reader import Reader
from relay_runtime.intent.tokens import sentences


def read_intent(text: str, host: str) -> Intent:
    """Read a request of any length, in time proportional to it."""
    reader = Reader()
    claims = [claim for sentence in sentences(mask(text)) for claim in reader.read(sentence)]
    return decide(claims, host)
