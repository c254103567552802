"""Typed reading of a JSON object that we wrote ourselves; ValueError names the key that is not as written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn, cast


class Fields:
    """One JSON object. `where` is only named in errors."""

    def __init__(self, value: object, where: str) -> None:
        if not isinstance(value, dict):
            raise ValueError(f"{where} is not an object")
        self._values = cast(Mapping[str, object], value)
        self._where = where

    def text(self, key: str) -> str:
        value = self._get(key)
        return value if isinstance(value, str) else self._refuse(key, "text")

    def optional_text(self, key: str) -> str | None:
        return None if self._values.get(key) is None else self.text(key)

    def number(self, key: str) -> int:
        value = self._get(key)
        whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not whole:
            return self._refuse(key, "a whole number")
        return int(value)

    def optional_number(self, key: str) -> int | None:
        return None if self._values.get(key) is None else self.number(key)

    def decimal(self, key: str) -> float:
        value = self._get(key)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return self._refuse(key, "a number")
        return float(value)

    def optional_decimal(self, key: str) -> float | None:
        return None if self._values.get(key) is None else self.decimal(key)

    def flag(self, key: str) -> bool:
        value = self._get(key)
        return value if isinstance(value, bool) else self._refuse(key, "true or false")

    def texts(self, key: str) -> tuple[str, ...]:
        values = self._list(key)
        if not all(isinstance(value, str) for value in values):
            return self._refuse(key, "a list of texts")
        return tuple(cast(list[str], values))

    def text_lists(self, key: str) -> tuple[tuple[str, ...], ...]:
        rows = self._list(key)
        return tuple(Fields({key: row}, self._where).texts(key) for row in rows)

    def text_map(self, key: str) -> dict[str, str]:
        inner = self.one(key)
        return {name: inner.text(name) for name in inner._values}

    def one(self, key: str) -> Fields:
        return Fields(self._get(key), f"{self._where}.{key}")

    def optional(self, key: str) -> Fields | None:
        return None if self._values.get(key) is None else self.one(key)

    def each(self, key: str) -> tuple[Fields, ...]:
        return tuple(Fields(value, f"{self._where}.{key}[{i}]") for i, value in enumerate(self._list(key)))

    def _get(self, key: str) -> object:
        if key not in self._values:
            raise ValueError(f"{self._where} has no {key!r}")
        return self._values[key]

    def _list(self, key: str) -> list[object]:
        value = self._get(key)
        return cast("list[object]", value) if isinstance(value, list) else self._refuse(key, "a list")

    def _refuse(self, key: str, what: str) -> NoReturn:
        raise ValueError(f"{self._where}.{key} is not {what}")
