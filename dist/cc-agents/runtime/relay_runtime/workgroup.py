"""The WorkGroup: its id, its file, and the `## Relay` section that we keep in it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from relay_runtime.errors import Exit, RelayError, UsageError
from relay_runtime.fsio import read_bounded, write_atomic
from relay_runtime.paths import KNOWZCODE, Project

SLUG_LENGTH = 25
_WGID = re.compile(r"kc-[a-z][a-z0-9]*-[a-z0-9]+(?:-[a-z0-9]+)*-\d{8}-\d{6}")
_LIMIT = 4 * 1024 * 1024
_HEADING = b"## Relay"
_OWN = (b"**Schema:** ", b"**State File:** ")


def slug(text: str) -> str:
    """`text` as the middle of an id: lower case letters, digits and single dashes; empty if none is left."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:SLUG_LENGTH].strip("-")


def new_id(kind: str, title: str, moment: datetime) -> str:
    """`kc-{type}-{slug}-{YYYYMMDD}-{HHMMSS}`."""
    return f"kc-{kind}-{slug(title)}-{moment.strftime('%Y%m%d-%H%M%S')}"


def check_id(wgid: str) -> str:
    """`wgid` itself, or RelayError (exit 2): it becomes part of paths and of a branch name."""
    if len(wgid) <= 80 and _WGID.fullmatch(wgid):
        return wgid
    raise UsageError("wgid.invalid", f"{wgid!r} is not a WorkGroup id (kc-type-slug-YYYYMMDD-HHMMSS).")


def path(project: Project, wgid: str) -> Path:
    """The WorkGroup's file."""
    return project.workgroups / f"{wgid}.md"


def create(project: Project, wgid: str, goal: str, change_ids: tuple[str, ...], moment: str) -> None:
    """Write the WorkGroup file unless it is there already."""
    note = path(project, wgid)
    if note.exists():
        return
    changes = "\n".join(f"- {change}" for change in change_ids)
    text = (
        f"# WorkGroup: {wgid}\n\n**Primary Goal:** {_line(goal)}\n**Created:** {moment}\n\n"
        f"## Change Set\n\n{changes}\n"
    )
    project.workgroups.mkdir(parents=True, exist_ok=True)
    write_atomic(note, text.encode("utf-8", "backslashreplace"))


@dataclass(frozen=True)
class Note:
    """The WorkGroup's file with its `## Relay` section renewed, not written yet."""

    path: Path
    before: bytes
    after: bytes

    def write(self) -> None:
        if self.after != self.before:
            write_atomic(self.path, self.after)


def snapshot(
    project: Project, wgid: str, *, host: str, target: str, state: str, round: int, session: str
) -> Note:
    """Put the one `## Relay` section in place; every other byte of the file stays as it is."""
    note = path(project, wgid)
    if note.is_symlink() or not note.is_file():
        raise RelayError(
            "workgroup.missing",
            f"{note} is not there, so the relay cannot be noted in it.",
            exit=Exit.HALT,
            hint="Bring the WorkGroup file back.",
        )
    before = read_bounded(note, _LIMIT)
    body = (
        f"**Schema:** 2 | **Host:** {host} | **Target:** {target} | **State:** {state} | "
        f"**Round:** {round} | **Session:** {_line(session)}\n"
        f"**State File:** {KNOWZCODE}/workgroups/{wgid}-relay/state.md\n"
    )
    return Note(note, before, replace_section(before, body.encode("utf-8", "backslashreplace")))


def replace_section(document: bytes, body: bytes) -> bytes:
    """`document` with exactly one `## Relay` section: `body` where the first one was, else at the end.

    Only the heading and our own lines are ever replaced; what a person wrote below them stays.
    """
    newline = b"\r\n" if b"\r\n" in document else b"\n"
    section = (_HEADING + b"\n\n" + body).replace(b"\n", newline)
    spans = _own_spans(document)
    if not spans:
        gap = b"" if not document else newline if document.endswith(b"\n") else newline * 2
        return document + gap + section
    out: list[bytes] = []
    last = 0
    for start, end in spans:
        out.append(document[last:start])
        if last == 0:
            close = document[end:].startswith((b"\n", b"\r\n")) or not document[end:]
            out.append(section + (b"" if close else newline))
        last = end
    return b"".join(out) + document[last:]


def _own_spans(document: bytes) -> list[tuple[int, int]]:
    """Where each `## Relay` heading starts and our lines below it end. A heading in a code block is none."""
    lines = document.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    spans: list[tuple[int, int]] = []
    ours, index = False, 0
    while index < len(lines):
        text = lines[index].rstrip()
        index = (_fence_end(lines, index) or index) + 1
        if text == _HEADING:
            spans.append((starts[index - 1], starts[index]))
            ours = True
        elif ours and text.startswith(_OWN):
            spans[-1] = (spans[-1][0], starts[index])
        elif text:
            ours = False
    return spans


def _fence_end(lines: list[bytes], start: int) -> int | None:
    """The line that closes the code block opened at `start`; None when nothing is opened or ever closed."""
    opened = re.match(rb" {0,3}(`{3,}|~{3,})", lines[start])
    if opened is None:
        return None
    fence = opened.group(1)
    for index in range(start + 1, len(lines)):
        mark = lines[index].strip()
        if mark.startswith(fence) and not mark.strip(fence[:1]):
            return index
    return None


def _line(text: str) -> str:
    return " ".join(text.split())
