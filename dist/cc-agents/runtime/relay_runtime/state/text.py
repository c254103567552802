"""`state.md`, both ways. Reading is strict: every label, in order, or an answer that says what is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from relay_runtime.errors import Exit, RelayError
from relay_runtime.state.escape import escape, unescape
from relay_runtime.state.relay import SCHEMA, Checkpoint, Relay, RoundRow
from relay_runtime.state.values import State

TITLE = "# Relay State: "
CHECKPOINT_COLUMNS = ("Label", "SHA", "Meaning")
ROUND_COLUMNS = ("Round", "Leg", "Started", "Ended", "Exit", "Result")

# The 23 lines after `Schema`, in the order of the file: label and attribute.
LABELS = (
    ("Host", "host"),
    ("Target", "target"),
    ("Selector", "selector"),
    ("Intent Source", "source"),
    ("State", "state"),
    ("Round", "round"),
    ("Max Fix Rounds", "max_fix_rounds"),
    ("Session ID", "session_id"),
    ("Manual Attach", "manual_attach"),
    ("Target Version", "target_version"),
    ("Transport", "transport"),
    ("Model", "model"),
    ("Effort", "effort"),
    ("Isolation", "isolation"),
    ("Branch", "branch"),
    ("CWD", "cwd"),
    ("PID", "pid"),
    ("Log Path", "log_path"),
    ("Error Path", "error_path"),
    ("Last Message Path", "last_message_path"),
    ("Result Subtype", "result_subtype"),
    ("Last Output", "last_output"),
    ("Updated", "updated"),
)
_NUMBERS = ("round", "max_fix_rounds")
_PENDING = ("session_id", "manual_attach", "target_version", "result_subtype", "last_output")


def render(relay: Relay) -> str:
    """The whole file, LF endings, one final newline."""
    lines = [TITLE + escape(relay.wgid), "", f"**Schema:** {SCHEMA}"]
    lines += [f"**{label}:** {_value(relay, name)}" for label, name in LABELS]
    lines += ["", "## Checkpoints", *_head(CHECKPOINT_COLUMNS)]
    lines += [_row(row.label, row.sha, row.meaning) for row in relay.checkpoints]
    lines += ["", "## Round Log", *_head(ROUND_COLUMNS)]
    lines += [
        _row(str(row.round), row.leg, row.started, row.ended, row.exit, row.result) for row in relay.rounds
    ]
    return "\n".join(lines) + "\n"


def parse(text: str, path: Path) -> Relay:
    """The relay of a schema 2 file. `path` is only named in refusals."""
    if not text.strip():
        raise RelayError("state.empty", f"{path} is empty.", exit=Exit.HALT, hint=_hint(path))
    _check_schema(text, path)
    try:
        return _parse(text)
    except ValueError as error:
        raise RelayError(
            "state.damaged", f"{path} is damaged: {error}.", exit=Exit.HALT, hint=_hint(path)
        ) from error


def _check_schema(text: str, path: Path) -> None:
    named = re.search(r"^\*\*Schema:\*\* (.*)$", text, re.MULTILINE)
    if named is None or named.group(1) == str(SCHEMA):
        return
    raise RelayError(
        "state.schema",
        f"{path} has schema {named.group(1)!r}; this version reads schema {SCHEMA}.",
        exit=Exit.HALT,
        hint="Use the version of knowzcode-relay that wrote it, or run: knowzcode-relay upgrade",
    )


def _parse(text: str) -> Relay:
    if not text.endswith("\n"):
        raise ValueError("it ends in the middle of a line")
    lines = iter(text[:-1].split("\n"))
    wgid = unescape(_after(lines, TITLE))
    _exactly(lines, "")
    _exactly(lines, f"**Schema:** {SCHEMA}")
    values = {name: unescape(_after(lines, f"**{label}:** ")) for label, name in LABELS}
    _exactly(lines, "")
    _exactly(lines, "## Checkpoints")
    checkpoints = [Checkpoint(*row) for row in _table(lines, CHECKPOINT_COLUMNS, "## Round Log")]
    rounds = [RoundRow(_number("Round", row[0]), *row[1:]) for row in _table(lines, ROUND_COLUMNS, None)]
    return _build(wgid, values, tuple(checkpoints), tuple(rounds))


def _build(
    wgid: str, values: dict[str, str], checkpoints: tuple[Checkpoint, ...], rounds: tuple[RoundRow, ...]
) -> Relay:
    pending = {name: None if values[name] == "pending" else values[name] for name in _PENDING}
    return Relay(
        wgid=wgid,
        host=values["host"],
        target=values["target"],
        selector=values["selector"],
        source=values["source"],
        state=State(values["state"]),
        round=_number("Round", values["round"]),
        max_fix_rounds=_number("Max Fix Rounds", values["max_fix_rounds"]),
        session_id=pending["session_id"],
        manual_attach=pending["manual_attach"],
        target_version=pending["target_version"],
        transport=values["transport"],
        model=values["model"],
        effort=values["effort"],
        isolation=values["isolation"],
        branch=values["branch"],
        cwd=values["cwd"],
        pid=None if values["pid"] == "none" else _number("PID", values["pid"]),
        log_path=values["log_path"],
        error_path=values["error_path"],
        last_message_path=values["last_message_path"],
        result_subtype=pending["result_subtype"],
        last_output=pending["last_output"],
        updated=values["updated"],
        checkpoints=checkpoints,
        rounds=rounds,
    )


def _value(relay: Relay, name: str) -> str:
    value: object = getattr(relay, name)
    if value is None:
        return "none" if name == "pid" else "pending"
    return escape(value.value if isinstance(value, State) else str(value))


def _head(columns: tuple[str, ...]) -> tuple[str, str]:
    return f"| {' | '.join(columns)} |", "|" + "---|" * len(columns)


def _row(*cells: str) -> str:
    return f"| {' | '.join(map(escape, cells))} |"


def _table(lines: Iterator[str], columns: tuple[str, ...], until: str | None) -> Iterator[list[str]]:
    for line in _head(columns):
        _exactly(lines, line)
    for line in lines:
        if line == "" and until is not None:
            _exactly(lines, until)
            return
        cells = line[2:-2].split(" | ")
        if not (line.startswith("| ") and line.endswith(" |")) or len(cells) != len(columns):
            raise ValueError(f"{line[:60]!r} is not a row of {len(columns)} cells")
        yield [unescape(cell) for cell in cells]
    if until is not None:
        raise ValueError(f"it ends before {until!r}")


def _after(lines: Iterator[str], prefix: str) -> str:
    line = next(lines, None)
    if line is None or not line.startswith(prefix):
        raise ValueError(f"the line {prefix.strip()!r} is not where it belongs")
    return line[len(prefix) :]


def _exactly(lines: Iterator[str], wanted: str) -> None:
    if next(lines, None) != wanted:
        raise ValueError(
            f"the line {wanted!r} is not where it belongs" if wanted else "a blank line is missing"
        )


def _number(label: str, word: str) -> int:
    if not re.fullmatch(r"[0-9]{1,10}", word):
        raise ValueError(f"{label} is {word!r}, not a number")
    return int(word)


def _hint(path: Path) -> str:
    return f"Keep the file as it is and restore it from a copy, or move {path.parent.name} aside."
