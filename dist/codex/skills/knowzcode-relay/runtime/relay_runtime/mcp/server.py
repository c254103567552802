"""A server process that outlives one leg: its stdin is a named pipe, its stdout a regular file.

The server holds both ends of its pipe, so no process of ours has to stay for it. It ends when it is closed.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from relay_runtime.attempts.events import Event, LogReader, child, number, text
from relay_runtime.attempts.process import ATTEMPT, Identity, Waits, alive, identify_child, stop_tree
from relay_runtime.clock import Clock
from relay_runtime.errors import RelayError
from relay_runtime.fsio import write_atomic
from relay_runtime.mcp.registry import Registered

PROTOCOL = "2025-06-18"
HANDSHAKE_SECONDS = 15.0
_PIPE = "mcp-in"
_WRITE_SECONDS = 30.0
_LOOK_EVERY = 0.05
_WAITS = Waits(interrupt=0.0, terminate=3.0, kill=3.0)  # it does not end at SIGINT


@dataclass(frozen=True)
class Server:
    """A running server. `mark` is the attempt id that its own processes carry."""

    folder: Path
    process: Identity
    mark: str


def start(folder: Path, registered: Registered, environ: Mapping[str, str], cwd: Path) -> Server:
    """Start the registered command with its files in `folder`; OSError when that is impossible."""
    pipe, mark = folder / _PIPE, os.urandom(12).hex()
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe, 0o600)
    inlet = os.open(pipe, os.O_RDWR)
    try:
        with _out(folder).open("wb") as out, (folder / "mcp-err.log").open("wb") as err:
            process = subprocess.Popen(
                registered.argv,
                stdin=inlet,
                stdout=out,
                stderr=err,
                cwd=cwd,
                env={**environ, **registered.environ, ATTEMPT: mark},
                start_new_session=True,
            )
    finally:
        os.close(inlet)
    server = Server(folder, identify_child(process.pid), mark)
    record = {"schema": 1, "pid": server.process.pid, "start": server.process.start, "mark": mark}
    write_atomic(_record(folder), (json.dumps(record) + "\n").encode())
    return server


def living(folder: Path) -> Server | None:
    """The server that an earlier leg of this relay left running."""
    try:
        record: Event = child({"": json.loads(_record(folder).read_bytes())}, "")
    except (OSError, ValueError):
        return None
    server = Server(folder, Identity(number(record, "pid"), text(record, "start")), text(record, "mark"))
    return server if alive(server.process) else None


def close(folder: Path, clock: Clock) -> tuple[Identity, ...]:
    """End the relay's server and what it started; the survivors. Without one nothing happens."""
    server = living(folder)
    left = () if server is None else stop_tree(server.process, server.mark, clock, _WAITS)
    (folder / _PIPE).unlink(missing_ok=True)  # whoever reads through the folder must not wait at it
    return left


class Conversation:
    """JSON-RPC with a server. Only what it says from now on is heard; `stopped` ends a wait for it."""

    def __init__(self, server: Server, clock: Clock, stopped: Callable[[], bool] = lambda: False) -> None:
        self.server, self.clock, self.stopped = server, clock, stopped
        out = _out(server.folder)
        self._out = LogReader(out, offset=out.stat().st_size)
        self._id = os.getpid() * 1000  # no id of an earlier conversation with the same server

    def request(self, method: str, params: Mapping[str, object]) -> int:
        """Ask for something and give the id that the answer will carry."""
        self._id += 1
        self._write({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})
        return self._id

    def notify(self, method: str, params: Mapping[str, object]) -> None:
        self._write({"jsonrpc": "2.0", "method": method, "params": params})

    def news(self) -> list[Event]:
        """What the server said since the last look."""
        return list(self._out.news())

    def answer(self, method: str, params: Mapping[str, object]) -> Event:
        """Ask, and wait a bounded time for the result; RelayError when there is none."""
        wanted = self.request(method, params)
        until = self.clock.monotonic() + HANDSHAKE_SECONDS
        while alive(self.server.process) and self.clock.monotonic() < until and not self.stopped():
            for message in self.news():
                if message.get("id") == wanted:
                    return child(message, "result")
            self.clock.sleep(_LOOK_EVERY)
        raise RelayError("mcp.silent", f"The MCP server did not answer {method}.")

    def greet(self) -> Event:
        """The handshake; what the server offers as tools."""
        client = {"name": "knowzcode-relay", "version": "1"}
        self.answer("initialize", {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": client})
        self.notify("notifications/initialized", {})
        return self.answer("tools/list", {})

    def _write(self, message: Mapping[str, object]) -> None:
        data = memoryview((json.dumps(message) + "\n").encode())
        try:  # a pipe that nobody reads any more refuses to be opened instead of blocking us
            pipe = os.open(self.server.folder / _PIPE, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            raise RelayError("mcp.gone", "The MCP server is gone.") from error
        try:
            while data:
                if not select.select([], [pipe], [], _WRITE_SECONDS)[1]:
                    raise RelayError("mcp.stuck", "The MCP server reads nothing.")
                data = data[os.write(pipe, data) :]
        finally:
            os.close(pipe)


def _out(folder: Path) -> Path:
    return folder / "mcp-out.jsonl"


def _record(folder: Path) -> Path:
    return folder / "mcp-server.json"
