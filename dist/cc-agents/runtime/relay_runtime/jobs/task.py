"""What a job is to do and where: the header's files and folders, looked at before anything starts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from relay_runtime.errors import RelayError
from relay_runtime.fsio import read_bounded
from relay_runtime.jobs.header import Header, HeaderError, parse, split

BRIEF_LIMIT = 4 * 1024 * 1024


@dataclass(frozen=True)
class Task:
    """A header with its task's own bytes and the folder to work in."""

    header: Header
    text: bytes
    cwd: Path


def read(prompt: bytes, cwd: Path) -> Task:
    """The task in `prompt`, worked on in `cwd` unless the header says otherwise; else HeaderError."""
    above, text = split(prompt)
    header = parse(above)
    stated = {
        "backend": header.backend.name,
        "model": header.model,
        "effort": header.effort,
        "mode": header.mode.value,
    }
    if header.brief and text.strip():
        raise HeaderError("A brief is named, and text stands after the dashes too.", stated)
    if not header.brief and not text.strip():
        raise HeaderError("There is no task: no text after a line `---`, and no brief.", stated)
    where = Path(header.cd) if header.cd else cwd
    if not where.is_dir():
        raise HeaderError(f"The folder to work in, {where}, does not exist.", stated)
    return Task(header, _brief(header.brief, stated) if header.brief else text, where.resolve())


def _brief(path: str, stated: dict[str, str]) -> bytes:
    try:
        data = read_bounded(Path(path), BRIEF_LIMIT)
    except RelayError as error:
        raise HeaderError(f"The brief cannot be taken: {error.message}", stated) from error
    if not data.strip():
        raise HeaderError(f"The brief {path} is empty.", stated)
    return data
