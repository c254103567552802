"""From every state in which a leg can be left, the printed `next:` alone leads to the end, both ways."""

import os
import signal

import pytest

from support.dialects import SESSION, Step
from support.following import Follower, started
from support.plans import a_feedback, a_gap
from support.relaying import Relaying, make_relaying
from support.waiting import wait_for
from support.world import World

DIRECTIONS = pytest.mark.parametrize("host", ["claude", "codex"])
OTHER = a_gap(node="Cli", criterion="asks once")


def following(world: World, host: str) -> tuple[Follower, dict[str, object]]:
    relaying = make_relaying(world, host)
    window, answer = started(relaying)
    return Follower(relaying, window), answer


def failing(relaying: Relaying, kind: str) -> list[Step]:
    """A leg that edits half of the work and ends with this failure."""
    edit: list[Step] = [["write", "src/greet.py", "print('Hello, half')\n"]]
    return [*relaying.dialect.start(), *edit, *relaying.dialect.fail(kind)]


@DIRECTIONS
def test_one_gap_is_fixed_in_the_same_session(world: World, host: str) -> None:
    """REQ REV-08, FSM-03."""
    follower, answer = following(world, host)
    follower.legs = [follower.relaying.works(), follower.relaying.works(text="print('Hi')\n")]
    follower.reviews = [a_feedback(a_gap())]
    done = follower.until("DONE", answer=answer)
    assert done["data"]["round"] == 1
    assert SESSION in follower.relaying.legs()[1]["argv"]


@DIRECTIONS
def test_the_same_gap_twice_goes_to_the_host(world: World, host: str) -> None:
    """REQ REV-10, REV-13, FAIL-12, FSM-08."""
    follower, answer = following(world, host)
    follower.legs = [follower.relaying.works(), follower.relaying.works(text="print('Hi')\n")]
    follower.reviews = [a_feedback(a_gap(line=1)), a_feedback(a_gap(line=9))]
    taken = follower.until("HOST_TAKEOVER", answer=answer)
    assert taken["data"]["next"]["question"] == (
        "Are the remaining gaps closed natively, and do the tests pass?"
    )
    assert taken["data"]["next"]["argv"][-3:-1] == ["finish", "--wgid"]
    done = follower.until("DONE", answer=taken)
    assert follower.path()[-3:] == ["HOST_TAKEOVER", "FINALIZING", "DONE"]
    assert done["data"]["round"] == 1


@DIRECTIONS
def test_the_cap_goes_to_the_host(world: World, host: str) -> None:
    """REQ REV-09, FAIL-12."""
    follower, answer = following(world, host)
    texts = ["print(1)\n", "print(2)\n", "print(3)\n"]
    follower.legs = [follower.relaying.works(text=text) for text in texts]
    follower.reviews = [a_feedback(a_gap(criterion=f"criterion {number}")) for number in range(3)]
    done = follower.until("DONE", answer=answer)
    assert (done["data"]["round"], follower.path()[-3]) == (2, "HOST_TAKEOVER")


@DIRECTIONS
def test_a_failed_leg_is_resumed_and_each_round_has_a_resume_of_its_own(world: World, host: str) -> None:
    """REQ FSM-04, FSM-05."""
    follower, answer = following(world, host)
    relaying = follower.relaying
    follower.legs = [
        failing(relaying, "server"),
        relaying.works(),
        failing(relaying, "server"),
        relaying.works(text="print('Hi')\n"),
    ]
    follower.reviews = [a_feedback(a_gap())]
    done = follower.until("DONE", answer=answer)
    assert done["data"]["round"] == 1
    assert len(relaying.legs()) == 4
    assert follower.path().count("TARGET_FAILED") == 2
    assert "HOST_TAKEOVER" not in follower.states


@DIRECTIONS
def test_two_failures_in_one_round_go_to_the_host(world: World, host: str) -> None:
    """REQ FSM-04, FSM-08."""
    follower, answer = following(world, host)
    follower.legs = [failing(follower.relaying, "server")] * 2
    follower.until("DONE", answer=answer)
    assert len(follower.relaying.legs()) == 2
    assert "HOST_TAKEOVER" in follower.states


