"""A client's own command is bounded in time, and what it started ends with it."""

import sys
import time
from pathlib import Path

from knowzcode_relay.hosts.client import Completed, run
from support.waiting import wait_for


def test_it_gives_code_and_both_streams(tmp_path: Path) -> None:
    program = "import sys; print('out é'); print('err', file=sys.stderr); sys.exit(3)"
    answer = run([sys.executable, "-c", program], env={"PYTHONIOENCODING": "utf-8"}, cwd=tmp_path)
    assert answer == Completed(3, "out é\n", "err\n")
    assert answer.last_words == "err"


def test_its_stdin_is_what_was_given_and_ends(tmp_path: Path) -> None:
    words = [sys.executable, "-c", "import sys; print(repr(sys.stdin.read()))"]
    assert run(words, env={}, cwd=tmp_path).out == "''\n"
    assert run(words, env={}, cwd=tmp_path, stdin=b"key").out == "'key'\n"


def test_a_command_that_hangs_is_ended_with_its_children(tmp_path: Path) -> None:
    program = (
        "import signal, subprocess, sys, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "open('pid', 'w').write(str(child.pid))\n"
        "time.sleep(600)\n"
    )
    began = time.monotonic()

    answer = run([sys.executable, "-c", program], env={}, cwd=tmp_path, seconds=2)

    assert answer.code is None
    assert "did not end within 2 seconds" in answer.err
    assert time.monotonic() - began < 20
    child = Path("/proc") / (tmp_path / "pid").read_text()
    wait_for(lambda: not (child / "exe").exists(), what="the end of the child")


def test_a_command_that_is_not_there_is_an_answer(tmp_path: Path) -> None:
    answer = run([tmp_path / "nothing"], env={}, cwd=tmp_path)
    assert answer.code is None
    assert "cannot be started: No such file or directory" in answer.last_words


def test_what_it_leaves_running_does_not_hold_us(tmp_path: Path) -> None:
    program = "import subprocess; print('done'); subprocess.Popen(['sleep', '8'], start_new_session=True)"
    began = time.monotonic()
    answer = run([sys.executable, "-c", program], env={"PATH": "/usr/bin:/bin"}, cwd=tmp_path)
    assert answer.out == "done\n"
    assert time.monotonic() - began < 6
