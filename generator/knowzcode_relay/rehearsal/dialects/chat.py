"""OpenAI chat completions, which OpenCode speaks to a custom provider."""

import json
from collections.abc import Iterator, Mapping

from knowzcode_relay.rehearsal.dialects.base import Body, Event, joined, record, records, texts
from knowzcode_relay.rehearsal.script import HttpError, Text, Turn

SUFFIX = "/chat/completions"


def is_side(body: Body) -> bool:
    """Titles are asked for without tools."""
    return not body.get("tools")


def prompts(body: Body) -> Iterator[str]:
    for message in records(body.get("messages")):
        if message.get("role") == "user":
            yield from texts(message.get("content"))


def tool_results(body: Body) -> Iterator[str]:
    for message in records(body.get("messages")):
        if message.get("role") == "tool":
            yield joined(message.get("content"))


def tool_names(body: Body) -> Iterator[str]:
    for tool in records(body.get("tools")):
        yield str(record(tool.get("function")).get("name", ""))


def events(answer: Turn, number: int, model: str) -> list[Event]:
    envelope = _envelope("chat.completion.chunk", number, model)
    message = _message(answer, number)
    deltas: list[Mapping[str, object]] = []
    if message["content"]:
        deltas.append({"role": "assistant", "content": message["content"]})
    calls = records(message.get("tool_calls"))
    deltas += [
        {"role": "assistant", "tool_calls": [{**call, "index": index}]} for index, call in enumerate(calls)
    ]
    chunks = [_chunk(envelope, delta, None) for delta in deltas]
    usage = Event("", {**envelope, "choices": [], "usage": _usage(answer)})
    return [*chunks, _chunk(envelope, {}, _finish(answer)), usage, Event("", "[DONE]")]


def whole(answer: Turn, number: int, model: str) -> dict[str, object]:
    choice = {"index": 0, "message": _message(answer, number), "finish_reason": _finish(answer)}
    return {
        **_envelope("chat.completion", number, model),
        "choices": [choice],
        "usage": _usage(answer),
    }


def error(refusal: HttpError) -> dict[str, object]:
    return {"error": {"type": refusal.kind, "code": refusal.code, "message": refusal.message}}


def _envelope(kind: str, number: int, model: str) -> dict[str, object]:
    return {"id": f"chat_{number}", "object": kind, "created": 0, "model": model}


def _chunk(envelope: Mapping[str, object], delta: Mapping[str, object], finish: str | None) -> Event:
    return Event("", {**envelope, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})


def _message(answer: Turn, number: int) -> dict[str, object]:
    message: dict[str, object] = {
        "role": "assistant",
        "content": "".join(item.text for item in answer.items if isinstance(item, Text)),
    }
    if answer.calls_tools:
        message["tool_calls"] = [
            {
                "id": f"call_{number}_{index}",
                "type": "function",
                "function": {"name": item.name, "arguments": json.dumps(item.arguments)},
            }
            for index, item in enumerate(answer.items)
            if not isinstance(item, Text)
        ]
    return message


def _finish(answer: Turn) -> str:
    return "tool_calls" if answer.calls_tools else "stop"


def _usage(answer: Turn) -> dict[str, int]:
    total = answer.input_tokens + answer.output_tokens
    return {
        "prompt_tokens": answer.input_tokens,
        "completion_tokens": answer.output_tokens,
        "total_tokens": total,
    }
