"""OpenAI Responses, which Codex speaks."""

import json
from collections.abc import Iterator

from knowzcode_relay.rehearsal.dialects.base import Body, Event, joined, records, texts
from knowzcode_relay.rehearsal.script import HttpError, Text, ToolCall, Turn

SUFFIX = "/responses"


def is_side(body: Body) -> bool:
    """Codex asks nothing beside the conversation."""
    del body
    return False


def prompts(body: Body) -> Iterator[str]:
    for item in records(body.get("input")):
        if item.get("type") == "message" and item.get("role") == "user":
            yield from texts(item.get("content"))


def tool_results(body: Body) -> Iterator[str]:
    for item in records(body.get("input")):
        if item.get("type") == "function_call_output":
            yield joined(item.get("output"))


def tool_names(body: Body) -> Iterator[str]:
    for tool in records(body.get("tools")):
        yield str(tool.get("name", ""))


def events(answer: Turn, number: int, model: str) -> list[Event]:
    opening: dict[str, object] = {**_envelope(number, model), "status": "in_progress", "output": []}
    stream = [_event("response.created", response=opening)]
    for index, item in enumerate(answer.items):
        output = _output(item, number, index)
        if isinstance(item, Text):
            started: dict[str, object] = {**output, "status": "in_progress", "content": []}
            deltas = _text_events(item.text, str(output["id"]), index)
        else:
            started = {**output, "arguments": ""}
            deltas = []
        stream += [
            _event("response.output_item.added", output_index=index, item=started),
            *deltas,
            _event("response.output_item.done", output_index=index, item=output),
        ]
    return [*stream, _event("response.completed", response=whole(answer, number, model))]


def whole(answer: Turn, number: int, model: str) -> dict[str, object]:
    return {
        **_envelope(number, model),
        "status": "completed",
        "output": [_output(item, number, index) for index, item in enumerate(answer.items)],
        "usage": {
            "input_tokens": answer.input_tokens,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": answer.output_tokens,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": answer.input_tokens + answer.output_tokens,
        },
    }


def error(refusal: HttpError) -> dict[str, object]:
    return {"error": {"type": refusal.kind, "code": refusal.code, "message": refusal.message}}


def _event(kind: str, **fields: object) -> Event:
    return Event(kind, {"type": kind, **fields})


def _text_events(text: str, item_id: str, index: int) -> list[Event]:
    empty: dict[str, object] = {"type": "output_text", "text": "", "annotations": []}
    return [
        _event(
            "response.content_part.added", item_id=item_id, output_index=index, content_index=0, part=empty
        ),
        _event(
            "response.output_text.delta", item_id=item_id, output_index=index, content_index=0, delta=text
        ),
        _event("response.output_text.done", item_id=item_id, output_index=index, content_index=0, text=text),
    ]


def _envelope(number: int, model: str) -> dict[str, object]:
    return {"id": f"resp_{number}", "object": "response", "model": model}


def _output(item: Text | ToolCall, number: int, index: int) -> dict[str, object]:
    if isinstance(item, Text):
        return {
            "type": "message",
            "id": f"msg_{number}_{index}",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": item.text, "annotations": []}],
        }
    return {
        "type": "function_call",
        "id": f"fc_{number}_{index}",
        "call_id": f"call_{number}_{index}",
        "name": item.name,
        "arguments": json.dumps(item.arguments),
    }
