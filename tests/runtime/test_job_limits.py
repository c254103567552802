"""How a job ends that would not end by itself: with a clock that the test moves and a fake client."""

import json
from dataclasses import replace

import pytest

from relay_runtime.adapters import JOB_TARGETS, TARGETS
from relay_runtime.adapters.job import Mode
from relay_runtime.attempts.supervise import PERMISSION_WAIT, supervise
from relay_runtime.jobs.conclude import of_verdict
from relay_runtime.jobs.work import IDLE_SECONDS, MINUTES
from relay_runtime.state.outcome import Cause, Outcome
from support.clocks import FastClock
from support.dialects import DIALECTS, OpenCode, Step, leg_rule
from support.fake_client import place
from support.legs import Bench
from support.world import World

OPENCODE = OpenCode()


@pytest.fixture
def bench(world: World) -> Bench:
    return Bench(world, "opencode")


def play(bench: Bench, clock: FastClock, *steps: Step, minutes: int = MINUTES, **more: object) -> None:
    """Supervise a job's process with the limits of jobs."""
    place(bench.world, bench.target, leg_rule(DIALECTS[bench.target], *bench.timed(clock, steps), **more))
    spec = bench.spec(minutes=minutes, idle_seconds=IDLE_SECONDS)
    supervise(spec, TARGETS[bench.target], bench.environ(), clock, clock)


@pytest.mark.parametrize("target", sorted(JOB_TARGETS))
def test_half_an_hour_of_silence_ends_a_job(world: World, target: str) -> None:
    """Field reports 25 and 35: in contrast to a relay's leg, which somebody watches."""
    bench, clock = Bench(world, target), FastClock(step=60)
    play(bench, clock, *DIALECTS[target].start(), sleep=600)
    assert bench.record().cause is Cause.IDLE
    assert IDLE_SECONDS <= clock.passed < IDLE_SECONDS + 240
    found = bench.verdict()
    assert found.outcome is Outcome.TIMEOUT_STOPPED
    assert "silent" in found.reason


@pytest.mark.parametrize("target", sorted(JOB_TARGETS))
def test_twenty_silent_minutes_are_no_reason_to_end_a_job(world: World, target: str) -> None:
    """REQ JRN-07: longer than a host lets a command run, and it ends as if nothing had been."""
    bench, go = Bench(world, target), world.root / "go"

    class Until(FastClock):
        def wait(self, seconds: float) -> None:
            if self.passed > 20 * 60:
                go.touch()
            if not go.exists():
                super().wait(seconds)

    clock = Until(step=10)
    dialect = DIALECTS[target]
    play(bench, clock, *dialect.start(), ["await", str(go)], *dialect.finish())
    assert bench.verdict().outcome is Outcome.DONE
    assert clock.passed > 20 * 60


@pytest.mark.parametrize("target", sorted(JOB_TARGETS))
def test_a_job_that_talks_without_end_is_ended_too(world: World, target: str) -> None:
    """Field report 35: there is a wall, and it has a word of its own."""
    bench, clock = Bench(world, target), FastClock(step=60)
    dialect = DIALECTS[target]
    play(bench, clock, *dialect.start(), ["forever", 0.001, dialect.speak("still here")[0]], minutes=60)
    assert bench.record().cause is Cause.TIME_INTERRUPT
    assert clock.passed >= 60 * 60
    end = of_verdict(bench.verdict(), bench.record().cause, ())
    assert end.word == "timeout-stopped"
    assert end.error.startswith("timeout-stopped: ")


@pytest.mark.parametrize("permission", ["bash", "edit", "external_directory"])
def test_a_permission_wait_ends_after_two_minutes(bench: Bench, permission: str) -> None:
    """Field report 25: not after the full time, and the block says which permission."""
    clock = FastClock(step=10)
    play(bench, clock, *OPENCODE.start(), OPENCODE.ask(permission), sleep=600)
    assert bench.record().cause is Cause.PERMISSION
    assert PERMISSION_WAIT <= clock.passed < PERMISSION_WAIT + 60
    end = of_verdict(bench.verdict(), bench.record().cause, ())
    assert end.word == "permission"
    assert permission in end.error


def test_a_permission_wait_as_an_event_ends_too(bench: Bench) -> None:
    """Field report 25."""
    asked: Step = ["say", {"type": "permission.asked", "properties": {"permission": "webfetch"}}]
    play(bench, FastClock(step=10), *OPENCODE.start(), asked, sleep=600)
    assert "webfetch" in bench.verdict().reason


