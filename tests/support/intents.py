"""The two corpora of requests, and what the grammar makes of a row."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from relay_runtime.intent import Intent, Verdict, read_intent

DATA = Path(__file__).resolve().parents[1] / "data"
HOSTS = ("claude", "codex")


@dataclass(frozen=True)
class Row:
    """One request said to one host. `split` is empty in the public corpus."""

    split: str
    host: str
    text: str
    selector: str
    source: str
    kind: str
    veto: bool

    @property
    def expected(self) -> tuple[str, str]:
        return self.selector, self.source


def public() -> list[Row]:
    """98 sentences, each to both hosts."""
    return list(_rows("intents-public.tsv", has_split=False))


def more() -> list[Row]:
    """Our own sentences. `tuned` shaped the rules; the others first judged them, `final` only did that."""
    return list(_rows("intents-more.tsv", has_split=True))


def understood(intent: Intent) -> tuple[str, str]:
    """(selector, source) as `resolve` reports it in ordinary work without configuration."""
    if intent.verdict is Verdict.UNCLEAR:
        return "ambiguous", "clarify"
    if intent.verdict is Verdict.DELEGATED:
        return intent.selector, "natural-automatic" if intent.selector == "other" else "natural-named"
    return "none", "none"


def misses(rows: list[Row]) -> list[tuple[Row, tuple[str, str]]]:
    """Rows that are read otherwise than expected. A veto must be seen as one."""
    wrong: list[tuple[Row, tuple[str, str]]] = []
    for row in rows:
        intent = read_intent(row.text, row.host)
        found = understood(intent)
        if found != row.expected or (row.veto and intent.verdict is not Verdict.REFUSED):
            wrong.append((row, found))
    return wrong


def _rows(name: str, *, has_split: bool) -> Iterator[Row]:
    for line in (DATA / name).read_text(encoding="utf-8").splitlines()[1:]:
        cells = line.split("\t")
        split = cells.pop(1) if has_split else ""
        _, host, text, selector, source, note = cells
        for each in HOSTS if host == "any" else (host,):
            yield Row(
                split=split,
                host=each,
                text=text.replace("\\n", "\n"),
                selector=selector,
                source=source,
                kind=note.split(";")[0],
                veto="veto" in note,
            )
