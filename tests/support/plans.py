"""A plan and a feedback as a host sends them."""

from typing import Any


def a_plan(**changes: Any) -> dict[str, Any]:
    """Two changes with their specs, owning `src` and `tests`."""
    return {
        "schema": 1,
        "type": "feat",
        "slug": "demo",
        "goal": "Greet the user by name.",
        "change_set": [
            {"id": "Greeter", "description": "says the name", "depends_on": []},
            {"id": "Cli", "description": "asks for the name", "depends_on": ["Greeter"]},
        ],
        "specs": [
            {"id": "Greeter", "path": "knowzcode/specs/Greeter.md", "summary": "one greeting"},
            {"id": "Cli", "path": "knowzcode/specs/Cli.md", "summary": "one question"},
        ],
        "test_commands": ["python3 -m unittest"],
        "owned_paths": ["src", "tests"],
        **changes,
    }


def a_gap(**changes: Any) -> dict[str, Any]:
    return {
        "node": "Greeter",
        "file": "src/greet.py",
        "line": 3,
        "criterion": "greets by name",
        "expected": "Hello, Ada",
        "actual": "Hello",
        "severity": "major",
        **changes,
    }


def a_feedback(*gaps: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A review with these gaps and one action for each; without gaps it is clean."""
    return {
        "schema": 1,
        "completion": 80 if gaps else 100,
        "security": "no findings",
        "gaps": list(gaps),
        "actions": [f"Repair gap {number}." for number in range(1, len(gaps) + 1)],
        **changes,
    }
