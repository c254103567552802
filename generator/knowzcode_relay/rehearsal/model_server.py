"""A scripted model on 127.0.0.1: real clients talk to it, with no account and no quota.

with ModelServer([ToolCall("Bash", {"command": "ls"}), Text("done")]) as server:
    run_a_client(endpoint.claude(server.url))
assert len(server.requests) == 2
"""

import contextlib
import json
import socket
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

from knowzcode_relay.rehearsal.conversation import Conversation
from knowzcode_relay.rehearsal.dialects import DIALECTS
from knowzcode_relay.rehearsal.dialects.base import Dialect, Event, record
from knowzcode_relay.rehearsal.request import Request
from knowzcode_relay.rehearsal.script import (
    CutAfter,
    Delay,
    Hang,
    HttpError,
    Script,
    Step,
    Text,
    ToolCall,
    Turn,
)

_BODY_LIMIT = 64 * 1024 * 1024


class ModelServer:
    """Listens from `with` to its end; after that no thread and no socket of it is left.

    A script that raises is answered with a refusal, and its exception leaves the `with` block.
    """

    def __init__(self, script: Script, *, limit: int = 500) -> None:
        self._conversation = Conversation(script, limit)
        self._listener = _Listener(self._conversation)
        # Asked every 20 ms whether to end, so that leaving the block is quick.
        self._thread = threading.Thread(target=self._listener.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.server_port}"

    @property
    def requests(self) -> tuple[Request, ...]:
        """The requests that the script has answered, oldest first."""
        return self._conversation.requests

    @property
    def side_requests(self) -> int:
        """How many requests beside the conversation (titles) were answered without the script."""
        return self._conversation.side_requests

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._listener.end()
        self._thread.join()
        if error is None and self._conversation.failure is not None:
            raise self._conversation.failure


@dataclass(frozen=True)
class _Reply:
    """How the answer to one request is spelled."""

    dialect: Dialect
    number: int
    model: str
    streamed: bool

    def events(self, answer: Turn) -> list[Event]:
        return self.dialect.events(answer, self.number, self.model)

    def whole(self, answer: Turn) -> dict[str, object]:
        return self.dialect.whole(answer, self.number, self.model)


class _Listener(ThreadingHTTPServer):
    daemon_threads = False  # so that closing waits for the handlers

    def __init__(self, conversation: Conversation) -> None:
        self.conversation = conversation
        self.ending = threading.Event()
        self._open: set[socket.socket] = set()
        super().__init__(("127.0.0.1", 0), _Handler)

    def process_request(self, request: socket.socket, client_address: object) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]  it is a TCP server
        self._open.add(request)
        super().process_request(request, client_address)  # pyright: ignore[reportArgumentType]

    def shutdown_request(self, request: socket.socket) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]  it is a TCP server
        self._open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is no news for the terminal."""

    def end(self) -> None:
        """Stop listening, wake every handler, wait for all."""
        self.ending.set()
        self.shutdown()
        for connection in list(self._open):
            _break(connection)
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Listener  # pyright: ignore[reportIncompatibleVariableOverride]

    def log_message(self, format: str, *args: object) -> None:
        """Requests are kept, not printed."""

    def do_HEAD(self) -> None:
        self._send(200, None)

    def do_GET(self) -> None:
        """Probes: a list of models, which is empty, or a WebSocket, which is not here."""
        self._send(404 if self.headers.get("upgrade") else 200, {"data": []})

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        if length > _BODY_LIMIT:
            self.close_connection = True
            self._send(413, {"error": {"message": "The request is too large."}})
            return
        raw = self.rfile.read(length)
        path = self.path.partition("?")[0]
        dialect = next((known for known in DIALECTS if path.endswith(known.SUFFIX)), None)
        if dialect is None:
            self._send(200, {"input_tokens": 10})  # count_tokens
            return
        try:
            body: Mapping[str, object] = record(json.loads(raw))
        except ValueError:
            body = {}
        if not body:
            self._send(400, dialect.error(HttpError(400, "The body is no JSON object.")))
            return
        number, step = self.server.conversation.answer(dialect, self.path, dict(self.headers.items()), body)
        self._play(step, _Reply(dialect, number, str(body.get("model", "")), bool(body.get("stream"))))

    def _play(self, step: Step, reply: _Reply, between: float = 0.0) -> None:
        match step:
            case Delay():
                self.server.ending.wait(step.seconds)
                self._play(step.step, reply, step.between)
            case HttpError():
                self._send(step.status, reply.dialect.error(step), step.headers)
            case Hang():
                if step.after:
                    self._stream(reply.events(step.answer)[: step.after], between)
                self._hold()
            case CutAfter():
                if step.events:
                    self._stream(reply.events(step.answer)[: step.events], between)
                self._cut()
            case Text() | ToolCall():
                self._play(Turn((step,)), reply, between)
            case Turn() if reply.streamed:
                self._stream(reply.events(step), between)
            case Turn():
                self._send(200, reply.whole(step))

    def _send(self, status: int, body: object, headers: Mapping[str, str] | None = None) -> None:
        data = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {
            "content-type": "application/json",
            "content-length": str(len(data)),
            **(headers or {}),
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, events: Sequence[Event], between: float) -> None:
        """Write server-sent events; the end of the connection is the end of the stream."""
        self.close_connection = True
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        for event in events:
            data = event.data if isinstance(event.data, str) else json.dumps(event.data)
            name = f"event: {event.name}\n" if event.name else ""
            self.wfile.write(f"{name}data: {data}\n\n".encode())
            if between:
                self.server.ending.wait(between)

    def _hold(self) -> None:
        """Keep the connection until the client or the server's end closes it."""
        self.close_connection = True
        while self.connection.recv(4096):
            pass

    def _cut(self) -> None:
        self.close_connection = True
        _break(self.connection)


def _break(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):  # the other side was faster
        connection.shutdown(socket.SHUT_RDWR)
