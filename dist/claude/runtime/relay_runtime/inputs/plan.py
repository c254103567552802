"""The approved plan that `start` reads: what is to be done, by which specs, in which paths."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

from relay_runtime.errors import UsageError
from relay_runtime.fields import Fields
from relay_runtime.inputs import schema
from relay_runtime.paths import KNOWZCODE
from relay_runtime.workgroup import slug

_LINE = {"type": "string", "minLength": 1, "maxLength": 4000}
# A path that stays in the repository, on one line; `$` alone would also match before a final newline.
_PATH = {
    "type": "string",
    "minLength": 1,
    "maxLength": 1000,
    "pattern": r"^(?![/\\])(?![A-Za-z]:)(?!(?:.*[/\\])?\.\.(?:[/\\]|$))[^\x00-\x1f\x7f]+$(?!\n)",
    "description": "a path inside the repository, without '..' and control characters",
}
_NODE = {
    "type": "string",
    "maxLength": 100,
    "pattern": r"^[A-Za-z0-9][A-Za-z0-9._:-]*$(?!\n)",
    "description": "an id of letters, digits, '.', '_', ':' and '-'",
}

SCHEMA: schema.Schema = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Relay plan",
    "description": "What `start` reads on stdin.",
    "type": "object",
    "required": ["schema", "type", "slug", "goal", "change_set", "specs", "test_commands", "owned_paths"],
    "additionalProperties": False,
    "properties": {
        "schema": {"const": 1},
        "type": {
            "type": "string",
            "pattern": r"^[a-z][a-z0-9]{0,15}$(?!\n)",
            "description": "one short lower case word such as feat or fix",
        },
        "slug": {**_LINE, "maxLength": 200},
        "goal": {**_LINE, "maxLength": 100000},
        "change_set": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["id", "description", "depends_on"],
                "additionalProperties": False,
                "properties": {
                    "id": _NODE,
                    "description": _LINE,
                    "depends_on": {"type": "array", "items": _NODE},
                },
            },
        },
        "specs": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["id", "path", "summary"],
                "additionalProperties": False,
                "properties": {"id": _NODE, "path": _PATH, "summary": _LINE},
            },
        },
        "test_commands": {"type": "array", "minItems": 1, "items": _LINE},
        "owned_paths": {"type": "array", "minItems": 1, "items": _PATH},
    },
}


@dataclass(frozen=True)
class Change:
    id: str
    description: str
    depends_on: tuple[str, ...]


@dataclass(frozen=True)
class Spec:
    id: str
    path: str
    summary: str


@dataclass(frozen=True)
class Plan:
    """`owned_paths` are normal relative paths; a folder owns what is below it, `.` everything but ours."""

    type: str
    slug: str
    goal: str
    change_set: tuple[Change, ...]
    specs: tuple[Spec, ...]
    test_commands: tuple[str, ...]
    owned_paths: tuple[str, ...]

    def owns(self, path: str) -> bool:
        """Whether a changed `path` (relative, with slashes) belongs to the approved work."""
        parts = PurePosixPath(path)
        if parts.parts[:1] == (KNOWZCODE,):
            return False
        return any(
            owned == "." or owned == path or PurePosixPath(owned) in parts.parents
            for owned in self.owned_paths
        )


def parse(text: str) -> Plan:
    """The plan in `text`; every mistake is named in one RelayError (exit 2)."""
    try:
        value = schema.parse(text)
    except ValueError as error:
        raise UsageError(
            "plan.json", f"The plan is not JSON: {error}.", hint="See docs/plan.schema.json."
        ) from error
    found = list(schema.mistakes(value, SCHEMA))
    if not found:
        plan = read(Fields(value, "plan"))
        found = _mistakes(plan)
        if not found:
            return plan
    raise UsageError(
        "plan.invalid",
        "The plan cannot be used. " + " ".join(found),
        hint="Correct the plan, then run start again.",
    )


def read(fields: Fields) -> Plan:
    """A plan from JSON that fits the schema."""
    return Plan(
        type=fields.text("type"),
        slug=fields.text("slug"),
        goal=fields.text("goal"),
        change_set=tuple(
            Change(one.text("id"), one.text("description"), one.texts("depends_on"))
            for one in fields.each("change_set")
        ),
        specs=tuple(
            Spec(one.text("id"), one.text("path"), one.text("summary")) for one in fields.each("specs")
        ),
        test_commands=fields.texts("test_commands"),
        owned_paths=tuple(dict.fromkeys(str(PurePosixPath(path)) for path in fields.texts("owned_paths"))),
    )


def _mistakes(plan: Plan) -> list[str]:
    found: list[str] = []
    ids = [change.id for change in plan.change_set]
    if not slug(plan.slug):
        found.append("slug must contain a letter or digit of a-z and 0-9.")
    found += [f"change_set names {name!r} twice." for name in dict.fromkeys(ids) if ids.count(name) > 1]
    for change in plan.change_set:
        found += [
            f"{change.id} depends on {other!r}, which is no other change of the set."
            for other in change.depends_on
            if other not in ids or other == change.id
        ]
    paths = [spec.path for spec in plan.specs]
    found += [f"specs names {path!r} twice." for path in dict.fromkeys(paths) if paths.count(path) > 1]
    for path in plan.owned_paths:
        first = PurePosixPath(path).parts[:1]
        if first in ((KNOWZCODE,), (".git",)):
            found.append(f"owned_paths has {path!r}; the target never owns {first[0]}/.")
        elif path.endswith("*"):
            found.append(f"owned_paths has {path!r}; name the folder itself, it owns what is below it.")
    return found
