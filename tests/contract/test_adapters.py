"""One suite over every target: whatever its process does, the leg ends with a marker and a true outcome."""

import json
import signal
from pathlib import Path

import pytest

from relay_runtime.adapters import LEGS, TARGETS
from relay_runtime.attempts.attempt import Life, life, read_exit
from relay_runtime.attempts.facts import TEXT_LIMIT
from relay_runtime.attempts.process import identify
from relay_runtime.clock import SystemClock
from relay_runtime.state.outcome import CONSEQUENCES, Cause, Outcome
from support.dialects import DIALECTS, REPORT, SESSION, Dialect, Step, leg_rule
from support.fake_client import FakeClient, place
from support.legs import PROMPT, Bench
from support.waiting import wait_for
from support.world import World


@pytest.fixture(params=sorted(TARGETS))
def dialect(request: pytest.FixtureRequest) -> Dialect:
    return DIALECTS[request.param]


@pytest.fixture
def bench(world: World, dialect: Dialect) -> Bench:
    return Bench(world, dialect.name)


def plays(bench: Bench, dialect: Dialect, *steps: Step, **more: object) -> FakeClient:
    return place(bench.world, dialect.name, leg_rule(dialect, *steps, **more))


def test_every_target_is_in_this_suite() -> None:
    assert set(TARGETS) == set(DIALECTS)


sandboxed = pytest.mark.parametrize("dialect", sorted(LEGS), indirect=True)
"""Only these have a sandbox of their own, and try again where their login is refused."""


def test_success(bench: Bench, dialect: Dialect) -> None:
    """REQ SEL-01, HYA-13, CLA-03, ART-06: stdout to the log, the final text to its file, marker 0."""
    client = plays(bench, dialect, *dialect.start(), *dialect.change("/srv/repo/hello.py"), *dialect.finish())
    assert bench.run() == 0
    assert read_exit(bench.files) == 0
    assert bench.verdict().outcome is Outcome.DONE
    assert bench.files.last.read_text() == REPORT
    record = bench.record()
    assert (record.facts.session_id, record.facts.files) == (SESSION, ("hello.py",))
    assert record.ended is not None
    assert life(bench.files, SystemClock()) is Life.ENDED
    (call,) = client.calls
    assert (call["stdin"], call["cwd"]) == (PROMPT, str(bench.repo.resolve()))


def test_no_change(bench: Bench, dialect: Dialect) -> None:
    """Field report 33."""
    plays(bench, dialect, *dialect.start(), *dialect.finish())
    bench.run()
    assert bench.verdict(tree_changed=False).outcome is Outcome.DONE_NO_CHANGE


@pytest.mark.parametrize(
    ("kind", "outcome"),
    [
        ("auth", Outcome.AUTH),
        ("quota", Outcome.QUOTA),
        ("model", Outcome.MODEL),
        ("server", Outcome.FAILED),
    ],
)
def test_failure_of_the_provider(bench: Bench, dialect: Dialect, kind: str, outcome: Outcome) -> None:
    """REQ FAIL-03, FAIL-05, FAIL-15, field reports 10, 12 and 32: classified, with a reason and a remedy."""
    plays(bench, dialect, *dialect.start(), *dialect.fail(kind), exit=1)
    assert bench.run() == 1
    found = bench.verdict()
    assert found.outcome is outcome
    assert found.reason
    assert bool(found.remedy) is (outcome is not Outcome.FAILED)
    assert bench.record().facts.session_id == SESSION  # kept for the resume after a login


def test_a_failure_that_ends_with_status_zero(bench: Bench, dialect: Dialect) -> None:
    """REQ CLA-04, SEL-04: exit 0 is never enough."""
    plays(bench, dialect, *dialect.start(), *dialect.fail("auth"))
    bench.run()
    assert bench.verdict().outcome is Outcome.AUTH


def test_a_good_stream_that_ends_with_a_failing_status(bench: Bench, dialect: Dialect) -> None:
    plays(bench, dialect, *dialect.start(), *dialect.finish(), exit=1)
    assert bench.run() == 1
    assert bench.verdict().outcome is Outcome.FAILED


def test_empty_final_message(bench: Bench, dialect: Dialect) -> None:
    """A-10: never silently done."""
    plays(bench, dialect, *dialect.start(), *dialect.finish(""))
    bench.run()
    assert bench.verdict().outcome is Outcome.FAILED


