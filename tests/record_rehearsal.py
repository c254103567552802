"""Draw what `knowzcode-relay rehearse` printed as a terminal, the same for every run.

knowzcode-relay rehearse | python tests/record_rehearsal.py > docs/rehearsal.svg
"""

import re
import sys
from collections.abc import Callable, Iterator
from xml.sax.saxutils import escape

COLUMNS = 116
_WIDTH, _HEIGHT, _MARGIN = 7.83, 18, 16
_COLOURS = (
    ("$ ", "#7ee787"),
    ("  [", "#79c0ff"),
    ("  =", "#8b949e"),
    ("held", "#8b949e"),
    ("verdict", "#7ee787"),
)
_PLAIN = "#e6edf3"

# What differs from run to run, and what stands for it.
_CHANGING: tuple[tuple[str, Callable[[int], str]], ...] = (
    (r"\br1_[0-9a-f]{8}_\S+", lambda _: "TOKEN"),
    (r"(?<=rehearsal-)\d{8}-\d{6}", lambda _: "20260101-120000"),
    (r"\S*/knowzcode-rehearsal-\w+(?=/)", lambda _: "/tmp/knowzcode-rehearsal"),
    (r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", lambda _: "01a22b88-0000-7000-8000-00000000c0de"),
    (r"(?<=pid )\d+", lambda _: "4242"),
    (r"(?<![-\w])[0-9a-f]{12}(?:[0-9a-f]{28})?\b", lambda number: f"{0xC0FFEE0 + number:07x}"),
)


def steps(printed: str) -> Iterator[list[str]]:
    """The commands with their answers, then the checks. Of several polls in a row the last one counts."""
    found: list[list[str]] = []
    for line in printed.splitlines():
        if line.startswith("$ ") or not line.startswith("  "):
            found.append([])
        found[-1].append(line)
    for number, step in enumerate(found):
        polls = [each[0].split()[:3][1:2] == ["poll"] for each in found[number : number + 2]]
        if polls != [True, True]:
            yield step


def lines(printed: str) -> list[str]:
    """The steps without what only repeats: success, `next:`, progress, and the mark of a rehearsal."""
    kept = [
        line.replace("[RELAY-REHEARSAL] ", "")
        for step in steps(printed)
        for line in step
        if not re.match(r"  (?:exit 0$|next: |\[RELAY-REHEARSAL\] \[RELAY-PROGRESS\])", line)
    ]
    text = "\n".join(kept)
    for pattern, name in _CHANGING:
        # A short and a long form of one commit are one value.
        seen: dict[str, str] = {}

        def stand_in(
            found: re.Match[str], seen: dict[str, str] = seen, name: Callable[[int], str] = name
        ) -> str:
            return seen.setdefault(found[0][:12], name(len(seen)))

        text = re.sub(pattern, stand_in, text)
    return [line if len(line) <= COLUMNS else f"{line[: COLUMNS - 1]}…" for line in text.splitlines()]


def svg(printed: str) -> str:
    """One image of the whole session."""
    shown = lines(printed)
    width, height = round(COLUMNS * _WIDTH + 2 * _MARGIN), len(shown) * _HEIGHT + 2 * _MARGIN
    rows = [
        f'<text x="{_MARGIN}" y="{_MARGIN + 13 + row * _HEIGHT}" fill="{_colour(line)}">{escape(line)}</text>'
        for row, line in enumerate(shown)
    ]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-label="A whole relay, rehearsed in a terminal" '
        'font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,monospace" font-size="13" '
        'xml:space="preserve">'
    )
    ground = f'<rect width="{width}" height="{height}" rx="8" fill="#0d1117"/>'
    return "\n".join((head, ground, *rows, "</svg>")) + "\n"


def _colour(line: str) -> str:
    return next((colour for start, colour in _COLOURS if line.startswith(start)), _PLAIN)


if __name__ == "__main__":
    sys.stdout.write(svg(sys.stdin.read()))
