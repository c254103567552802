"""Which step answers which request, kept apart from how bytes travel."""

import threading
from collections.abc import Callable, Mapping, Sequence

from knowzcode_relay.rehearsal.dialects.base import Dialect
from knowzcode_relay.rehearsal.request import Request, without_secrets
from knowzcode_relay.rehearsal.script import HttpError, Script, Step, Text

_SIDE_ANSWER = Text("Scripted side answer")


class Conversation:
    """Plays one script. Clients ask from several threads; requests are answered one after the other."""

    def __init__(self, script: Script, limit: int) -> None:
        self._choose: Callable[[Request], Step] = script if callable(script) else _in_order(script)
        self._limit = limit
        self._lock = threading.Lock()
        self._requests: list[Request] = []
        self._side_requests = 0
        self._failure: Exception | None = None

    @property
    def requests(self) -> tuple[Request, ...]:
        """The requests that the script has answered, oldest first."""
        with self._lock:
            return tuple(self._requests)

    @property
    def side_requests(self) -> int:
        """How many requests beside the conversation were answered without the script."""
        with self._lock:
            return self._side_requests

    @property
    def failure(self) -> Exception | None:
        """What the script raised first, if it did."""
        return self._failure

    def answer(
        self, dialect: Dialect, path: str, headers: Mapping[str, str], body: Mapping[str, object]
    ) -> tuple[int, Step]:
        """The request's number and the step for it; number 0 is a side request."""
        with self._lock:
            if dialect.is_side(body):
                self._side_requests += 1
                return 0, _SIDE_ANSWER
            request = Request(
                number=len(self._requests) + 1,
                path=path,
                headers=without_secrets(headers),
                body=body,
                prompts=tuple(dialect.prompts(body)),
                tool_results=tuple(dialect.tool_results(body)),
                tool_names=tuple(dialect.tool_names(body)),
            )
            if request.number > self._limit:
                return request.number, _refused(f"More than {self._limit} requests.")
            self._requests.append(request)
            return request.number, self._step(request)

    def _step(self, request: Request) -> Step:
        try:
            return self._choose(request)
        except Exception as error:  # noqa: BLE001  raised again where the server is closed
            self._failure = self._failure or error
            return _refused(f"The script failed at request {request.number}.")


def _in_order(steps: Sequence[Step]) -> Callable[[Request], Step]:
    def choose(request: Request) -> Step:
        if request.number > len(steps):
            return _refused(f"The script ends after {len(steps)} steps.")
        return steps[request.number - 1]

    return choose


def _refused(message: str) -> HttpError:
    """A 400, since clients give up on it at once."""
    return HttpError(400, message, kind="invalid_request_error")
