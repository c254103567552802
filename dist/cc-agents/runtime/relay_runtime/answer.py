"""What a verb answers, and how it is written out: tagged lines for an agent, or one JSON envelope."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from relay_runtime.errors import Exit

SCHEMA = 1


class Next(NamedTuple):
    """The one thing to do now: a command (`argv`, complete), a question for the user, or a plain `step`.

    A question with a command: the command is what a yes runs. `step` is for what no command of ours does;
    with a command it says how to run that, where a plain call is not enough.
    `input_schema` names the JSON that the command reads on stdin (`plan`, `feedback`), or is empty.
    """

    argv: tuple[str, ...] = ()
    question: str = ""
    input_schema: str = ""
    step: str = ""

    def as_data(self) -> dict[str, object]:
        return {
            "argv": list(self.argv),
            "question": self.question,
            "input_schema": self.input_schema,
            "step": self.step,
        }

    def as_text(self) -> str:
        command = shlex.join(self.argv)
        if self.question:
            return f"next: ask: {self.question}" + (f" If yes: {command}" if command else "")
        return "next: " + (self.step or command)


@dataclass(frozen=True)
class Answer:
    """The result of one verb. `lines` are printed as they are; without any, `message` is.

    With an empty message as well, nothing is printed. `exact` are bytes to print in place of all text.
    `signalled` is the signal that ended the verb's wait; its number is told by the exit code then.
    """

    message: str
    exit: Exit = Exit.DONE
    lines: tuple[str, ...] = ()
    hint: str = ""
    next: Next | None = None
    data: Mapping[str, object] = field(default_factory=dict[str, object])
    exact: bytes | None = None
    signalled: int = 0

    @property
    def code(self) -> int:
        return 128 + self.signalled if self.signalled else int(self.exit)

    def as_bytes(self) -> bytes:
        """What stands on stdout, UTF-8 whatever the locale says."""
        return self.as_text().encode("utf-8", "backslashreplace") if self.exact is None else self.exact

    def as_text(self) -> str:
        out: list[str] = list(self.lines) or [self.message] * bool(self.message)
        if self.hint:
            out.append("hint: " + self.hint)
        if self.next is not None:
            out.append(self.next.as_text())
        return "".join(line + "\n" for line in out)

    def as_json(self, verb: str) -> str:
        data = dict(self.data)
        data.setdefault("next", self.next.as_data() if self.next else None)
        envelope = {
            "schema": SCHEMA,
            "verb": verb,
            "ok": self.code == Exit.DONE,
            "code": self.code,
            "message": self.message,
            "hint": self.hint,
            "data": data,
        }
        return json.dumps(envelope) + "\n"
