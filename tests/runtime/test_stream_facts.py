"""What the adapters take from a stream's events: the session, the last terminal event, the verdict."""

from typing import Any

import pytest

from relay_runtime.adapters import LEGS
from relay_runtime.adapters.leg import Evidence, verdict
from relay_runtime.attempts.facts import Facts
from relay_runtime.state.outcome import Outcome

Event = dict[str, Any]

COMPLETED: Event = {"type": "turn.completed", "usage": {}}
FAILED: Event = {"type": "turn.failed", "error": {"message": "no"}}
MALFORMED: tuple[Event, ...] = ({"type": ["turn.completed"]}, {"turn.completed": True}, {})


def fold(target: str, *events: Event) -> Facts:
    facts = Facts()
    for event in events:
        facts = LEGS[target].read(facts, event)
    return facts


def thread(session: str) -> Event:
    return {"type": "thread.started", "thread_id": session}


def init(session: str) -> Event:
    return {"type": "system", "subtype": "init", "session_id": session}


def success(session: str) -> Event:
    return {"type": "result", "subtype": "success", "is_error": False, "session_id": session, "result": "ok"}


def outcome(facts: Facts, asked_session: str = "") -> Outcome:
    """The verdict on an exit 0 with a final message."""
    found = Evidence(facts, 0, last_message="done", asked_session=asked_session, tree_changed=True)
    return verdict(LEGS["codex"], found).outcome


def test_the_first_session_of_a_codex_log_is_the_session() -> None:
    """REQ CXA-03."""
    assert fold("codex", thread("first"), thread("second"), COMPLETED).session_id == "first"


@pytest.mark.parametrize(
    "events",
    [(init("first"), init("second"), success("third")), (success("first"), success("second"))],
    ids=["with init", "without init"],
)
def test_the_session_of_a_claude_log_is_that_of_its_init_else_of_its_result(
    events: tuple[Event, ...],
) -> None:
    """REQ CLA-05."""
    assert fold("claude", *events).session_id == "first"


@pytest.mark.parametrize(
    ("events", "terminal"),
    [
        ((COMPLETED,), "turn.completed"),
        ((FAILED,), "turn.failed"),
        ((COMPLETED, FAILED), "turn.failed"),
        ((FAILED, COMPLETED), "turn.completed"),
        ((), ""),
        (MALFORMED, ""),
        ((COMPLETED, *MALFORMED), "turn.completed"),
    ],
)
def test_the_last_terminal_event_is_the_one_that_is_kept(events: tuple[Event, ...], terminal: str) -> None:
    """REQ SEL-03: none is what the verb `result` calls unknown."""
    assert fold("codex", thread("id"), *events).terminal == terminal


def test_a_success_before_a_failure_does_not_count() -> None:
    """REQ SEL-06, A-05: nor does a failure before a success."""
    assert outcome(fold("codex", thread("id"), COMPLETED, FAILED)) is Outcome.FAILED
    assert outcome(fold("codex", thread("id"), FAILED, COMPLETED)) is Outcome.DONE


def test_a_turn_that_began_after_a_success_has_to_succeed_itself() -> None:
    """REQ SEL-06, A-05."""
    assert outcome(fold("codex", thread("id"), COMPLETED, {"type": "turn.started"})) is not Outcome.DONE


@pytest.mark.parametrize(("asked", "done"), [("saved", True), ("", False)])
def test_a_resumed_leg_is_checked_by_the_saved_session(asked: str, done: bool) -> None:
    """REQ SEL-02: a log that names no thread passes only where an id was saved."""
    assert (outcome(fold("codex", COMPLETED), asked) is Outcome.DONE) is done
