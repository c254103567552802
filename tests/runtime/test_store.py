"""State on disk: whole or not written, one writer at a time, the record before the state."""

import json
import pickle
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from relay_runtime.config import Document, effective
from relay_runtime.errors import RelayError
from relay_runtime.gitrepo.snapshot import Snapshot
from relay_runtime.inputs.plan import parse
from relay_runtime.paths import Project
from relay_runtime.state.files import RelayFiles
from relay_runtime.state.record import Attempt, Pending, Record, Told
from relay_runtime.state.store import Stored, load, read_relay, save
from relay_runtime.workgroup import create
from support.plans import a_plan
from support.relaying import Relaying, make_relaying
from support.relays import WGID, a_relay
from support.waiting import wait_for
from support.world import World

RUNTIME = Path(__file__).resolve().parents[2] / "runtime"


def a_record(**changes: Any) -> Record:
    values: dict[str, Any] = {
        "plan": parse(json.dumps(a_plan())),
        "settings": effective(Document("", exists=False), "codex"),
        "baseline": Snapshot("a" * 40, None, "i", None, "h", "k", ("odd \udce9", "new\nline")),
        "autonomous": False,
        "accepted_settings": None,
        **changes,
    }
    return Record(**values)


@pytest.fixture
def files(tmp_path: Path) -> RelayFiles:
    """The files of a relay in a folder that has its WorkGroup."""
    project = Project(tmp_path)
    create(project, WGID, "goal", ("A",), "now")
    return RelayFiles(project, WGID)


FULL = a_record(
    attempts=(
        Attempt("id", 0, 1, "", "t", "t", "failed", "said | `x`\n", True),
        Attempt("id2", 0, 2, "s", "t"),
    ),
    pending=Pending("auth", ("retry", "native"), "Logged in?"),
    findings=(("a\nb", "c"), ()),
    unchanged_accepted=True,
    unread=True,
    attach_shown=True,
    told=Told(3, "t", 1),
    accepted_settings="f" * 64,
)


@pytest.mark.parametrize("record", [a_record(), FULL])
def test_a_relay_comes_back_as_it_was_saved(files: RelayFiles, record: Record) -> None:
    save(Stored(files, a_relay(), record))
    assert load(files) == Stored(files, a_relay(), record)


def test_the_record_is_written_before_the_state(files: RelayFiles) -> None:
    """A crash between both leaves the older state, which a newer record never contradicts."""
    save(Stored(files, a_relay(), a_record()))
    written = [path.stat().st_mtime_ns for path in (files.record, files.state)]
    assert written == sorted(written)


def test_the_state_of_another_relay_in_this_folder_is_noticed(files: RelayFiles) -> None:
    save(Stored(files, a_relay(), a_record()))
    files.state.write_text(files.state.read_text().replace(WGID, WGID.replace("demo", "other")))
    with pytest.raises(RelayError, match="is the state of"):
        load(files)


def test_a_writer_that_is_killed_never_leaves_half_a_file(files: RelayFiles) -> None:
    """REQ STA-11."""
    script = (
        "import sys, pickle\n"
        f"sys.path[:0] = [{str(RUNTIME)!r}]\n"
        "from dataclasses import replace\n"
        "from relay_runtime.state.store import save\n"
        "stored = pickle.load(sys.stdin.buffer)\n"
        "for number in range(10**6):\n"
        "    model = 'm' * (number % 3000)\n"
        "    save(replace(stored, relay=replace(stored.relay, model=model)))\n"
        "    print(number, flush=True)\n"
    )
    for turn in range(20):
        process = subprocess.Popen(
            [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(pickle.dumps(Stored(files, a_relay(), a_record())))
        process.stdin.close()
        for _ in range(1 + turn):
            process.stdout.readline()
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        assert set(read_relay(files).model) <= {"m"}
        load(files)


def test_many_readers_that_settle_one_leg_write_one_state(world: World) -> None:
    """REQ STA-11, FAIL-07; field report 51: a dozen polls at once see the same single end."""
    relaying = make_relaying(world, "claude")
    wgid = relaying.start()["data"]["wgid"]
    relaying.json("launch")
    wait_for((relaying.folder(wgid) / "exit-r0").exists)
    answers = at_once(relaying, 12, "poll", "--wait", "5")
    assert {(answer["code"], answer["data"]["outcome"]) for answer in answers} == {(0, "done")}
    assert [row.leg for row in relaying.relay(wgid).rounds] == ["target-implement"]


def test_of_many_launches_one_starts_the_target(world: World) -> None:
    """REQ EXE-13."""
    relaying = make_relaying(world, "claude")
    relaying.start()
    relaying.plays([*relaying.dialect.start(), ["await", str(world.root / "gate")]])
    codes = sorted(answer["code"] for answer in at_once(relaying, 4, "launch"))
    assert codes == [0, 7, 7, 7]
    assert len(relaying.legs()) == 1
    assert relaying.json("abort")["ok"]


def test_no_second_relay_begins_beside_a_living_leg(world: World) -> None:
    relaying = make_relaying(world, "claude")
    relaying.start()
    relaying.plays([*relaying.dialect.start(), ["await", str(world.root / "gate")]])
    relaying.json("launch")
    answer = relaying.start()
    assert (answer["code"], answer["data"]["problem"]) == (7, "relay.busy")
    assert relaying.json("abort")["ok"]


def at_once(relaying: Relaying, times: int, *words: str) -> list[dict[str, Any]]:
    """The answers of the same verb called `times` times at the same moment."""
    with ThreadPoolExecutor(times) as pool:
        calls = [pool.submit(relaying.json, *words) for _ in range(times)]
        return [call.result() for call in calls]
