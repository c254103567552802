"""Measure two things side by side, in turns, so that a machine whose speed drifts does not decide."""

import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One line of the table: what was measured against what, and what is expected of it.

    `ours` and `base` are medians in `unit`; `value` is what `limit` bounds, written out in `goal`.
    """

    name: str
    against: str
    ours: float
    base: float
    unit: str
    value: float
    limit: float
    goal: str

    @property
    def kept(self) -> bool:
        return self.value <= self.limit


def in_turns(
    ours: Callable[[], float], base: Callable[[], float], runs: int
) -> tuple[list[float], list[float]]:
    """Call both `runs` times in turn, after one call each that does not count."""
    _ = ours(), base()
    pairs = [(ours(), base()) for _ in range(runs)]
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def ratio(
    name: str,
    against: str,
    ours: Callable[[], float],
    base: Callable[[], float],
    *,
    limit: float,
    runs: int = 15,
) -> Row:
    """`ours` over `base`, pair by pair; both give seconds."""
    mine, theirs = in_turns(ours, base, runs)
    value = statistics.median(a / b for a, b in zip(mine, theirs, strict=True))
    return Row(
        name,
        against,
        statistics.median(mine),
        statistics.median(theirs),
        "s",
        value,
        limit,
        f"{value:.2f} x, at most {limit} x",
    )


def excess(
    name: str,
    against: str,
    ours: Callable[[], float],
    base: Callable[[], float],
    *,
    limit: float,
    runs: int = 7,
) -> Row:
    """How many seconds `ours` takes over `base`, pair by pair."""
    mine, theirs = in_turns(ours, base, runs)
    value = statistics.median(a - b for a, b in zip(mine, theirs, strict=True))
    return Row(
        name,
        against,
        statistics.median(mine),
        statistics.median(theirs),
        "s",
        value,
        limit,
        f"{value:+.3f} s, at most {limit} s",
    )


def process(command: Sequence[str], environ: Mapping[str, str], stdin: bytes = b"") -> Callable[[], float]:
    """Seconds from start to end of one run of `command`, whose exit code is not looked at."""

    def once() -> float:
        began = time.perf_counter()
        subprocess.run(command, env=dict(environ), input=stdin, capture_output=True, timeout=300, check=False)
        return time.perf_counter() - began

    return once


def table(rows: Sequence[Row]) -> str:
    """The rows as Markdown."""
    lines = ["| what | against | ours | base | result | kept |", "|---|---|---|---|---|---|"]
    for row in rows:
        figures = f"{row.ours:.3f} {row.unit} | {row.base:.3f} {row.unit}"
        lines.append(
            f"| {row.name} | {row.against} | {figures} | {row.goal} | {'yes' if row.kept else 'NO'} |"
        )
    return "\n".join(lines)