@DIRECTIONS
def test_a_login_lost_in_a_leg_pauses_and_one_resume_continues(world: World, host: str) -> None:
    """REQ FAIL-03; field report 32: session id and partial diff are kept, no attempt is spent."""
    follower, answer = following(world, host)
    relaying = follower.relaying
    follower.legs = [failing(relaying, "auth"), relaying.works()]
    paused = follower.until("TARGET_FAILED", answer=answer)
    assert (paused["code"], paused["data"]["outcome"], paused["data"]["session_id"]) == (4, "auth", SESSION)
    assert relaying.repo("diff", "--name-only") == "src/greet.py"
    done = follower.until("DONE", answer=paused)
    assert done["data"]["round"] == 0
    assert SESSION in relaying.legs()[1]["argv"]


@DIRECTIONS
def test_a_quota_that_ends_three_times_costs_no_round_and_no_attempt(world: World, host: str) -> None:
    """REQ FAIL-15; field report 79: failures of the infrastructure are no findings, the counter stands."""
    follower, answer = following(world, host)
    relaying = follower.relaying
    follower.legs = [
        relaying.works(),
        *[failing(relaying, "quota")] * 3,
        relaying.works(text="print('Hi')\n"),
    ]
    follower.reviews = [a_feedback(a_gap())]
    done = follower.until("DONE", answer=answer)
    assert done["data"]["round"] == 1
    pauses = [one for one in follower.window.said if one["verb"] == "poll" and one["code"] == 4]
    assert [one["data"]["outcome"] for one in pauses] == ["quota"] * 3
    assert "HOST_TAKEOVER" not in follower.states


@DIRECTIONS
def test_a_declined_login_is_native_work_of_the_host(world: World, host: str) -> None:
    """REQ FAIL-03, A-57: in a leg the host takes over, visibly."""
    follower, answer = following(world, host)
    follower.legs = [failing(follower.relaying, "auth")]
    follower.replies = ["native"]
    follower.until("DONE", answer=answer)
    told = next(answer for answer in follower.window.said if answer["verb"] == "decide")
    assert (told["code"], told["data"]["state"]) == (5, "HOST_TAKEOVER")
    assert "[RELAY-FALLBACK]" in told["message"] or told["message"].endswith("native Phase 2A")


@DIRECTIONS
def test_a_killed_leg_is_resumed(world: World, host: str) -> None:
    """REQ FAIL-09; field reports 16 and 49."""
    follower, answer = following(world, host)
    relaying = follower.relaying
    reached = world.root / "reached"
    steps = [*relaying.dialect.start(), ["write", str(reached), ""], ["await", str(world.root / "never")]]
    follower.legs = [steps, relaying.works()]

    def kill(verb: str) -> None:
        if verb == "poll":
            wait_for(reached.exists, what="a leg at work")
            os.kill(relaying.legs()[0]["pid"], signal.SIGKILL)
            follower.before = lambda _: None

    follower.before = kill
    done = follower.until("DONE", answer=answer)
    assert follower.path().count("TARGET_FAILED") == 1
    assert done["data"]["round"] == 0


@DIRECTIONS
def test_an_aborted_relay_says_that_it_has_ended(world: World, host: str) -> None:
    """REQ FAIL-13."""
    follower, answer = following(world, host)
    follower.legs = [failing(follower.relaying, "server")]
    follower.until("TARGET_FAILED", answer=answer)
    ended = follower.window("abort")
    assert ended["data"]["state"] == "ABORTED"
    assert ended["data"]["next"]["argv"] == []


@DIRECTIONS
def test_a_round_without_changes_is_accepted_by_the_user_only(world: World, host: str) -> None:
    """REQ REV-15; field report 33."""
    follower, answer = following(world, host)
    dialect = follower.relaying.dialect
    follower.legs = [[*dialect.start(), *dialect.finish()]]
    follower.until("DONE", answer=answer)
    asked = [one for one in follower.window.said if one["data"].get("problem") == "review.nothing-changed"]
    assert [(one["code"], one["data"]["next"]["argv"][2]) for one in asked] == [(4, "accept-no-change")]
