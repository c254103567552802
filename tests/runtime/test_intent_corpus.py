"""The grammar against whole corpora: exact answers, no wrong provider, hardly a false alarm."""

import pytest

from relay_runtime.intent import read_intent
from support.intents import Row, misses, more, public, understood

AGENTS = ("claude", "codex", "other")
PUBLIC = public()
MORE = more()
KINDS = sorted({row.kind for row in PUBLIC})


@pytest.mark.parametrize("kind", KINDS)
def test_public_corpus(kind: str) -> None:
    """REQ NL-01, NL-02, NL-04 to NL-09: every public sentence of this kind, said to both hosts."""
    assert misses([row for row in PUBLIC if row.kind == kind]) == []


@pytest.mark.parametrize("split", ["tuned", "measured", "fresh"])
def test_our_own_corpus(split: str) -> None:
    """REQ NL-03: at least 97 of 100 sentences exact in each part."""
    rows = [row for row in MORE if row.split == split]
    assert len(misses(rows)) <= 0.03 * len(rows)


@pytest.mark.parametrize("rows", [PUBLIC, MORE], ids=["public", "more"])
def test_never_the_wrong_agent(rows: list[Row]) -> None:
    """REQ NL-03: where one agent is meant, another one is never chosen."""
    found = [(row, understood(read_intent(row.text, row.host))[0]) for row in rows if row.selector in AGENTS]
    assert [(row.text, chosen) for row, chosen in found if chosen in AGENTS and chosen != row.selector] == []


@pytest.mark.parametrize("rows", [PUBLIC, MORE], ids=["public", "more"])
def test_hardly_a_false_alarm(rows: list[Row]) -> None:
    """REQ NL-03, NL-04, NL-05: at most one in a hundred of the sentences that delegate nothing."""
    silent = [row for row in rows if row.selector == "none"]
    alarms = [row.text for row in silent if understood(read_intent(row.text, row.host)) != ("none", "none")]
    assert len(alarms) <= 0.01 * len(silent), alarms
