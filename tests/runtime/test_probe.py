"""One bounded question to a program: what is kept of the answer, and that nothing stays behind."""

import os
import sys
import time
from pathlib import Path

import pytest

from relay_runtime.readiness.probe import OUTPUT_LIMIT, ProbeResult, run_probe
from support.fake_client import Rule, place, rule
from support.waiting import wait_for
from support.world import World


def ask(world: World, *rules: Rule, timeout: float = 20, with_stderr: bool = False) -> ProbeResult:
    fake = place(world, "codex", *rules)
    return run_probe([str(fake.path), "--version"], world.environ(), timeout, with_stderr=with_stderr)


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    stat = Path(f"/proc/{pid}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z"


def test_answer_and_exit(world: World) -> None:
    """Standard output and the exit code come back; standard error does not (it may hold parts of a key)."""
    result = ask(world, rule("--version", stdout="1.2.3\n", stderr="sk-secret\n", exit=3))
    assert (result.exit, result.output, result.hung, result.error) == (3, "1.2.3\n", False, "")


def test_error_text_on_request(world: World) -> None:
    """A program of the system may be asked for its error text too."""
    result = ask(world, rule("--version", stderr="no namespaces\n", exit=1), with_stderr=True)
    assert (result.exit, result.output) == (1, "no namespaces\n")


def test_program_that_does_not_exist(world: World) -> None:
    """What cannot be started is a value with the reason, not an exception."""
    result = run_probe([str(world.bin / "none")], world.environ(), 5)
    assert (result.exit, result.hung) == (None, False)
    assert "No such file" in result.error


def test_stdin_is_closed(world: World) -> None:
    """Field report 1: a program that reads its standard input finds the end at once."""
    assert ask(world, rule("--version", stdin=True, stdout="ok")).output == "ok"


def test_bad_bytes_are_replaced(world: World, tmp_path: Path) -> None:
    """Field report 8: UTF-8 whatever the locale says; an invalid byte is replaced."""
    (tmp_path / "out").write_bytes("é 漢 😀 ".encode() + b"\xff!")
    result = ask(world, rule("--version", stdout={"file": str(tmp_path / "out")}))
    assert result.output == "é 漢 😀 \ufffd!"


def test_flood_is_cut_and_ends(world: World) -> None:
    """A program that writes far more than we keep is drained to its end."""
    flood = {"repeat": "0123456789abcdef" * 4096, "times": 200}
    result = ask(world, rule("--version", stdout=flood))
    assert (result.exit, len(result.output)) == (0, OUTPUT_LIMIT)


def test_killed_by_a_signal(world: World) -> None:
    """A program ended by a signal has not answered well."""
    assert ask(world, rule("--version", exit=-11)).exit == -11


@pytest.mark.parametrize("deaf", [[], ["SIGTERM", "SIGINT", "SIGHUP"]])
@pytest.mark.parametrize("session", [False, True])
@pytest.mark.skipif(sys.platform != "linux", reason="a process in another session is found by /proc")
def test_hung_tree_is_ended(world: World, tmp_path: Path, deaf: list[str], session: bool) -> None:
    """REQ DET-20, field report 9: a hung program and its descendants are gone, deaf or in another session."""
    pid_file = tmp_path / "pid"
    began = time.monotonic()
    hang = rule("--version", grandchild=str(pid_file), session=session, ignore=deaf, sleep=600)
    result = ask(world, hang, timeout=1)
    assert (result.exit, result.hung) == (None, True)
    assert time.monotonic() - began < 6
    wait_for(lambda: gone(int(pid_file.read_text())), 2, "the end of the grandchild")


@pytest.mark.parametrize("session", [False, True])
@pytest.mark.skipif(sys.platform != "linux", reason="a process in another session is found by /proc")
def test_grandchild_that_holds_the_pipe(world: World, tmp_path: Path, session: bool) -> None:
    """A program that answers and leaves a child with our pipe: the answer comes at once, the child goes."""
    pid_file = tmp_path / "pid"
    began = time.monotonic()
    result = ask(world, rule("--version", grandchild=str(pid_file), session=session, stdout="1.2.3"))
    assert (result.exit, result.output) == (0, "1.2.3")
    assert time.monotonic() - began < 6
    wait_for(lambda: gone(int(pid_file.read_text())), 2, "the end of the grandchild")
