"""What skill texts say differently per host: names of its tools, forms of a call, limits."""

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, cast

from knowzcode_relay.errors import RelayError


@dataclass(frozen=True)
class Facts:
    """One host as `skill_templates/hosts/<name>.toml` describes it. Times in seconds, or as named."""

    name: str
    other_title: str
    prefix: str
    call: str
    call_note: str
    shell_limit: int
    limit_option: str
    poll_limit_ms: int
    poll_wait: int
    file_tool: str
    open_work: str
    front_matter: tuple[str, ...]


def load(path: Path) -> Facts:
    """Read one host's facts; a missing, unknown or ill-typed key is RelayError naming file and key."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RelayError("facts.unreadable", f"{path} cannot be read: {error}.") from error
    known = {field.name: field.type for field in fields(Facts)}
    if odd := sorted(known.keys() ^ table.keys()):
        raise RelayError("facts.keys", f"{path} has a missing or unknown key: {', '.join(odd)}.")
    values: dict[str, Any] = {
        key: tuple(cast("list[object]", value)) if isinstance(value, list) else value
        for key, value in table.items()
    }
    for key, kind in known.items():
        wanted = kind if isinstance(kind, type) else tuple  # tuple[str, ...] is no class
        if not isinstance(values[key], wanted):
            raise RelayError("facts.type", f"{path}: {key} is not of type {wanted.__name__}.")
    found = Facts(**values)
    if not found.poll_wait * 1000 < found.poll_limit_ms <= found.shell_limit * 1000:
        raise RelayError(
            "facts.limits", f"{path}: a poll must end before its limit, that within the shell's."
        )
    return found
