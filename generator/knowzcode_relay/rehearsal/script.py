"""What a scripted model does: steps as values, in order or chosen from what the model was told."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from knowzcode_relay.rehearsal.request import Request


@dataclass(frozen=True)
class Text:
    """Say something. Alone it ends the client's turn."""

    text: str


@dataclass(frozen=True)
class ToolCall:
    """Call a tool of the client, with the arguments that its schema asks for."""

    name: str
    arguments: Mapping[str, object]


@dataclass(frozen=True)
class Turn:
    """Several items in one answer, and the tokens that the answer claims to have cost."""

    items: tuple[Text | ToolCall, ...]
    input_tokens: int = 10
    output_tokens: int = 20

    @property
    def calls_tools(self) -> bool:
        return any(isinstance(item, ToolCall) for item in self.items)


@dataclass(frozen=True)
class HttpError:
    """Refuse the request. `kind` and `code` are the provider's own words for it."""

    status: int
    message: str
    kind: str = "api_error"
    code: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True)
class Hang:
    """Say nothing until the client gives up or the server ends; with `after`, that many events first."""

    after: int = 0
    answer: Turn = Turn((Text("cut short"),))


@dataclass(frozen=True)
class CutAfter:
    """Break the connection after that many events of the answer; 0 breaks it before any header."""

    events: int
    answer: Turn = Turn((Text("cut short"),))


@dataclass(frozen=True)
class Delay:
    """Wait, then do `step`; `between` waits before every event of a streamed answer."""

    seconds: float
    step: "Text | ToolCall | Turn | HttpError"
    between: float = 0.0


Step = Text | ToolCall | Turn | HttpError | Hang | CutAfter | Delay
Script = Sequence[Step] | Callable[[Request], Step]


def turn(*items: Text | ToolCall) -> Turn:
    """Several items in one answer."""
    return Turn(items)
