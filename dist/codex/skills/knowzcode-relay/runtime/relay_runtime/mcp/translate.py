"""The server's notifications in the words of `codex exec --json`, so that one reader serves both."""

from __future__ import annotations

from collections.abc import Iterator

from relay_runtime.attempts.events import Event, child, text


def thread_started(thread: str) -> Iterator[Event]:
    yield {"type": "thread.started", "thread_id": thread}
    yield {"type": "turn.started"}


def events(message: Event) -> Iterator[Event]:
    """The events that stand for one notification; most stand for none."""
    kind = text(message, "type")
    if kind == "session_configured":
        yield from thread_started(text(message, "thread_id") or text(message, "session_id"))
    elif kind == "agent_message":
        yield _item("item.completed", type="agent_message", text=text(message, "message"))
    elif kind == "exec_command_begin":
        yield _item("item.started", type="command_execution", status="in_progress")
    elif kind == "exec_command_end":
        code = message.get("exit_code")
        yield _item(
            "item.completed",
            type="command_execution",
            aggregated_output=text(message, "aggregated_output"),
            exit_code=code,
            status="completed" if code == 0 else "failed",
        )
    elif kind == "patch_apply_end":
        changes = [{"path": path} for path in child(message, "changes")]
        status = "completed" if message.get("success") is True else "failed"
        yield _item("item.completed", type="file_change", changes=changes, status=status)
    elif kind in ("error", "stream_error"):
        yield {"type": "error", "message": text(message, "message")}


def usage(message: Event) -> Event:
    """The running totals in a token count, empty in anything else."""
    return child(child(message, "info"), "total_token_usage")


def ended(content: str, used: Event, *, failed: bool) -> Iterator[Event]:
    """How the call ended."""
    if failed:
        yield {"type": "turn.failed", "error": {"message": content}}
    else:
        yield {"type": "turn.completed", "usage": used}


def _item(kind: str, **fields: object) -> Event:
    return {"type": kind, "item": fields}
