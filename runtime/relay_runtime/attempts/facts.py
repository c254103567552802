"""What a target's event stream has shown so far. Pure values; the adapters fold events into them."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from typing import Any

from relay_runtime.fields import Fields

TEXT_LIMIT = 2000
EXCERPT_LIMIT = 320
_FILES = 50
_NAMES = 10
_DENIALS = 16
_RUNNING = 64
_SECRET = re.compile(
    r"\b(?:sk|pk|rk)-[\w*.-]{8,}|\beyJ[\w-]{10,}\.[\w.-]+|(?<=Bearer )\S+|\b[\w.+-]+@[\w-]+\.[\w.-]+"
)
_CONTROLS = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029]+")


@dataclass(frozen=True)
class Usage:
    """Tokens, as the target counts them."""

    input: int = 0
    output: int = 0


@dataclass(frozen=True)
class Call:
    """A tool call without its result yet.

    `key` tells whether a later call is the same one, `path` is the file that it changes if it succeeds.
    """

    id: str
    tool: str
    key: int
    path: str = ""


@dataclass(frozen=True)
class Denial:
    """How often one call was refused."""

    key: int
    times: int


@dataclass(frozen=True)
class Facts:
    """Everything an outcome, a progress line or a stop needs to know from the stream.

    `retry` is what the target waits for while it has done nothing but try again, else empty.
    `message` is the id of the message that `final_message` belongs to, where the target has such ids.
    `usage` is the last total that the target gave: of Codex over the whole thread, of Claude over this run.
    """

    events: int = 0
    session_id: str = ""
    model: str = ""
    completed: bool = False
    terminal: str = ""
    error: str = ""
    error_kind: str = ""
    retry: str = ""
    retry_kind: str = ""
    resets_at: str = ""
    final_message: str = ""
    message: str = ""
    excerpt: str = ""
    operation: str = ""
    files: tuple[str, ...] = ()
    usage: Usage = Usage()
    running: tuple[Call, ...] = ()
    denied: tuple[str, ...] = ()
    denials: tuple[Denial, ...] = ()
    waiting: str = ""
    commands: int = 0
    sandbox_failures: int = 0
    sandbox_error: str = ""
    background: tuple[str, ...] = ()

    def but(self, **changes: Any) -> Facts:
        return dataclasses.replace(self, **changes)

    def progressed(self) -> Facts:
        """The target got somewhere: whatever it was waiting for is over."""
        return self if not self.retry else self.but(retry="", retry_kind="")

    def touched(self, *paths: str) -> Facts:
        """Files that the target says it changed, base names only, the newest last."""
        names = [base_name(path) for path in paths]
        kept = [name for name in self.files if name not in names]
        return self.but(files=tuple([*kept, *dict.fromkeys(names)][-_FILES:]))

    def called(self, call: Call) -> Facts:
        return self.but(running=(*self.running, call)[-_RUNNING:])

    def refused(self, tool: str, key: int) -> Facts:
        """The target's own rules refused a call."""
        times = 1 + sum(one.times for one in self.denials if one.key == key)
        others = tuple(one for one in self.denials if one.key != key)
        return self.but(
            denied=tuple(dict.fromkeys((*self.denied, tool)))[:_NAMES],
            denials=(*others, Denial(key, times))[-_DENIALS:],
        )

    @property
    def same_denial(self) -> int:
        """How often the most refused call was refused."""
        return max((one.times for one in self.denials), default=0)

    @property
    def sandbox_broken(self) -> bool:
        """Commands were tried, and the sandbox could not start for any of them."""
        return self.sandbox_failures > 0 and self.commands == self.sandbox_failures

    def as_record(self) -> dict[str, object]:
        """JSON data, without the final message: that has a file of its own."""
        record = dataclasses.asdict(self)
        del record["final_message"]
        return record


def from_record(fields: Fields) -> Facts:
    """The Facts that `as_record` wrote; ValueError for anything else."""
    used = fields.one("usage")
    return Facts(
        events=fields.number("events"),
        session_id=fields.text("session_id"),
        model=fields.text("model"),
        completed=fields.flag("completed"),
        terminal=fields.text("terminal"),
        error=fields.text("error"),
        error_kind=fields.text("error_kind"),
        retry=fields.text("retry"),
        retry_kind=fields.text("retry_kind"),
        resets_at=fields.text("resets_at"),
        message=fields.text("message"),
        excerpt=fields.text("excerpt"),
        operation=fields.text("operation"),
        files=fields.texts("files"),
        usage=Usage(used.number("input"), used.number("output")),
        running=tuple(
            Call(call.text("id"), call.text("tool"), call.number("key"), call.text("path"))
            for call in fields.each("running")
        ),
        denied=fields.texts("denied"),
        denials=tuple(
            Denial(denial.number("key"), denial.number("times")) for denial in fields.each("denials")
        ),
        waiting=fields.text("waiting"),
        commands=fields.number("commands"),
        sandbox_failures=fields.number("sandbox_failures"),
        sandbox_error=fields.text("sandbox_error"),
        background=fields.texts("background"),
    )


def base_name(path: str) -> str:
    """The last part of a path of any system, on one line."""
    return excerpt(path.replace("\\", "/").rstrip("/").rpartition("/")[2], 80)


def excerpt(text: str, limit: int = EXCERPT_LIMIT) -> str:
    """`text` on one line and without control characters, at most `limit` characters."""
    line = _CONTROLS.sub(" ", text[: limit * 4]).strip()
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def redacted(text: str) -> str:
    """`text` without what looks like a key, a token or an e-mail address."""
    return _SECRET.sub("[redacted]", text)


def clipped(text: str) -> str:
    """`text` as a reason: its lines kept, at most TEXT_LIMIT characters, the end of it when it is longer."""
    text = redacted(text.strip())
    return text if len(text) <= TEXT_LIMIT else "…" + text[-TEXT_LIMIT + 1 :]