def test_a_permission_that_was_answered_is_forgotten(bench: Bench) -> None:
    steps = [*OPENCODE.start(), OPENCODE.ask("bash"), *OPENCODE.command("ok", 0), *OPENCODE.finish()]
    play(bench, FastClock(step=0.1), *steps)
    assert bench.verdict().outcome is Outcome.DONE


def test_a_stream_that_breaks_again_and_again_is_given_up(bench: Bench) -> None:
    """Facts: OpenCode asks again without end, 918 times in 150 seconds."""
    clock = FastClock(step=5)
    again = ["times", 1, OPENCODE.retry("network")]
    play(bench, clock, *OPENCODE.start(), *OPENCODE.speak("partial"), ["forever", 0.001, again])
    assert bench.record().cause is Cause.NETWORK
    assert 300 <= clock.passed < IDLE_SECONDS
    assert bench.verdict().outcome is Outcome.NETWORK


def test_a_run_that_ends_on_a_refused_tool(bench: Bench) -> None:
    """Facts: a rejected permission ends the run with status 0."""
    play(bench, FastClock(step=1), *OPENCODE.start(), *OPENCODE.refuse())
    found = bench.verdict()
    assert (found.outcome, "write" in found.reason) == (Outcome.PERMISSION, True)


def test_a_session_that_is_not_found(bench: Bench) -> None:
    """Field report 26: also where it ends with status 0."""
    for code in (0, 1):
        play(bench, FastClock(step=1), stderr="\x1b[91m\x1b[1mError: \x1b[0mSession not found\n", exit=code)
        assert bench.verdict(asked_session="ses_1").outcome in (
            Outcome.SESSION_GONE,
            Outcome.STREAM_UNREADABLE,
        )


def test_parts_of_the_last_message_are_one_answer(bench: Bench) -> None:
    """REQ JRP-01."""
    play(bench, FastClock(step=1), *OPENCODE.start(), *OPENCODE.speak("one \n"), *OPENCODE.finish(" two"))
    assert bench.files.last.read_text() == "one \n two"


def test_opencode_is_told_provider_folder_session_and_effort(bench: Bench) -> None:
    """REQ JHD-06, field report 13: provider/model in one word, the prompt on stdin."""
    job = replace(bench.job(), model="xai/grok-4.7", effort="high")
    call = JOB_TARGETS["opencode"].job_invocation(job, "ses_1")
    rest = f"--session ses_1 --agent job-{job.id} --model xai/grok-4.7 --variant high"
    assert call.argv[1:] == ("run", "--format", "json", "--dir", str(bench.repo), *rest.split())
    assert (call.stdin, call.cwd) == (job.prompt, bench.repo)


def test_the_rules_of_a_job_that_writes(bench: Bench) -> None:
    """Nothing is left to a question, folders of add-dir are open, and the user's own settings stay."""
    job = replace(bench.job(), add_dirs=("/srv/extra/",), web_search=False)
    environ = JOB_TARGETS["opencode"].job_environment(job, {"OPENCODE_CONFIG_CONTENT": "{}", "A": "b"})
    allowed = json.loads(environ.pop("OPENCODE_PERMISSION"))
    rules = json.loads(environ.pop("OPENCODE_CONFIG_CONTENT"))["agent"][f"job-{job.id}"]["permission"]
    assert environ == {"A": "b"}
    assert allowed == {"edit": {"*": "allow"}, "bash": {"*": "allow"}}
    assert rules["external_directory"] == {"*": "deny", "/srv/extra/**": "allow"}
    assert (rules["webfetch"], "ask" in json.dumps(rules)) == ("deny", False)


def test_a_job_that_reads_has_an_agent_of_its_own(bench: Bench) -> None:
    """The user's configuration by environment stays, keys included, and no file gets it."""
    job = replace(bench.job(), mode=Mode.READ_ONLY)
    before = {"provider": {"xai": {"options": {"apiKey": "k"}}}, "agent": {"mine": {"mode": "primary"}}}
    target = JOB_TARGETS["opencode"]
    environ = target.job_environment(job, {"OPENCODE_CONFIG_CONTENT": json.dumps(before)})
    config = json.loads(environ["OPENCODE_CONFIG_CONTENT"])
    call = target.job_invocation(job, "")
    name = call.argv[call.argv.index("--agent") + 1]
    assert config["agent"].pop(name)["permission"]["*"] == "deny"
    assert config == before
    assert dict(call.environ) == {}
