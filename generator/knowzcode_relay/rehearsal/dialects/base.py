"""What every model protocol has to answer."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol, cast

from knowzcode_relay.rehearsal.script import HttpError, Turn

Body = Mapping[str, object]


@dataclass(frozen=True)
class Event:
    """One server-sent event. `data` is JSON, or a bare word such as `[DONE]`."""

    name: str
    data: Mapping[str, object] | str


class Dialect(Protocol):
    """A module of this package."""

    @property
    def SUFFIX(self) -> str:  # noqa: N802  a constant of the module
        """What the request's path ends in."""
        ...

    def is_side(self, body: Body) -> bool:
        """Whether this is a request beside the conversation, such as one for a title."""
        ...

    def prompts(self, body: Body) -> Iterator[str]:
        """What the user side has said, oldest first."""
        ...

    def tool_results(self, body: Body) -> Iterator[str]:
        """What the tools have answered, oldest first."""
        ...

    def tool_names(self, body: Body) -> Iterator[str]:
        """The tools that the client offers."""
        ...

    def events(self, answer: Turn, number: int, model: str) -> list[Event]:
        """The answer as a stream."""
        ...

    def whole(self, answer: Turn, number: int, model: str) -> dict[str, object]:
        """The answer in one piece, for a request that asks for no stream."""
        ...

    def error(self, refusal: HttpError) -> dict[str, object]:
        """The body of a refusal."""
        ...


def record(value: object) -> Body:
    """A JSON object; anything else is an empty one."""
    return cast(Body, value) if isinstance(value, dict) else {}


def records(value: object) -> list[Body]:
    """The objects in a JSON list; anything else has none."""
    entries = cast(list[object], value) if isinstance(value, list) else []
    return [found for found in map(record, entries) if found]


def texts(content: object) -> Iterator[str]:
    """The texts in a message's content, which is a string or a list of typed parts."""
    if isinstance(content, str):
        yield content
    for part in records(content):
        if isinstance(part.get("text"), str):
            yield str(part["text"])


def joined(content: object) -> str:
    """All texts of a message's content as one."""
    return "".join(texts(content))
