"""What a command answers, and how it is written out: text for a person, or one JSON envelope."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from knowzcode_relay.errors import Exit, RelayError

SCHEMA = 1


@dataclass(frozen=True)
class Result:
    """`lines` are printed as they are; without any, `message` is. `data` is what --json carries."""

    message: str
    exit: Exit = Exit.DONE
    lines: tuple[str, ...] = ()
    hint: str = ""
    data: Mapping[str, object] = field(default_factory=dict[str, object])

    @classmethod
    def of(cls, error: RelayError) -> "Result":
        """The result that reports `error`."""
        return cls(
            message=error.message,
            exit=error.exit,
            lines=(f"error: {error.message}",),
            hint=error.hint,
            data={"problem": error.problem, **error.data},
        )

    def as_text(self) -> str:
        out = list(self.lines) or [self.message]
        if self.hint:
            out.append(f"hint: {self.hint}")
        return "\n".join(out) + "\n"

    def as_json(self, verb: str) -> str:
        envelope = {
            "schema": SCHEMA,
            "verb": verb,
            "ok": self.exit == Exit.DONE,
            "code": int(self.exit),
            "message": self.message,
            "hint": self.hint,
            "data": dict(self.data),
        }
        return json.dumps(envelope, indent=2) + "\n"
