"""Anthropic Messages, which Claude Code speaks."""

import json
from collections.abc import Iterator

from knowzcode_relay.rehearsal.dialects.base import Body, Event, joined, records, texts
from knowzcode_relay.rehearsal.script import HttpError, Text, ToolCall, Turn

SUFFIX = "/messages"


def is_side(body: Body) -> bool:
    """Titles and summaries are asked for without tools."""
    return not body.get("tools")


def prompts(body: Body) -> Iterator[str]:
    for message in records(body.get("messages")):
        if message.get("role") == "user":
            yield from texts(message.get("content"))


def tool_results(body: Body) -> Iterator[str]:
    for message in records(body.get("messages")):
        for part in records(message.get("content")):
            if part.get("type") == "tool_result":
                yield joined(part.get("content"))


def tool_names(body: Body) -> Iterator[str]:
    for tool in records(body.get("tools")):
        yield str(tool.get("name", ""))


def events(answer: Turn, number: int, model: str) -> list[Event]:
    opening: dict[str, object] = {
        **_envelope(number, model),
        "content": [],
        "stop_reason": None,
        "usage": {"input_tokens": answer.input_tokens, "output_tokens": 1},
    }
    stream = [_event("message_start", message=opening)]
    for index, item in enumerate(answer.items):
        block = _block(item, number, index)
        if isinstance(item, Text):
            empty: dict[str, object] = {**block, "text": ""}
            delta = {"type": "text_delta", "text": item.text}
        else:
            empty = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(item.arguments)}
        stream += [
            _event("content_block_start", index=index, content_block=empty),
            _event("content_block_delta", index=index, delta=delta),
            _event("content_block_stop", index=index),
        ]
    closing = {"stop_reason": _stop(answer), "stop_sequence": None}
    usage = {"output_tokens": answer.output_tokens}
    return [*stream, _event("message_delta", delta=closing, usage=usage), _event("message_stop")]


def whole(answer: Turn, number: int, model: str) -> dict[str, object]:
    return {
        **_envelope(number, model),
        "content": [_block(item, number, index) for index, item in enumerate(answer.items)],
        "stop_reason": _stop(answer),
        "usage": {"input_tokens": answer.input_tokens, "output_tokens": answer.output_tokens},
    }


def error(refusal: HttpError) -> dict[str, object]:
    return {"type": "error", "error": {"type": refusal.kind, "message": refusal.message}}


def _event(kind: str, **fields: object) -> Event:
    return Event(kind, {"type": kind, **fields})


def _envelope(number: int, model: str) -> dict[str, object]:
    return {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "stop_sequence": None,
    }


def _block(item: Text | ToolCall, number: int, index: int) -> dict[str, object]:
    if isinstance(item, Text):
        return {"type": "text", "text": item.text}
    return {
        "type": "tool_use",
        "id": f"toolu_{number}_{index}",
        "name": item.name,
        "input": dict(item.arguments),
    }


def _stop(answer: Turn) -> str:
    return "tool_use" if answer.calls_tools else "end_turn"
