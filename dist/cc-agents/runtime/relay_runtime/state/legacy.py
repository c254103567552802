"""Schema 1, read only: the state of a Claude host's relay to Codex from before there was a runtime.

A model wrote those files by hand, so reading is forgiving where nothing is at stake: only the mode, the state
and the round must be what they claim to be. Nothing here touches the disk.
"""

from __future__ import annotations

import re

from relay_runtime.errors import Exit, RelayError
from relay_runtime.state.files import RelayFiles
from relay_runtime.state.relay import Checkpoint, Relay, RoundRow
from relay_runtime.state.values import State

HOST, TARGET = "claude", "codex"

STATES = {
    "INIT": State.INIT,
    "PLANNED": State.PLANNED,
    "CODEX_IMPLEMENTING": State.TARGET_IMPLEMENTING,
    "CODEX_FAILED": State.TARGET_FAILED,
    "CODEX_DONE": State.TARGET_DONE,
    "REVIEWING": State.REVIEWING,
    "FIX_ROUND": State.FIX_ROUND,
    "CLAUDE_TAKEOVER": State.HOST_TAKEOVER,
    "FINALIZING": State.FINALIZING,
    "DONE": State.DONE,
    "ABORTED": State.ABORTED,
}

_LINE = re.compile(r"^\s*(?:[-*]\s+)?\*\*([^*:]+):?\*\*:?[ \t]*(.*?)\s*$", re.MULTILINE)
_NOTHING = ("", "-", "—", "none", "pending", "n/a", "unknown")


def is_legacy(text: str) -> bool:
    """Whether this is a schema 1 file: `Mode`, and no schema or a written 1. Another mode is none of ours."""
    labels = _labels(text)
    return "mode" in labels and labels.get("schema", "1") == "1"


def parse(text: str, files: RelayFiles, branch: str) -> Relay:
    """The relay of a schema 1 file in the words of schema 2; on `branch` where the file names none."""
    path = files.state
    labels = _labels(text)
    mode = labels["mode"]
    if mode.lower() != TARGET:
        raise RelayError(
            "state.mode",
            f"{path} has mode {mode!r}; a relay without a schema is read only with mode {TARGET}.",
            exit=Exit.HALT,
            hint=f"Keep the file as it is, or move {path.parent.name} aside.",
        )
    try:
        return _relay(labels, text, files, branch)
    except ValueError as error:
        raise RelayError(
            "state.damaged",
            f"{path} is a damaged state of schema 1: {error}.",
            exit=Exit.HALT,
            hint=f"Keep the file as it is and restore it from a copy, or move {path.parent.name} aside.",
        ) from error


def _relay(labels: dict[str, str], text: str, files: RelayFiles, branch: str) -> Relay:
    word = labels.get("state", "")
    if word not in STATES:
        raise ValueError(f"State is {word!r}, not one of {', '.join(STATES)}")
    number = _number(labels, "round", 0)
    cap = min(3, max(1, number, _number(labels, "max fix rounds", 2)))
    return Relay(
        wgid=files.wgid,
        host=HOST,
        target=TARGET,
        selector=TARGET,
        source="flag-named",
        state=STATES[word],
        round=number,
        max_fix_rounds=cap,
        session_id=_value(labels, "thread id", "session id"),
        manual_attach=None,
        target_version=_value(labels, "codex version", "target version"),
        transport="exec",
        model=_value(labels, "model", "codex model") or "",
        effort=_value(labels, "effort", "codex effort") or "",
        isolation=f"sandbox {_value(labels, 'sandbox') or 'workspace-write'}",
        branch=_value(labels, "branch") or branch or f"kc-relay/{files.wgid}",
        cwd=_value(labels, "cwd") or str(files.project.root),
        pid=None,
        log_path=_value(labels, "log path") or files.relative(files.log(TARGET, number)),
        error_path=_value(labels, "error path") or files.relative(files.error(TARGET, number)),
        last_message_path=_value(labels, "last message path")
        or files.relative(files.last_message(TARGET, number)),
        result_subtype=_value(labels, "result subtype"),
        last_output=_value(labels, "last output"),
        updated=_value(labels, "updated") or "",
        checkpoints=tuple(_checkpoints(text)),
        rounds=tuple(_rounds(text)),
    )


def _labels(text: str) -> dict[str, str]:
    """The labelled lines above the first table, by their label in lower case; the first of each counts."""
    found: dict[str, str] = {}
    for match in _LINE.finditer(re.split(r"^## ", text, maxsplit=1, flags=re.MULTILINE)[0]):
        found.setdefault(match.group(1).strip().lower(), match.group(2).strip("`"))
    return found


def _value(labels: dict[str, str], *names: str) -> str | None:
    found = next((labels[name] for name in names if name in labels), "")
    return None if found.lower() in _NOTHING else found


def _number(labels: dict[str, str], name: str, default: int) -> int:
    word = labels.get(name, str(default))
    counted = re.fullmatch(r"([0-9])(?:\s*/\s*[0-9])?", word)
    if counted is None:
        raise ValueError(f"{name.capitalize()} is {word!r}, not a number")
    return int(counted.group(1))


def _checkpoints(text: str) -> list[Checkpoint]:
    rows = [_padded(row, 3) for row in _table(text, "Checkpoints")]
    return [Checkpoint(*row) for row in rows if row[1]]


def _rounds(text: str) -> list[RoundRow]:
    rows = [_padded(row, 6) for row in _table(text, "Round Log")]
    return [RoundRow(int(row[0]), *row[1:]) for row in rows if row[0].isdigit()]


def _table(text: str, heading: str) -> list[list[str]]:
    """The rows below the heading, without the two head lines."""
    section = re.split(rf"^## {heading}\s*$", text, maxsplit=1, flags=re.MULTILINE)
    below = re.split(r"^## ", section[1], maxsplit=1, flags=re.MULTILINE)[0] if len(section) > 1 else ""
    lines = [line.strip() for line in below.splitlines() if line.strip().startswith("|")]
    return [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in lines[2:]]


def _padded(row: list[str], width: int) -> list[str]:
    """Exactly `width` cells: what is too much belongs to the last one, which is free text."""
    filled = [*row, *[""] * width][: max(width, len(row))]
    return [*filled[: width - 1], " | ".join(filled[width - 1 :])]
