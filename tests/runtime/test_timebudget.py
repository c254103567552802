"""The time given to a leg, by an injected clock."""

import pytest

from relay_runtime.attempts.timebudget import (
    Action,
    Budget,
    Evidence,
    Word,
    decide,
    notice_minutes,
    recommendation,
)

MINUTE = 60.0


def at(minutes: float, *, quiet: float = 0.0, resumable: bool = True) -> Evidence:
    """`minutes` since the start, the last output `quiet` minutes ago."""
    return Evidence(elapsed=minutes * MINUTE, output_age=quiet * MINUTE, resumable=resumable)


def play(
    budget: Budget,
    until: int,
    *,
    quiet: float = 0.0,
    resumable: bool = True,
    replies: dict[int, Word] | None = None,
) -> list[tuple[int, Action]]:
    """Ask once a minute, as the supervisor does, and give what was done."""
    done: list[tuple[int, Action]] = []
    for minute in range(until + 1):
        word = (replies or {}).get(minute)
        while True:
            action = decide(budget, at(minute, quiet=quiet, resumable=resumable), word)
            word = None
            if action is Action.RUN:
                break
            done.append((minute, action))
            budget = budget.after(action)
            if action in (Action.INTERRUPT, Action.STOP):
                return done
    return done


@pytest.mark.parametrize(
    ("minutes", "window"), [(90, 15), (60, 15), (40, 10), (12, 3), (7, 1), (4, 1), (1, 1), (240, 15)]
)
def test_notice_window(minutes: int, window: int) -> None:
    """REQ TIM-01: min(15, max(1, floor(T/4)))."""
    assert notice_minutes(minutes) == window


def test_one_time_check_at_the_notice_boundary() -> None:
    """REQ TIM-02."""
    assert play(Budget(90), 89) == [(75, Action.NOTICE)]


def test_without_a_reply_fresh_output_earns_one_extension_and_no_second() -> None:
    """REQ TIM-09, TIM-11, TIM-15, A-01: extended once, then resumed; the chain is finite."""
    assert play(Budget(90), 600) == [
        (75, Action.NOTICE),
        (90, Action.EXTEND_AUTOMATICALLY),
        (105, Action.NOTICE),
        (120, Action.INTERRUPT),
    ]


@pytest.mark.parametrize(("resumable", "end"), [(True, Action.INTERRUPT), (False, Action.STOP)])
def test_without_a_reply_and_without_recent_output(resumable: bool, end: Action) -> None:
    """REQ TIM-10: a resume where there is a session, else a stop."""
    assert play(Budget(12), 60, quiet=6, resumable=resumable) == [(9, Action.NOTICE), (12, end)]


def test_an_extension_asked_for_is_always_given() -> None:
    """REQ TIM-06, TIM-11: thirty minutes each; the automatic one is still there afterwards."""
    done = play(Budget(90), 700, replies={80: Word.CONTINUE, 110: Word.CONTINUE})
    assert done == [
        (75, Action.NOTICE),
        (80, Action.EXTEND),
        (105, Action.NOTICE),
        (110, Action.EXTEND),
        (135, Action.NOTICE),
        (150, Action.EXTEND_AUTOMATICALLY),
        (165, Action.NOTICE),
        (180, Action.INTERRUPT),
    ]


@pytest.mark.parametrize(("word", "action"), [(Word.STOP, Action.STOP), (Word.INTERRUPT, Action.INTERRUPT)])
def test_a_reply_ends_the_leg_at_once(word: Word, action: Action) -> None:
    """REQ TIM-07, TIM-08."""
    assert play(Budget(90), 200, replies={76: word}) == [(75, Action.NOTICE), (76, action)]


def test_before_the_notice_nothing_happens_however_quiet_it_is() -> None:
    """REQ EXE-07, EXE-08: silence is not death."""
    assert play(Budget(90), 74, quiet=74, resumable=False) == []


@pytest.mark.parametrize(
    ("evidence", "word"),
    [
        (at(75, quiet=1), Word.CONTINUE),
        (at(75, quiet=1, resumable=False), Word.CONTINUE),
        (at(75, quiet=20), Word.INTERRUPT),
        (at(75, quiet=20, resumable=False), Word.STOP),
    ],
)
def test_the_recommendation_follows_the_evidence(evidence: Evidence, word: Word) -> None:
    """REQ TIM-03, TIM-12: process and log evidence only."""
    assert recommendation(evidence) is word


def test_the_words_are_three() -> None:
    """REQ TIM-05."""
    assert [word.value for word in Word] == ["continue-live", "interrupt-and-resume", "stop"]
