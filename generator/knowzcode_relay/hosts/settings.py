"""Read a client's JSON and TOML files. A malformed one is named with its line and never taken for empty."""

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from knowzcode_relay.errors import Exit, RelayError


def read_json(path: Path) -> dict[str, Any]:
    """The object in `path`; a missing or empty file is an empty object."""
    text = _text(path)
    if not text.strip():
        return {}
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise _malformed(path, error.lineno, error.msg) from error
    if not isinstance(value, dict):
        raise _malformed(path, 1, "it holds no object")
    return cast("dict[str, Any]", value)


def read_toml(path: Path) -> dict[str, Any]:
    """The table in `path`; a missing file is an empty table."""
    try:
        return tomllib.loads(_text(path).replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        line = getattr(error, "lineno", None) or _line_in(str(error))
        raise _malformed(path, line, str(error)) from error


def table(value: object) -> Mapping[str, Any]:
    """`value` where it is an object, else an empty one: a client ignores what has the wrong type."""
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else {}


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        raise _malformed(path, 1, "it is not UTF-8") from error
    except OSError as error:
        raise RelayError(
            "settings.unreadable", f"{path} cannot be read: {error.strerror or error}.", exit=Exit.HALT
        ) from error


def _line_in(message: str) -> int:
    digits = "".join(c for c in message.partition("at line ")[2].partition(",")[0] if c.isdigit())
    return int(digits) if digits else 0


def _malformed(path: Path, line: int, reason: str) -> RelayError:
    where = f"{path}, line {line}," if line else f"{path}"
    return RelayError(
        "settings.malformed",
        f"{where} is malformed: {reason}.",
        exit=Exit.HALT,
        hint="Mend that file, then run the command again. Nothing was changed.",
    )
