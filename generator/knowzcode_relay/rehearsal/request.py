"""One request of a client to its model, kept without its secrets."""

from collections.abc import Mapping
from dataclasses import dataclass

_SECRET = frozenset({"authorization", "x-api-key", "cookie", "proxy-authorization"})


@dataclass(frozen=True)
class Request:
    """`number` counts from 1 over the requests that the script answers; `prompts` and `tool_results` are
    what the model has been told so far, oldest first."""

    number: int
    path: str
    headers: Mapping[str, str]
    body: Mapping[str, object]
    prompts: tuple[str, ...]
    tool_results: tuple[str, ...]
    tool_names: tuple[str, ...]

    @property
    def model(self) -> str:
        return str(self.body.get("model", ""))

    @property
    def last_result(self) -> str:
        """The newest tool result, or nothing before the first."""
        return self.tool_results[-1] if self.tool_results else ""


def without_secrets(headers: Mapping[str, str]) -> dict[str, str]:
    """`headers` by lower-case name, those that carry a credential left out."""
    return {name.lower(): value for name, value in headers.items() if name.lower() not in _SECRET}
