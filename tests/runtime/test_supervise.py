"""The supervisor's own decisions, with a clock that the test moves and a real process of a fake client."""

import shutil
import threading
from pathlib import Path

import pytest

from relay_runtime.adapters import LEGS
from relay_runtime.attempts.attempt import Request, Spec, ask, read_exit
from relay_runtime.attempts.facts import Facts
from relay_runtime.attempts.process import Identity, alive
from relay_runtime.attempts.supervise import early_stop, supervise
from relay_runtime.errors import RelayError
from relay_runtime.state.outcome import Cause, Outcome
from support.clocks import FastClock
from support.dialects import DIALECTS, SESSION, Claude, Codex, Step, leg_rule
from support.fake_client import place
from support.legs import Bench
from support.waiting import wait_for
from support.world import World

CODEX = Codex()
CLAUDE = Claude()


@pytest.fixture
def bench(world: World) -> Bench:
    return Bench(world, "codex")


def play(bench: Bench, clock: FastClock, *steps: Step, spec: Spec | None = None, **more: object) -> int:
    """Supervise a fake client with the test's clock, whose time begins when the client has said its part."""
    place(bench.world, bench.target, leg_rule(DIALECTS[bench.target], *bench.timed(clock, steps), **more))
    return supervise(spec or bench.spec(), LEGS[bench.target], bench.environ(), clock, clock)


def test_silence_is_not_death(bench: Bench, tmp_path: Path) -> None:
    """REQ EXE-07, EXE-08: an hour of silence sends no signal."""
    done = tmp_path / "go"

    class Until(FastClock):
        def wait(self, seconds: float) -> None:
            super().wait(seconds)
            if self.passed > 3600:
                done.touch()

    clock = Until(step=60)
    assert play(bench, clock, *CODEX.start(), ["await", str(done)], *CODEX.finish()) == 0
    assert bench.record().cause is Cause.NONE
    assert clock.passed > 3600


def test_the_leg_ends_at_the_horizon_when_nobody_replies(bench: Bench) -> None:
    """REQ TIM-09, TIM-10, TIM-15, field report 35: it always ends, with its evidence and its session."""
    clock = FastClock(step=60)
    play(bench, clock, *CODEX.start(), sleep=600)
    record = bench.record()
    assert record.cause is Cause.TIME_INTERRUPT
    assert record.budget.noticed == 1
    assert 90 * 60 <= clock.passed < 92 * 60
    assert record.facts.session_id == SESSION
    assert bench.verdict().outcome is Outcome.TIMEOUT_STOPPED
    assert bench.files.log.exists()


def test_without_a_session_the_horizon_stops_it(bench: Bench) -> None:
    """REQ TIM-10."""
    play(bench, FastClock(step=60), sleep=600)
    assert bench.record().cause is Cause.TIME_STOP


def test_a_target_that_talks_gets_one_extension(bench: Bench) -> None:
    """REQ TIM-09: output in the last five minutes, once."""

    class WhileItTalks(FastClock):
        """Time passes only when there is new output."""

        heard = 0

        def sleep(self, seconds: float) -> None:
            size = bench.files.log.stat().st_size if bench.files.log.exists() else 0
            super().sleep(seconds if size > self.heard else 0.0)
            self.heard = size

    clock = WhileItTalks(step=60)
    play(bench, clock, *CODEX.start(), ["forever", 0.001, CODEX.speak("please continue-live")[0]])
    record = bench.record()
    assert (record.budget.extensions, record.budget.automatic) == (1, True)
    assert 120 * 60 <= clock.passed < 122 * 60
    assert record.cause is Cause.TIME_INTERRUPT


def test_nothing_but_retries_for_five_minutes_is_a_network_problem(bench: Bench) -> None:
    """Facts: no client gives up an unreachable server; the supervisor does after a bounded time."""
    clock = FastClock(step=10)
    play(bench, clock, *CODEX.start(), CODEX.retry("network"), sleep=600)
    assert bench.record().cause is Cause.NETWORK
    assert bench.verdict().outcome is Outcome.NETWORK
    assert clock.passed >= 300


def test_where_no_network_can_come_back_the_first_retry_ends_it(bench: Bench) -> None:
    """Field report 89: in a host sandbox without network."""
    clock = FastClock(step=1)
    spec = bench.spec(network_seconds=0)
    play(bench, clock, *CODEX.start(), CODEX.retry("network"), spec=spec, sleep=600)
    assert bench.record().cause is Cause.NETWORK


def test_a_retry_that_helped_is_forgotten(bench: Bench, tmp_path: Path) -> None:
    """Facts: error events are mostly retries in progress, never failures."""
    done = tmp_path / "go"

    class Until(FastClock):
        def wait(self, seconds: float) -> None:
            super().wait(seconds)
            if self.passed > 1000:
                done.touch()

    steps = [
        *CODEX.start(),
        CODEX.retry("network"),
        *CODEX.speak("back"),
        ["await", str(done)],
        *CODEX.finish(),
    ]
    assert play(bench, Until(step=10), *steps) == 0
    assert bench.verdict().outcome is Outcome.DONE


def test_the_same_refused_call_again_and_again_ends_the_leg(world: World) -> None:
    """Field report 24: twenty times the same denied write."""
    bench = Bench(world, "claude")
    play(
        bench,
        FastClock(step=1),
        *CLAUDE.start(),
        ["times", 25, ["raw", ""]],
        *CLAUDE.refuse() * 20,
        sleep=600,
    )
    assert bench.record().cause is Cause.PERMISSION
    found = bench.verdict()
    assert found.outcome is Outcome.PERMISSION
    assert "Write" in found.reason


