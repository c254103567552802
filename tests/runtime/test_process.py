"""Identity of processes, and the end of a whole tree of them. Real processes."""

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from relay_runtime.attempts.process import (
    ATTEMPT,
    Identity,
    Waits,
    alive,
    end_strays,
    identify,
    judgeable,
    send,
    stop_tree,
    strays,
    tree,
)
from relay_runtime.attempts.proctable import Proc, Ps, Table
from relay_runtime.clock import SystemClock
from support.waiting import wait_for

CLOCK = SystemClock()
SHORT = Waits(interrupt=0.3, terminate=0.3, kill=3.0)
QUIET_STRAY = textwrap.dedent(
    """
    import os, signal, sys, time
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    open(sys.argv[1], "w").write(str(os.getpid()))
    time.sleep(600)
    """
)


class Started:
    """Processes of one test; whatever the test leaves running is killed after it."""

    def __init__(self) -> None:
        self.processes: list[subprocess.Popen[bytes]] = []

    def python(self, code: str, *words: str, attempt: str = "none", session: bool = True) -> Identity:
        child = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(code), *words],
            env={**os.environ, ATTEMPT: attempt},
            start_new_session=session,
        )
        self.processes.append(child)
        found = identify(child.pid)
        assert found is not None
        return found

    def reap(self) -> None:
        for child in self.processes:
            child.poll()


@pytest.fixture
def started() -> Iterator[Started]:
    running = Started()
    yield running
    for child in running.processes:
        child.kill()
        child.wait()


def test_a_process_keeps_its_identity_until_it_ends(started: Started) -> None:
    one = started.python("import time; time.sleep(600)")
    assert alive(one)
    started.processes[0].kill()
    started.processes[0].wait()
    assert not alive(one)
    assert identify(one.pid) is None


def test_a_process_that_nobody_reaped_counts_as_ended(started: Started) -> None:
    """Field report 16: a dead worker must not be shown as running."""
    one = started.python("pass")
    wait_for(lambda: not alive(one))
    assert started.processes[0].returncode is None  # not reaped yet: it is a zombie here


def test_another_start_is_another_process(started: Started) -> None:
    """REQ RSM-08: a foreign process with the recorded pid is neither awaited nor killed."""
    one = started.python("import time; time.sleep(600)")
    recorded = Identity(one.pid, one.start + "0")
    assert not alive(recorded)
    assert not send(recorded, signal.SIGKILL)
    assert stop_tree(recorded, "no such attempt", CLOCK, SHORT) == ()
    assert alive(one)


def test_a_process_of_another_pid_namespace_cannot_be_judged() -> None:
    me = identify(os.getpid())
    assert me is not None
    boot, _, ticks = me.start.split("/")
    assert judgeable(me)
    assert not judgeable(Identity(me.pid, f"{boot}/4026000000/{ticks}"))
    assert judgeable(Identity(me.pid, f"00000000-0000-0000-0000-000000000000/4026000000/{ticks}"))


def test_interrupt_is_enough_for_a_polite_tree(started: Started, tmp_path: Path) -> None:
    one = started.python(
        """
        import sys, time, pathlib
        pathlib.Path(sys.argv[1]).touch()
        try:
            time.sleep(600)
        except KeyboardInterrupt:
            pathlib.Path(sys.argv[2]).write_text("interrupted")
        """,
        str(tmp_path / "ready"),
        str(tmp_path / "said"),
    )
    wait_for((tmp_path / "ready").exists)
    assert stop_tree(one, "none of these", CLOCK, Waits(interrupt=10)) == ()
    assert (tmp_path / "said").read_text() == "interrupted"


def test_a_deaf_process_is_terminated_before_it_is_killed(started: Started, tmp_path: Path) -> None:
    """Facts: a client that is killed without SIGTERM leaves files in the repository."""
    one = started.python(
        """
        import pathlib, signal, sys, time
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, lambda *_: pathlib.Path(sys.argv[2]).touch())
        pathlib.Path(sys.argv[1]).touch()
        while True:
            time.sleep(600)
        """,
        str(tmp_path / "ready"),
        str(tmp_path / "asked"),
    )
    wait_for((tmp_path / "ready").exists)
    assert stop_tree(one, "none of these", CLOCK, SHORT) == ()
    assert (tmp_path / "asked").exists()
    started.reap()
    assert started.processes[0].returncode == -signal.SIGKILL


