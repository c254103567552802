"""What a rehearsal is about: a greeting that the first round gets wrong and the second puts right."""

import json

from knowzcode_relay.rehearsal.clients import Client
from knowzcode_relay.rehearsal.script import Step, Text

SPEC = "knowzcode/specs/Greeting.md"
RESULT = "greeting/hello.txt"
FIRST = "Hello\n"
FIXED = "Hello, Ada\n"
TEST = f"grep -qx 'Hello, Ada' {RESULT}"

FILES = {"README.md": "A repository that exists for one rehearsal.\n"}
SPEC_TEXT = f"# Greeting\n\nVERIFY: {RESULT} holds one line that greets Ada by name.\n"

_PLAN: dict[str, object] = {
    "schema": 1,
    "type": "feat",
    "slug": "rehearsal",
    "goal": "Greet Ada by name.",
    "change_set": [{"id": "Greeting", "description": f"{RESULT} greets Ada", "depends_on": []}],
    "specs": [{"id": "Greeting", "path": SPEC, "summary": "one line that greets Ada by name"}],
    "test_commands": [TEST],
    "owned_paths": ["greeting"],
}
_GAP = {
    "node": "Greeting",
    "file": RESULT,
    "line": 1,
    "criterion": "greets Ada by name",
    "expected": FIXED.strip(),
    "actual": FIRST.strip(),
    "severity": "major",
}
_WITH_GAP = {
    "schema": 1,
    "completion": 50,
    "security": "nothing found",
    "gaps": [_GAP],
    "actions": ["Greet Ada by name."],
}
_CLEAN: dict[str, object] = {
    "schema": 1,
    "completion": 100,
    "security": "nothing found",
    "gaps": [],
    "actions": [],
}

PLAN = json.dumps(_PLAN)
REVIEWS = (json.dumps(_WITH_GAP), json.dumps(_CLEAN))
"""What the host finds after the first round, and after the second."""


def request(target: str) -> str:
    """What the user asks the host for."""
    return f"--relay={target} Let {RESULT} greet Ada by name.\n"


def model(client: Client) -> tuple[Step, ...]:
    """What the target's model does: work and report, and once more in the fix round."""
    write = f"mkdir -p greeting && printf 'Hello\\n' > {RESULT} && cat {RESULT}"
    repair = f"printf 'Hello, Ada\\n' > {RESULT} && {TEST} && echo fixed"
    return (
        client.command(write),
        _report(f"{RESULT}: greets.", "Not run."),
        client.command(repair),
        _report(f"{RESULT}:1 greets Ada by name.", f"`{TEST}` passes."),
    )


def _report(changed: str, tests: str) -> Text:
    return Text(
        f"### Files Changed\n{changed}\n### Tests\n{tests}\n### Plan Refinements\nNone\n"
        "### Spec Issues\nNone\n### Remaining Work\nNone\n"
    )
