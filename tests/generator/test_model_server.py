"""The scripted model itself, asked by plain HTTP."""

import http.client
import json
import threading
from collections.abc import Mapping
from urllib.parse import urlsplit

import pytest

from knowzcode_relay.rehearsal.model_server import ModelServer
from knowzcode_relay.rehearsal.request import Request
from knowzcode_relay.rehearsal.script import (
    CutAfter,
    Delay,
    Hang,
    HttpError,
    Step,
    Text,
    ToolCall,
    turn,
)

TOOLS = [{"name": "Bash"}]
MESSAGES = "/v1/messages?beta=true"
RESPONSES = "/v1/responses"
CHAT = "/v1/chat/completions"


def connect(server: ModelServer) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=10)


def ask(
    server: ModelServer, path: str, body: Mapping[str, object], headers: Mapping[str, str] | None = None
) -> tuple[int, str]:
    connection = connect(server)
    try:
        connection.request("POST", path, json.dumps(body), dict(headers or {}))
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def asked(text: str, *, stream: bool = False, tools: object = TOOLS) -> dict[str, object]:
    return {
        "model": "m",
        "messages": [{"role": "user", "content": text}],
        "tools": tools,
        "stream": stream,
    }


def event_names(stream: str) -> list[str]:
    return [line[len("event: ") :] for line in stream.splitlines() if line.startswith("event: ")]


def test_steps_answer_in_order() -> None:
    with ModelServer([Text("one"), Text("two")]) as server:
        answers = [json.loads(ask(server, MESSAGES, asked("hi"))[1]) for _ in range(2)]
    assert [answer["content"][0]["text"] for answer in answers] == ["one", "two"]


def test_a_function_decides_from_what_the_model_was_told() -> None:
    def echo(request: Request) -> Step:
        return Text(f"{request.number}: {request.prompts[-1]}")

    with ModelServer(echo) as server:
        answer = json.loads(ask(server, MESSAGES, asked("what is up"))[1])
    assert answer["content"][0]["text"] == "1: what is up"


@pytest.mark.parametrize("path", [MESSAGES, CHAT])
def test_a_request_without_tools_is_answered_apart(path: str) -> None:
    with ModelServer([Text("the real answer")]) as server:
        side = ask(server, path, asked("a title please", tools=[]))
        real = ask(server, path, asked("hi"))
        assert (server.side_requests, len(server.requests)) == (1, 1)
    assert "Scripted side answer" in side[1]
    assert "the real answer" in real[1]


def test_probes_are_answered_and_not_counted() -> None:
    with ModelServer([]) as server:
        for method, path in (
            ("HEAD", "/"),
            ("GET", "/v1/models"),
            ("POST", "/v1/messages/count_tokens"),
        ):
            connection = connect(server)
            connection.request(method, path, "{}" if method == "POST" else None)
            assert connection.getresponse().status == 200
            connection.close()
        assert (server.side_requests, server.requests) == (0, ())


def test_a_script_that_ended_refuses_with_its_length() -> None:
    with ModelServer([Text("only")]) as server:
        ask(server, MESSAGES, asked("1"))
        status, body = ask(server, MESSAGES, asked("2"))
    assert (status, "ends after 1 steps" in body) == (400, True)


def test_requests_are_bounded() -> None:
    with ModelServer(lambda _: Text("again"), limit=2) as server:
        statuses = [ask(server, MESSAGES, asked("x"))[0] for _ in range(3)]
        assert len(server.requests) == 2
    assert statuses == [200, 200, 400]


def test_a_script_that_raises_refuses_and_raises_at_the_end() -> None:
    def broken(request: Request) -> Step:
        raise LookupError("no such step")

    with pytest.raises(LookupError, match="no such step"), ModelServer(broken) as server:
        assert ask(server, MESSAGES, asked("x"))[0] == 400


def test_requests_are_kept_without_their_secrets() -> None:
    with ModelServer([Text("ok")]) as server:
        ask(
            server,
            MESSAGES,
            asked("x"),
            {"Authorization": "Bearer s3cret", "X-Api-Key": "s3cret", "X-App": "a"},
        )
        (request,) = server.requests
    assert (request.path, request.model, request.tool_names) == (MESSAGES, "m", ("Bash",))
    assert request.headers["x-app"] == "a"
    assert "s3cret" not in json.dumps(dict(request.headers))


