"""The host's review that `review` reads: what is missing, and one action for each gap."""

from __future__ import annotations

from dataclasses import dataclass

from relay_runtime.errors import UsageError
from relay_runtime.fields import Fields
from relay_runtime.inputs import schema

_TEXT = {"type": "string", "minLength": 1, "maxLength": 8000}
_HINT = "Correct the feedback, then run review again."

SCHEMA: schema.Schema = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Relay feedback",
    "description": "What `review` reads on stdin. There is one action for each gap, in the same order.",
    "type": "object",
    "required": ["schema", "completion", "security", "gaps", "actions"],
    "additionalProperties": False,
    "properties": {
        "schema": {"const": 1},
        "completion": {"type": "number", "minimum": 0, "maximum": 100},
        "security": _TEXT,
        "gaps": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["node", "criterion", "expected", "actual", "severity"],
                "additionalProperties": False,
                "properties": {
                    "node": _TEXT,
                    "file": {"type": ["string", "null"], "maxLength": 1000},
                    "line": {"type": ["integer", "null"], "minimum": 0},
                    "criterion": _TEXT,
                    "expected": _TEXT,
                    "actual": _TEXT,
                    "severity": _TEXT,
                },
            },
        },
        "actions": {"type": "array", "items": _TEXT},
    },
}


@dataclass(frozen=True)
class Gap:
    """`file` is empty and `line` None where the gap has no place."""

    node: str
    file: str
    line: int | None
    criterion: str
    expected: str
    actual: str
    severity: str

    @property
    def identity(self) -> str:
        """The same for the same gap in the next review: node, criterion and file; the line may move."""
        return "\n".join(" ".join(text.casefold().split()) for text in (self.node, self.criterion, self.file))

    @property
    def place(self) -> str:
        """`file:line`, as far as it is known."""
        if not self.file:
            return "—"
        return self.file if self.line is None else f"{self.file}:{self.line}"


@dataclass(frozen=True)
class Feedback:
    completion: float
    security: str
    gaps: tuple[Gap, ...]
    actions: tuple[str, ...]


def parse(text: str) -> Feedback:
    """The feedback in `text`; every mistake is named in one RelayError (exit 2)."""
    try:
        value = schema.parse(text)
    except ValueError as error:
        raise UsageError("feedback.json", f"The feedback is not JSON: {error}.", hint=_HINT) from error
    found = list(schema.mistakes(value, SCHEMA))
    if not found:
        feedback = _read(Fields(value, "feedback"))
        if len(feedback.actions) == len(feedback.gaps):
            return feedback
        found.append(
            f"There are {len(feedback.gaps)} gaps and {len(feedback.actions)} actions; each gap needs one."
        )
    raise UsageError("feedback.invalid", "The feedback cannot be used. " + " ".join(found), hint=_HINT)


def _read(fields: Fields) -> Feedback:
    return Feedback(
        completion=fields.decimal("completion"),
        security=fields.text("security"),
        gaps=tuple(_gap(one) for one in fields.each("gaps")),
        actions=fields.texts("actions"),
    )


def _gap(fields: Fields) -> Gap:
    return Gap(
        node=fields.text("node"),
        file=fields.optional_text("file") or "",
        line=fields.optional_number("line"),
        criterion=fields.text("criterion"),
        expected=fields.text("expected"),
        actual=fields.text("actual"),
        severity=fields.text("severity"),
    )
