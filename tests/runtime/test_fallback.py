"""What an unready target means for a run, over every source of the choice and both targets."""

import pytest

from relay_runtime.adapters import ADAPTERS
from relay_runtime.adapters.base import Status
from relay_runtime.errors import Exit
from relay_runtime.readiness.detect import Readiness
from relay_runtime.readiness.fallback import Course, decide, declined

NAMED = ("flag-named", "natural-named")
AUTOMATIC = ("flag-automatic", "natural-automatic", "config", "entry-default")
SOURCES = (*NAMED, *AUTOMATIC)
WORDS = {Status.MISSING: "not found", Status.BROKEN: "broken"}

targets = pytest.mark.parametrize("target", ADAPTERS)
both_modes = pytest.mark.parametrize("autonomous", [True, False])
unusable = pytest.mark.parametrize("status", WORDS)


def looked(target: str, status: Status) -> Readiness:
    return Readiness(
        target, status, version="1.0.0", remediation=ADAPTERS[target].CLIENT.remedies.get(status, "")
    )


@targets
@both_modes
@pytest.mark.parametrize("source", SOURCES)
def test_ready_goes_on(target: str, source: str, autonomous: bool) -> None:
    """A ready target needs no word."""
    decision = decide(looked(target, Status.READY), source, autonomous=autonomous)
    assert (decision.course, decision.exit, decision.line) == (Course.GO, Exit.DONE, "")


@targets
@both_modes
@unusable
@pytest.mark.parametrize("source", NAMED)
def test_named_target_halts(target: str, source: str, autonomous: bool, status: Status) -> None:
    """REQ DET-12: a named target that cannot run stops the run; neither native work nor the other side."""
    decision = decide(looked(target, status), source, autonomous=autonomous)
    assert (decision.course, decision.exit) == (Course.HALT, Exit.HALT)
    assert decision.line == f"[RELAY-DETECT] target={target} {status.value}"
    assert decision.remediation == ADAPTERS[target].CLIENT.remedies[status]


@targets
@both_modes
@unusable
@pytest.mark.parametrize("source", AUTOMATIC)
def test_automatic_choice_falls_back_visibly(
    target: str, source: str, autonomous: bool, status: Status
) -> None:
    """REQ DET-13, DET-14: the line names target and reason; a question only where somebody is asked."""
    decision = decide(looked(target, status), source, autonomous=autonomous)
    assert (decision.course, decision.exit) == (Course.FALLBACK, Exit.NATIVE)
    assert decision.line == f"[RELAY-FALLBACK] {target} CLI {WORDS[status]} — running native Phase 2A"
    assert bool(decision.question) is not autonomous


@targets
@both_modes
@pytest.mark.parametrize("source", SOURCES)
def test_logged_out_pauses_always(target: str, source: str, autonomous: bool) -> None:
    """REQ DET-15: a login is a person's to do, also in an autonomous run, for every source."""
    decision = decide(looked(target, Status.UNAUTHED), source, autonomous=autonomous)
    assert (decision.course, decision.exit) == (Course.PAUSE, Exit.PAUSE)
    assert ADAPTERS[target].CLIENT.login_command in decision.question


@targets
@both_modes
@pytest.mark.parametrize("source", SOURCES)
def test_too_old_halts_always(target: str, source: str, autonomous: bool) -> None:
    """A client below the oldest known release stops the run; an update is one command away."""
    decision = decide(looked(target, Status.TOO_OLD), source, autonomous=autonomous)
    assert (decision.course, decision.exit) == (Course.HALT, Exit.HALT)
    assert "1.0.0" in decision.line


@targets
def test_declined_login_is_a_visible_fallback(target: str) -> None:
    """REQ DET-17: exit 5 and a line that says why."""
    decision = declined(target)
    assert (decision.course, decision.exit) == (Course.FALLBACK, Exit.NATIVE)
    assert decision.line == f"[RELAY-FALLBACK] {target} CLI not authenticated — running native Phase 2A"


def test_unknown_source_is_never_native(target: str = "codex") -> None:
    """A source that is not known to be automatic is treated as a named one."""
    assert decide(looked(target, Status.MISSING), "something-new", autonomous=True).course is Course.HALT