def test_a_refusal_has_the_providers_shape() -> None:
    refusal = HttpError(429, "slow down", kind="rate_limit_error", headers={"retry-after": "7"})
    with ModelServer([refusal, refusal]) as server:
        status, body = ask(server, MESSAGES, asked("x"))
        connection = connect(server)
        connection.request("POST", RESPONSES, json.dumps({"input": "x"}))
        answer = connection.getresponse()
        other = json.loads(answer.read())
        connection.close()
    assert status == 429
    assert json.loads(body) == {
        "type": "error",
        "error": {"type": "rate_limit_error", "message": "slow down"},
    }
    assert answer.headers["retry-after"] == "7"
    assert other["error"]["message"] == "slow down"


STREAMS: list[tuple[str, dict[str, object]]] = [
    (MESSAGES, asked("x", stream=True)),
    (RESPONSES, {"model": "m", "input": [], "stream": True}),
    (CHAT, asked("x", stream=True)),
]


@pytest.mark.parametrize(("path", "body"), STREAMS)
def test_a_stream_carries_text_and_tool_call(path: str, body: dict[str, object]) -> None:
    call = ToolCall("Bash", {"command": "echo 'ü'"})
    with ModelServer([turn(Text("first"), call)]) as server:
        status, stream = ask(server, path, body)
    assert status == 200
    assert "first" in stream
    assert json.dumps(json.dumps(call.arguments)) in stream


@pytest.mark.parametrize(("path", "body"), STREAMS)
def test_a_cut_stream_ends_early(path: str, body: dict[str, object]) -> None:
    with ModelServer([CutAfter(1), Text("whole")]) as server:
        _, cut = ask(server, path, body)
        _, whole = ask(server, path, body)
    assert cut.count("data: ") == 1
    assert whole.count("data: ") > 1


def test_a_cut_before_any_event_sends_nothing() -> None:
    with ModelServer([CutAfter(0)]) as server, pytest.raises(http.client.RemoteDisconnected):
        ask(server, MESSAGES, asked("x", stream=True))


def test_a_hanging_answer_ends_with_the_server() -> None:
    """No thread waits on after the block, whatever the client does."""
    before = threading.active_count()
    with ModelServer([Hang(after=1)]) as server:
        connection = connect(server)
        connection.request("POST", MESSAGES, json.dumps(asked("x", stream=True)))
        answer = connection.getresponse()
        first = answer.fp.readline()
    assert threading.active_count() == before
    assert first == b"event: message_start\n"
    assert answer.read().count(b"data: ") == 1
    connection.close()


def test_the_port_is_free_after_the_block() -> None:
    with ModelServer([]) as server:
        pass
    with pytest.raises(ConnectionRefusedError):
        ask(server, MESSAGES, asked("x"))


def test_a_delay_is_cut_short_by_the_end() -> None:
    asking = threading.Event()

    def late(request: Request) -> Step:
        asking.set()
        return Delay(3600, Text("late"))

    with ModelServer(late) as server:
        connection = connect(server)
        connection.request("POST", MESSAGES, json.dumps(asked("x")))
        assert asking.wait(10)
    connection.close()


def test_a_delayed_step_is_done() -> None:
    with ModelServer([Delay(0.01, Text("late"), between=0.001)]) as server:
        _, stream = ask(server, MESSAGES, asked("x", stream=True))
    assert event_names(stream)[-1] == "message_stop"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (
            MESSAGES,
            {
                "tools": TOOLS,
                "messages": [
                    {"role": "user", "content": [{"type": "text", "text": "do it"}]},
                    {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "Bash"}]},
                    {"role": "user", "content": [{"type": "tool_result", "content": "42"}]},
                ],
            },
        ),
        (
            RESPONSES,
            {
                "input": [
                    {
                        "type": "message",
                        "role": "user",
                        "content": [{"type": "input_text", "text": "do it"}],
                    },
                    {"type": "function_call", "call_id": "1", "name": "exec_command", "arguments": "{}"},
                    {"type": "function_call_output", "call_id": "1", "output": "42"},
                ]
            },
        ),
        (
            CHAT,
            {
                "tools": [{"type": "function", "function": {"name": "bash"}}],
                "messages": [
                    {"role": "user", "content": "do it"},
                    {"role": "assistant", "content": "", "tool_calls": []},
                    {"role": "tool", "tool_call_id": "1", "content": "42"},
                ],
            },
        ),
    ],
)
def test_what_the_model_was_told_is_read(path: str, body: dict[str, object]) -> None:
    with ModelServer([Text("ok")]) as server:
        ask(server, path, body)
        (request,) = server.requests
    assert (request.prompts, request.last_result) == (("do it",), "42")


@pytest.mark.parametrize("body", ["", "[]", "{}", "{", '"text"'])
def test_a_body_that_is_no_object_is_refused(body: str) -> None:
    with ModelServer([Text("ok")]) as server:
        connection = connect(server)
        connection.request("POST", MESSAGES, body)
        assert connection.getresponse().status == 400
        assert server.requests == ()
        connection.close()