@pytest.mark.parametrize(
    ("facts", "age", "cause"),
    [
        (Facts(), 10_000, Cause.NONE),
        (Facts(waiting="external_directory"), 119, Cause.NONE),
        (Facts(waiting="external_directory"), 120, Cause.PERMISSION),
        (Facts(retry="waiting", retry_kind="network"), 299, Cause.NONE),
        (Facts(retry="waiting", retry_kind="network"), 300, Cause.NETWORK),
        (Facts(retry="no such key", retry_kind="auth"), 0, Cause.AUTH),
    ],
)
def test_what_ends_a_leg_early(facts: Facts, age: float, cause: Cause) -> None:
    """Field report 25: a permission wait ends after two minutes, silence never does."""
    assert early_stop(facts, retry_age=age, output_age=age, network_seconds=300) is cause


@pytest.mark.parametrize(
    ("request_", "cause", "outcome"),
    [
        (Request.STOP, Cause.TIME_STOP, Outcome.TIMEOUT_STOPPED),
        (Request.INTERRUPT, Cause.TIME_INTERRUPT, Outcome.TIMEOUT_STOPPED),
        (Request.CANCEL, Cause.CANCEL, Outcome.INTERRUPTED),
    ],
)
def test_a_request_ends_the_leg(
    bench: Bench, request_: Request, cause: Cause, outcome: Outcome, tmp_path: Path
) -> None:
    """REQ TIM-07, TIM-08: gracefully, and the evidence is kept."""
    ready = tmp_path / "ready"

    def when_ready() -> None:
        wait_for(ready.exists)
        ask(bench.files, request_)

    asking = threading.Thread(target=when_ready)
    asking.start()
    play(bench, FastClock(step=1), *CODEX.start(), touch=str(ready), sleep=600)
    asking.join()
    record = bench.record()
    assert record.cause is cause
    assert record.target is not None
    assert not alive(record.target)
    assert bench.verdict().outcome is outcome
    assert bench.files.log.read_text()


def test_continue_live_keeps_the_process_and_adds_half_an_hour(bench: Bench) -> None:
    """REQ TIM-06: same process and session, the horizon thirty minutes later."""

    class Replying(FastClock):
        asked = False

        def wait(self, seconds: float) -> None:
            super().wait(seconds)
            if self.passed > 80 * 60 and not self.asked:
                self.asked = True
                ask(bench.files, Request.CONTINUE)

    clock = Replying(step=60)
    play(bench, clock, *CODEX.start(), sleep=600)
    record = bench.record()
    assert (record.budget.extensions, record.budget.automatic) == (1, False)
    assert record.budget.noticed == 2  # one time check for each horizon
    assert 120 * 60 <= clock.passed < 122 * 60


def test_an_interrupted_claude_never_counts_as_done(world: World) -> None:
    """REQ TIM-07, A-53: it answers SIGINT with a result and exit 0."""
    bench = Bench(world, "claude")
    ask_first = bench.spec()
    result = {"type": "result", "subtype": "error_during_execution", "is_error": True, "session_id": SESSION}
    place(bench.world, "claude", leg_rule(CLAUDE, *CLAUDE.start(), ["say", result]))
    assert supervise(ask_first, LEGS["claude"], bench.environ(), FastClock(), FastClock()) == 1
    assert bench.record().exit == 0
    assert bench.verdict().outcome is Outcome.FAILED


def test_a_leg_that_is_cancelled_before_its_start_never_runs(bench: Bench) -> None:
    """Field report 47."""
    client = place(bench.world, "codex", leg_rule(CODEX, *CODEX.finish()))
    spec = bench.spec()
    ask(bench.files, Request.CANCEL)
    supervise(spec, LEGS["codex"], bench.environ(), FastClock(), FastClock())
    assert client.calls == []
    assert bench.verdict().outcome is Outcome.INTERRUPTED


def test_no_marker_while_the_leg_runs(bench: Bench, tmp_path: Path) -> None:
    """REQ EXE-04."""
    seen: list[bool] = []
    done = tmp_path / "go"

    class Looking(FastClock):
        def wait(self, seconds: float) -> None:
            super().wait(seconds)
            seen.append(bench.files.exit.exists())
            if len(seen) == 20:
                done.touch()

    play(bench, Looking(step=1), *CODEX.start(), ["await", str(done)], *CODEX.finish())
    assert seen
    assert not any(seen)
    assert read_exit(bench.files) == 0


def test_the_final_file_of_an_earlier_attempt_is_removed_first(bench: Bench) -> None:
    """Facts: Codex leaves an old -o file as it is when the run fails."""
    spec = bench.spec()
    bench.files.last.write_text("old news")
    play(bench, FastClock(), *CODEX.start(), *CODEX.fail("server"), spec=spec, exit=1)
    assert not bench.files.last.exists()


def test_a_removed_relay_folder_ends_the_leg_and_is_not_made_again(bench: Bench) -> None:
    """Field report 58."""

    class Removing(FastClock):
        target: Identity | None = None

        def wait(self, seconds: float) -> None:
            super().wait(seconds)
            if bench.files.log.exists() and SESSION in bench.files.log.read_text():
                self.target = bench.record().target
                shutil.rmtree(bench.folder)

    clock = Removing(step=1)
    with pytest.raises(RelayError):
        play(bench, clock, *CODEX.start(), ["forever", 0.01, CODEX.speak("on")[0]])
    assert clock.target is not None
    assert not alive(clock.target)
    assert not bench.folder.exists()