def test_child_and_grandchild_end_with_the_leader(started: Started, tmp_path: Path) -> None:
    """Field reports 43 and 44: tool servers, and a grandchild in its own session that ignores SIGTERM."""
    stray_code = tmp_path / "stray.py"
    stray_code.write_text(QUIET_STRAY)
    one = started.python(
        """
        import subprocess, sys, time
        subprocess.Popen(["sleep", "600"])
        subprocess.Popen([sys.executable, sys.argv[1], sys.argv[2]])
        time.sleep(600)
        """,
        str(stray_code),
        str(tmp_path / "stray.pid"),
        attempt="attempt-43",
    )
    wait_for(lambda: (tmp_path / "stray.pid").exists() and (tmp_path / "stray.pid").read_text())
    found = tree(one, "attempt-43")
    assert found[0] == one
    assert len(found) == 3
    assert stop_tree(one, "attempt-43", CLOCK, SHORT) == ()
    assert [member for member in found if alive(member)] == []


def test_what_an_ended_leader_left_is_found_by_its_attempt(started: Started, tmp_path: Path) -> None:
    """Field report 40: the leader exits, its detached grandchild lives on and is ended."""
    stray_code = tmp_path / "stray.py"
    stray_code.write_text(QUIET_STRAY)
    leader = started.python(
        "import subprocess, sys; subprocess.Popen([sys.executable, *sys.argv[1:]])",
        str(stray_code),
        str(tmp_path / "stray.pid"),
        attempt="attempt-40",
    )
    wait_for(lambda: (tmp_path / "stray.pid").exists() and (tmp_path / "stray.pid").read_text())
    wait_for(lambda: not alive(leader))
    (left,) = strays("attempt-40")
    assert left.pid == int((tmp_path / "stray.pid").read_text())
    assert strays("attempt-4") == ()
    assert end_strays("attempt-40", CLOCK, SHORT) == ()
    assert not alive(left)


def test_a_survivor_is_named(started: Started) -> None:
    """Field report 44: a stop that did not reach everything must not claim that it did."""
    one = started.python(
        """
        import signal, time
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        time.sleep(600)
        """,
    )
    wait_for(lambda: _ignores(one.pid, signal.SIGTERM))

    # Without any wait the look after SIGKILL is the one before it.
    assert stop_tree(one, "none of these", CLOCK, Waits(interrupt=0, terminate=0, kill=0)) == (one,)
    wait_for(lambda: not alive(one))


def _ignores(pid: int, number: int) -> bool:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("SigIgn:"):
            return bool(int(line.split()[1], 16) >> (number - 1) & 1)
    return False


@pytest.mark.parametrize("table", [Proc(), Ps()], ids=["proc", "ps"])
def test_both_kinds_of_process_table_agree_on_a_tree(table: Table, started: Started, tmp_path: Path) -> None:
    one = started.python(
        """
        import pathlib, subprocess, sys, time
        child = subprocess.Popen(["sleep", "600"])
        pathlib.Path(sys.argv[1]).write_text(str(child.pid))
        time.sleep(600)
        """,
        str(tmp_path / "child"),
        attempt="attempt-ps",
    )
    wait_for(lambda: (tmp_path / "child").exists() and (tmp_path / "child").read_text())
    child = int((tmp_path / "child").read_text())
    entries = {entry.pid: entry for entry in table.all()}
    assert entries[child].ppid == one.pid
    assert entries[child].pgid == one.pid
    assert table.carriers(ATTEMPT, "attempt-ps") == {one.pid, child}
    assert table.one(child) == entries[child]
    os.kill(child, signal.SIGKILL)
    wait_for(lambda: (found := table.one(child)) is None or found.ended)