@sandboxed
def test_a_sandbox_that_could_not_start(bench: Bench, dialect: Dialect) -> None:
    """Field report 29: every command failed before it began, and the end is a polite success."""
    broken = dialect.command("bwrap: Creating new namespace failed: Operation not permitted", 1)
    plays(bench, dialect, *dialect.start(), *broken, *broken, *dialect.finish())
    bench.run()
    found = bench.verdict()
    assert found.outcome is Outcome.SANDBOX
    assert "namespace" in found.reason


def test_claudes_sandbox_where_tmpdir_is_too_long_for_a_socket(world: World) -> None:
    """Seen on 2.1.332: no command ran, and the client reported success."""
    bench, dialect = Bench(world, "claude"), DIALECTS["claude"]
    said = "Sandbox is required but failed to initialize: Failed to create bridge sockets after 5 attempts."
    plays(bench, dialect, *dialect.start(), *dialect.command(said, 1), *dialect.finish())
    bench.run()
    assert bench.verdict().outcome is Outcome.SANDBOX


def test_one_failing_command_is_no_broken_sandbox(bench: Bench, dialect: Dialect) -> None:
    steps = [*dialect.command("bwrap: no", 1), *dialect.command("fine", 0)]
    plays(bench, dialect, *dialect.start(), *steps, *dialect.finish())
    bench.run()
    assert bench.verdict().outcome is Outcome.DONE


def test_nothing_on_stdout(bench: Bench, dialect: Dialect) -> None:
    """Field report 26: exit 0 with zero bytes."""
    plays(bench, dialect)
    bench.run()
    assert bench.verdict().outcome is Outcome.STREAM_UNREADABLE


def test_garbage(bench: Bench, dialect: Dialect) -> None:
    """Field reports 8 and 37: junk around the events changes nothing but the count."""
    junk: Step = ["raw", "\ufeff\x1b[31mwarning\x1b[0m\r\n\n{oops\n"]
    plays(bench, dialect, junk, *dialect.start(), junk, *dialect.finish(), ["raw", '{"cut'])
    bench.run()
    assert bench.verdict().outcome is Outcome.DONE
    assert bench.record().junk == 5


def test_flood(bench: Bench, dialect: Dialect) -> None:
    many: Step = ["times", 20_000, dialect.speak("still here")[0]]
    plays(bench, dialect, *dialect.start(), many, *dialect.finish())
    bench.run()
    assert bench.verdict().outcome is Outcome.DONE
    assert bench.record().facts.events > 20_000


def test_a_line_of_five_megabytes(bench: Bench, dialect: Dialect) -> None:
    """Field report 36."""
    plays(bench, dialect, *dialect.start(), *dialect.command("x" * 5_000_000, 0), *dialect.finish())
    bench.run()
    assert bench.verdict().outcome is Outcome.DONE
    assert len(bench.files.record.read_bytes()) < 20_000


def test_a_last_line_that_was_cut(bench: Bench, dialect: Dialect) -> None:
    *whole, last = dialect.finish()
    cut: Step = ["raw", json.dumps(last[1])[:-20]]
    plays(bench, dialect, *dialect.start(), *whole, cut)
    bench.run()
    assert bench.verdict().outcome is Outcome.STREAM_UNREADABLE


def test_the_reason_after_a_long_banner(bench: Bench, dialect: Dialect) -> None:
    """Field report 28."""
    plays(bench, dialect, stderr="banner\n" * 9000 + "error: the disk is gone\n", exit=1)
    bench.run()
    found = bench.verdict()
    assert found.reason == "error: the disk is gone"
    assert len(found.reason) < TEXT_LIMIT


def test_bytes_that_are_no_text(bench: Bench, dialect: Dialect) -> None:
    """Field report 8: a bad byte is replaced, not fatal; files are UTF-8."""
    text = "設計 🚀 done"
    plays(bench, dialect, ["raw", "\udcff\n"], *dialect.start(), *dialect.finish(text))
    bench.run(environ=bench.environ(LC_ALL="C", PYTHONUTF8="0", PYTHONIOENCODING="ascii:surrogateescape"))
    assert bench.verdict().outcome is Outcome.DONE
    assert bench.files.last.read_bytes() == text.encode()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGHUP, signal.SIGINT])
def test_a_target_that_a_signal_ended(bench: Bench, dialect: Dialect, number: int) -> None:
    """REQ EXE-03, field report 49: 128+n, the signal named, a hint on SIGKILL."""
    plays(bench, dialect, *dialect.start(), exit=-number)
    assert bench.run() == 128 + number
    found = bench.verdict()
    assert found.outcome is Outcome.INTERRUPTED
    assert signal.Signals(number).name in found.reason
    assert ("memory" in found.reason) is (number == signal.SIGKILL)


def test_a_program_that_is_not_there(bench: Bench) -> None:
    """REQ EXE-03: a missing binary leaves marker 127 and a reason."""
    assert bench.run() == 127
    found = bench.verdict()
    assert found.outcome is Outcome.FAILED
    assert bench.target in found.reason
    assert bench.record().target is None


def test_a_folder_that_is_not_there(bench: Bench, dialect: Dialect) -> None:
    """REQ EXE-03, A-06: a bad cwd leaves marker 127 too, and nothing ran elsewhere."""
    client = plays(bench, dialect, *dialect.finish())
    spec = bench.spec()
    bench.repo.rmdir()
    assert bench.run(spec) == 127
    assert client.calls == []
    assert "repo" in bench.verdict().reason


def test_old_evidence_proves_nothing(bench: Bench, dialect: Dialect) -> None:
    """REQ EXE-12, A-04, A-05, field report 56: earlier files are set aside by attempt."""
    plays(bench, dialect, *dialect.start(), *dialect.finish())
    bench.run()
    bench.files.set_aside(1)
    assert not bench.files.exit.exists()
    assert bench.files.log.with_name(f"{dialect.name}-log-r0.a1.jsonl").exists()
    assert bench.files.exit.with_name("exit-r0.a1").read_text() == "0\n"
    (bench.world.bin / dialect.name).unlink()
    assert bench.run() == 127
    assert bench.verdict().outcome is Outcome.FAILED


def test_a_grandchild_that_holds_the_output(bench: Bench, dialect: Dialect, tmp_path: Path) -> None:
    """Field report 40: the leg is over when the target is, and what it left behind is ended."""
    pid_file = tmp_path / "grandchild"
    plays(bench, dialect, *dialect.start(), *dialect.finish(), grandchild=str(pid_file))
    assert bench.run() == 0
    assert bench.verdict().outcome is Outcome.DONE
    wait_for(lambda: identify(int(pid_file.read_text())) is None)


def test_a_deaf_grandchild_in_a_session_of_its_own(bench: Bench, dialect: Dialect, tmp_path: Path) -> None:
    """Field report 44: setsid and ignoring SIGTERM is no hiding place."""
    pid_file = tmp_path / "grandchild"
    deaf = ["SIGTERM", "SIGINT"]
    plays(bench, dialect, *dialect.finish(), grandchild=str(pid_file), session=True, ignore=deaf)
    bench.run()
    assert identify(int(pid_file.read_text())) is None
    assert bench.record().survivors == ()


def test_the_marks_of_the_host_session_do_not_reach_the_target(bench: Bench, dialect: Dialect) -> None:
    """REQ HYC-07, HYA-16, field report 4: session marks are gone, the depth is marked, proxies stay."""
    client = plays(bench, dialect, *dialect.start(), *dialect.finish())
    environ = bench.environ(
        CLAUDECODE="1",
        CLAUDE_CODE_ENTRYPOINT="cli",
        CODEX_THREAD_ID="x",
        HTTPS_PROXY="http://p",
        CODEX_API_KEY="k",
    )
    bench.run(environ=environ)
    seen = client.calls[0]["env"]
    assert not {"CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CODEX_THREAD_ID"} & set(seen)
    assert (seen["HTTPS_PROXY"], seen["CODEX_API_KEY"], seen["KNOWZCODE_RELAY_DEPTH"]) == (
        "http://p",
        "k",
        "1",
    )
    assert seen["KNOWZCODE_RELAY_ATTEMPT"]
    assert seen["CODEX_HOME"]


def test_every_outcome_has_a_consequence() -> None:
    assert set(CONSEQUENCES) == set(Outcome)


@sandboxed
def test_a_leg_that_hopelessly_retries_its_login_is_ended(bench: Bench, dialect: Dialect) -> None:
    """Facts: a wrong key takes three minutes of retries; the first one says it all."""
    endless: Step = ["forever", 0.05, dialect.retry("auth")]
    plays(bench, dialect, *dialect.start(), endless)
    bench.run()
    assert bench.record().cause is Cause.AUTH
    found = bench.verdict()
    assert found.outcome is Outcome.AUTH
    assert found.reason
