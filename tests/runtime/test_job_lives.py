"""The life of a job: joined, cancelled, lost, continued, listed, deleted; with fake clients."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from relay_runtime.attempts.process import identify
from support.dialects import SESSION, Codex, OpenCode, Step
from support.fake_client import FakeClient, place, rule
from support.jobs import HEADER, LINES, Jobs, block_of, keys_of
from support.waiting import wait_for
from support.world import World

CODEX = Codex()
PROMPT = f"{HEADER}Do it.\n"


@pytest.fixture
def jobs(world: World) -> Iterator[Jobs]:
    found = Jobs(world)
    yield found
    found.end_all()


@pytest.fixture
def gate(world: World) -> Path:
    """The fake Codex goes on once this file exists."""
    return world.root / "gate"


def held(jobs: Jobs, gate: Path, *more: Step, **what: object) -> FakeClient:
    """A Codex that begins its turn, waits for the gate, and then does the job."""
    steps = [*CODEX.start(), *more, ["await", str(gate)], *CODEX.finish()]
    return place(jobs.world, "codex", rule(stdin=True, steps=steps, **what))


def gone(pid_file: Path) -> bool:
    return identify(int(pid_file.read_text())) is None


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    wait_for(lambda: identify(pid) is None)


def test_a_second_call_joins(jobs: Jobs, gate: Path) -> None:
    """REQ JRN-05, JRL-02, field report 50: one run of the harness, whoever asks and however often."""
    client = held(jobs, gate)
    assert jobs.start("a", PROMPT).json()["data"]["how"] == "started"
    jobs.session_of("a")
    waiting = [jobs.spawn("wait", "a") for _ in range(2)]
    waiting[0].kill()  # whoever waits may go: the job does not
    waiting[0].communicate()
    assert jobs.start("a", PROMPT).json()["data"]["how"] == "joined"
    gate.touch()
    out, _ = waiting[1].communicate(timeout=60)
    again = jobs.wait("a")
    assert (again.code, again.out.encode()) == (0, out)
    assert len(client.calls) == 1


def test_an_ended_job_gives_its_answer_again(jobs: Jobs, gate: Path) -> None:
    """REQ JRL-01, JWF-01: byte for byte, without a second run."""
    gate.touch()
    client = held(jobs, gate)
    jobs.start("a", PROMPT)
    first = jobs.wait("a")
    assert jobs.start("a", PROMPT).json()["data"]["how"] == "ended"
    assert jobs.wait("a") == first
    assert len(client.calls) == 1


def test_a_refused_header_has_an_answer_for_wait(jobs: Jobs) -> None:
    """A-J2: `start` ends with 0 whenever `wait` has a block to give."""
    done = jobs.start("a", "modle: x\n---\nx")
    assert (done.code, done.json()["data"]["refused"]) == (0, True)
    waited = jobs.wait("a")
    assert (waited.code, block_of(waited.out)["state"]) == (2, "failed")


@pytest.mark.parametrize(
    "request_text",
    ["", "{", "[]", '{"cwd": "/"}', '{"prompt": "x", "cwd": "rel"}', '{"prompt": 1, "cwd": "/"}',
     '{"prompt": "x", "cwd": "/", "run": "wf_1"}', '{"prompt": "x", "cwd": "/", "index": 1}',
     '{"prompt": "x", "cwd": "/", "run": "../x", "index": 1}'],
)  # fmt: skip
def test_a_request_that_is_none(jobs: Jobs, request_text: str) -> None:
    done = jobs.call("start", "--id", "a", stdin=request_text)
    assert (done.code, done.out.startswith("[RELAY-HALT] ")) == (2, True)
    assert jobs.wait("a").code == 2


def test_another_prompt_under_the_same_id_is_refused(jobs: Jobs, gate: Path) -> None:
    """REQ JRL-03: an answer is never given to who asked for something else."""
    gate.touch()
    client = held(jobs, gate)
    jobs.start("a", PROMPT)
    jobs.wait("a")
    for other in (jobs.start("a", PROMPT + "more"), jobs.start("a", PROMPT, run="wf_1", index=1)):
        assert (other.code, other.json()["data"]["problem"]) == (8, "job.other")
    assert len(client.calls) == 1


def test_jobs_of_another_owner_are_not_seen(jobs: Jobs, gate: Path) -> None:
    """REQ JRL-03, field report 46: two sessions."""
    held(jobs, gate)
    jobs.start("a", PROMPT, owner="one")
    jobs.start("b", PROMPT, owner="two")
    assert jobs.wait("a", "--owner", "two").code == 2
    assert jobs.call("cancel", "a", "--owner", "two").code == 2
    listed = jobs.call("list", "--owner", "one", "--json").json()["data"]["jobs"]
    assert [job["job"] for job in listed] == ["a"]
    assert jobs.call("cancel", "--all").code == 2
    assert jobs.call("cancel", "--all", "--owner", "one").code == 0
    running = jobs.call("list", "--running", "--json").json()["data"]["jobs"]
    assert [job["job"] for job in running] == ["b"]
    gate.touch()
    assert block_of(jobs.wait("b", "--owner", "two").out)["state"] == "completed"


def test_cancel_without_an_id_names_what_runs(jobs: Jobs, gate: Path) -> None:
    """Field report 46: nothing is ended by a guess."""
    held(jobs, gate)
    jobs.start("a", PROMPT)
    jobs.start("b", PROMPT)
    done = jobs.call("cancel")
    assert (done.code, "a" in done.out, "b" in done.out) == (2, True, True)
    gate.touch()
    assert [block_of(jobs.wait(job).out)["state"] for job in ("a", "b")] == ["completed", "completed"]


@pytest.mark.parametrize("words", [("a",), ("--job", "a"), ("--job=a",), ("--id", "a")])
def test_cancel_ends_the_whole_tree(jobs: Jobs, gate: Path, words: tuple[str, ...]) -> None:
    """REQ JCN-01, JCN-03, field reports 43 and 48: from another shell and folder; gone when it returns."""
    pid = jobs.world.root / "grandchild"
    client = held(jobs, gate, grandchild=str(pid), session=True)
    jobs.start("a", PROMPT)
    jobs.session_of("a")
    waiting = jobs.spawn("wait", "a")
    done = jobs.call("cancel", *words, cwd=jobs.world.home)
    assert (done.code, done.out) == (0, "[RELAY-JOB] a cancelled\n")
    assert gone(pid)
    assert identify(client.calls[0]["pid"]) is None
    out, _ = waiting.communicate(timeout=30)
    assert waiting.returncode == 4
    found = block_of(out.decode())
    assert found["state"] == "cancelled"
    assert keys_of(out.decode()) == [*LINES, "error"]
    assert (jobs.folder("a") / "report.md").exists()


def test_cancel_ends_a_deaf_process_in_a_session_of_its_own(jobs: Jobs, gate: Path) -> None:
    """Field report 44: one that ignores what asks it to end."""
    pid = jobs.world.root / "grandchild"
    held(jobs, gate, grandchild=str(pid), session=True, ignore=["SIGTERM"])
    jobs.start("a", PROMPT)
    jobs.session_of("a")
    assert jobs.call("cancel", "a").code == 0
    assert gone(pid)


def test_cancel_of_an_ended_job_changes_nothing(jobs: Jobs, gate: Path) -> None:
    """REQ JCN-04."""
    gate.touch()
    held(jobs, gate)
    before = jobs.run(PROMPT, "--id", "a")
    done = jobs.call("cancel", "a")
    assert (done.code, "nothing changed" in done.out) == (0, True)
    assert jobs.wait("a").out == before.out


def test_cancel_while_queued(jobs: Jobs, gate: Path) -> None:
    """Field report 47: between the record and the process, so the child never runs."""
    client = held(jobs, gate)
    jobs.start("a", PROMPT)
    jobs.session_of("a")
    jobs.call("cancel", "a")
    # What a starter leaves that was ended right after it had written the record.
    folder = jobs.folder("b")
    folder.mkdir()
    record = json.loads((jobs.folder("a") / "job.json").read_text())
    (folder / "job.json").write_text(json.dumps({**record, "id": "b"}))
    (folder / "asked.md").write_text(PROMPT)
    (folder / "task.md").write_text("Do it.\n")
    assert jobs.call("cancel", "b").out == "[RELAY-JOB] b cancelled\n"
    assert jobs.start("b", PROMPT).json()["data"]["how"] == "ended"
    assert block_of(jobs.wait("b").out)["state"] == "cancelled"
    assert len(client.calls) == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_to_run_cancels_its_job(jobs: Jobs, gate: Path, number: signal.Signals) -> None:
    """Field report 49: the block is printed, the child is gone, and the exit code is 128 and the signal."""
    client = held(jobs, gate)
    running = jobs.spawn("run", "--id", "a", stdin=PROMPT.encode())
    jobs.session_of("a")
    running.send_signal(number)
    out, _ = running.communicate(timeout=60)
    assert running.returncode == 128 + number
    assert block_of(out.decode())["state"] == "cancelled"
    assert identify(client.calls[0]["pid"]) is None


def test_a_signal_to_the_worker_is_named(jobs: Jobs, gate: Path) -> None:
    """Field report 49."""
    client = held(jobs, gate)
    jobs.start("a", PROMPT)
    jobs.session_of("a")
    os.kill(jobs.worker("a"), signal.SIGTERM)
    done = jobs.wait("a")
    assert (done.code, block_of(done.out)["state"]) == (1, "failed")
    assert "SIGTERM" in block_of(done.out)["error"]
    assert identify(client.calls[0]["pid"]) is None


def test_a_killed_target_is_named(jobs: Jobs, gate: Path) -> None:
    """Field report 49: with the hint that belongs to SIGKILL."""
    client = held(jobs, gate)
    jobs.start("a", PROMPT)
    jobs.session_of("a")
    os.kill(client.calls[0]["pid"], signal.SIGKILL)
    error = block_of(jobs.wait("a").out)["error"]
    assert "SIGKILL" in error
    assert "memory" in error


def test_a_killed_worker_is_a_failed_block(jobs: Jobs, gate: Path) -> None:
    """Whoever waits gets a failed block, and what the worker left running is ended."""
    client = held(jobs, gate)
    jobs.start("a", PROMPT)
    jobs.session_of("a")
    waiting = jobs.spawn("wait", "a")
    kill(jobs.worker("a"))
    out, _ = waiting.communicate(timeout=60)
    assert (waiting.returncode, block_of(out.decode())["state"]) == (1, "failed")
    assert block_of(out.decode())["error"].startswith("The worker")
    assert identify(client.calls[0]["pid"]) is None
    assert jobs.wait("a").out.encode() == out


def test_a_lost_job_goes_on_with_its_thread(jobs: Jobs, gate: Path) -> None:
    """REQ JWF-02: a new turn of the same thread, every setting given again, and the block says so."""
    client = held(jobs, gate)
    prompt = "effort: high\nadd-dir: /srv/a\nnetwork: on\nmode: write\n---\nDo it.\n"
    jobs.start("a", prompt)
    jobs.session_of("a")
    kill(jobs.worker("a"))
    assert "lost" in jobs.call("show", "a").out
    gate.touch()
    assert jobs.start("a", prompt).json()["data"]["how"] == "continued"
    done = jobs.wait("a")
    assert keys_of(done.out) == [*LINES, "automatic-resume"]
    found = block_of(done.out)
    assert (found["state"], found["automatic-resume"]) == ("completed", f"continued thread {SESSION}")
    first, second = client.calls
    assert identify(first["pid"]) is None
    argv = second["argv"]
    assert argv[:4] == ["--add-dir", "/srv/a", "exec", "resume"]
    assert argv[-2:] == [SESSION, "-"]
    again = ["network_access=true", 'sandbox_mode="workspace-write"', 'approval_policy="never"', '="high"']
    assert all(any(one in word for word in argv) for one in again)
    assert second["stdin"].endswith("Do it.\n")
    assert second["stdin"] != "Do it.\n"


def test_a_lost_job_without_a_thread_is_done_from_the_start(jobs: Jobs, gate: Path) -> None:
    client = place(jobs.world, "codex", rule(stdin=True, steps=[["await", str(gate)], *CODEX.finish()]))
    jobs.start("a", PROMPT)
    wait_for(lambda: client.calls)
    kill(jobs.worker("a"))
    place(jobs.world, "codex", rule(stdin=True, steps=[*CODEX.start(), *CODEX.finish()]))
    jobs.start("a", PROMPT)
    done = jobs.wait("a")
    assert keys_of(done.out) == [*LINES, "note"]
    assert client.calls[1]["stdin"] == "Do it.\n"


def test_a_thread_that_is_gone_is_started_again(jobs: Jobs, gate: Path) -> None:
    """Design: session-gone is followed by one fresh session."""
    held(jobs, gate)
    jobs.start("a", PROMPT)
    jobs.session_of("a")
    kill(jobs.worker("a"))
    no_thread = rule(
        "exec", "resume", stdin=True, stderr=f"no rollout found for thread id {SESSION}\n", exit=1
    )
    fresh = rule(stdin=True, steps=[*CODEX.start("new-one"), *CODEX.finish()])
    client = place(jobs.world, "codex", no_thread, fresh)
    jobs.start("a", PROMPT)
    done = jobs.wait("a")
    assert keys_of(done.out) == [*LINES, "note"]
    assert (block_of(done.out)["state"], SESSION in block_of(done.out)["note"]) == ("completed", True)
    assert client.calls[-1]["stdin"] == "Do it.\n"


def test_a_session_of_opencode_goes_on_too(jobs: Jobs, gate: Path) -> None:
    dialect = OpenCode()
    steps = [*dialect.start(), ["await", str(gate)], *dialect.finish()]
    client = place(jobs.world, "opencode", rule(stdin=True, steps=steps))
    prompt = f"backend: kimi\n{PROMPT}"
    jobs.start("a", prompt)
    jobs.session_of("a")
    kill(jobs.worker("a"))
    gate.touch()
    jobs.start("a", prompt)
    assert block_of(jobs.wait("a").out)["automatic-resume"] == f"continued thread {SESSION}"
    argv = client.calls[1]["argv"]
    assert argv[argv.index("--session") + 1] == SESSION
    assert argv[argv.index("--dir") + 1] == str(jobs.repo)


def test_a_resumed_role_joins_the_run_that_lives(jobs: Jobs, gate: Path) -> None:
    """REQ JWF-06, JCN-05: the client died, its Workflow asks again under a new id, and there is one run."""
    client = held(jobs, gate)
    jobs.start("first", PROMPT, run="wf_1", index=1)
    jobs.session_of("first")
    again = jobs.start("second", PROMPT, run="wf_1", index=1).json()["data"]
    assert (again["how"], again["job"]) == ("joined", "first")
    gate.touch()
    done = jobs.wait("second")
    assert done == jobs.wait("first")
    assert block_of(done.out)["job"] == "first"  # A-J11: as its dir and report say
    assert len(client.calls) == 1


def test_a_role_that_ended_meanwhile_gives_its_block(jobs: Jobs, gate: Path) -> None:
    """REQ JWF-01, JWF-03, JWF-06: kept by run, index and prompt."""
    gate.touch()
    client = held(jobs, gate)
    jobs.start("first", PROMPT, run="wf_1", index=1)
    first = jobs.wait("first")
    memory = json.loads((jobs.state / "workflows" / "wf_1" / "1.json").read_text())
    assert list(memory["jobs"].values()) == ["first"]
    assert jobs.start("second", PROMPT, run="wf_1", index=1).json()["data"]["how"] == "ended"
    assert jobs.wait("second") == first
    assert len(client.calls) == 1


def test_cancel_reaches_a_role_by_its_new_id(jobs: Jobs, gate: Path) -> None:
    """REQ JCN-02, JCN-05."""
    client = held(jobs, gate)
    jobs.start("first", PROMPT, run="wf_1", index=1)
    jobs.session_of("first")
    jobs.start("second", PROMPT, run="wf_1", index=1)
    assert jobs.call("cancel", "second").code == 0
    assert block_of(jobs.wait("first").out)["state"] == "cancelled"
    assert len(client.calls) == 1


def test_a_lost_role_goes_on_under_its_first_id(jobs: Jobs, gate: Path) -> None:
    """REQ JWF-02, JWF-04: the client and the worker were killed."""
    client = held(jobs, gate)
    jobs.start("first", PROMPT, run="wf_1", index=1)
    jobs.session_of("first")
    kill(jobs.worker("first"))
    gate.touch()
    again = jobs.start("second", PROMPT, run="wf_1", index=1).json()["data"]
    assert (again["how"], again["job"]) == ("continued", "first")
    found = block_of(jobs.wait("second").out)
    assert (found["job"], found["dir"]) == ("first", str(jobs.folder("first")))
    assert len(client.calls) == 2


def test_other_places_runs_and_prompts_are_other_roles(jobs: Jobs, gate: Path) -> None:
    """REQ JWF-05: equal prompts are not mixed up, and an edited script that shifts an index is noticed."""
    gate.touch()
    client = held(jobs, gate)
    roles = [("a", PROMPT, "wf_1", 1), ("b", PROMPT, "wf_1", 2), ("c", PROMPT, "wf_2", 1)]
    roles.append(("d", PROMPT + "more", "wf_1", 1))
    for job, prompt, run, index in roles:
        assert jobs.start(job, prompt, run=run, index=index).json()["data"]["how"] == "started"
        assert block_of(jobs.wait(job).out)["job"] == job
    assert len(client.calls) == 4
    assert jobs.start("e", PROMPT, run="wf_1", index=1).json()["data"]["job"] == "a"


def test_twelve_starts_at_once(jobs: Jobs, gate: Path) -> None:
    """REQ JRN-04, field report 51: twelve records, twelve reports, no temporary file left."""
    gate.touch()
    client = held(jobs, gate)
    names = [f"job-{number}" for number in range(12)]
    starts = [
        jobs.spawn(
            "start", "--id", name, stdin=json.dumps({"prompt": f"{HEADER}{name}", "cwd": "/"}).encode()
        )
        for name in names
    ]
    for start in starts:
        start.communicate(timeout=60)
    assert [block_of(jobs.wait(name).out)["job"] for name in names] == names
    listed = jobs.call("list", "--json").json()["data"]["jobs"]
    assert sorted(job["job"] for job in listed) == sorted(names)
    assert {job["state"] for job in listed} == {"completed"}
    assert sorted(call["stdin"] for call in client.calls) == sorted(names)
    assert list(jobs.state.rglob("*.tmp")) == []


def test_one_job_is_started_once_by_many(jobs: Jobs, gate: Path) -> None:
    """REQ JRN-05: eight callers at the same moment."""
    client = held(jobs, gate)
    data = json.dumps({"prompt": PROMPT, "cwd": "/", "run": "wf_1", "index": 1}).encode()
    starts = [jobs.spawn("start", "--id", f"a{number}", stdin=data) for number in range(8)]
    for start in starts:
        start.communicate(timeout=60)
        assert start.returncode == 0
    gate.touch()
    assert len({jobs.wait(f"a{number}").out for number in range(8)}) == 1
    assert len(client.calls) == 1


def test_list_and_show(jobs: Jobs, gate: Path) -> None:
    """Field report 48: what runs, what ended, and what is lost, whatever the folder of the shell."""
    held(jobs, gate)
    jobs.start("runs", PROMPT)
    jobs.session_of("runs")
    jobs.start("lost", PROMPT)
    jobs.session_of("lost")
    kill(jobs.worker("lost"))
    jobs.start("refused", "x")
    states = {job["job"]: job["state"] for job in jobs.call("list", "--json").json()["data"]["jobs"]}
    assert states == {"runs": "running", "lost": "lost", "refused": "refused"}
    assert "runs running codex write" in jobs.call("show", "runs").out
    assert jobs.call("show", "refused").out == (jobs.folder("refused") / "block").read_text()
    damaged = jobs.folder("refused") / "job.json"
    damaged.write_text("{")
    assert f"{damaged} is damaged" in jobs.call("list").out
    for job in ("runs", "lost"):
        jobs.call("cancel", job)


def test_prune_keeps_what_runs(jobs: Jobs, gate: Path) -> None:
    """Field report 52: the oldest of all still runs and stays; other names and roles go with their job."""
    held(jobs, gate)
    jobs.start("runs", PROMPT)
    jobs.session_of("runs")
    for number in range(4):
        jobs.start(f"old-{number}", f"not a header {number}", run=f"wf_{number}", index=1)
        wait_for(lambda number=number: (jobs.folder(f"old-{number}") / "block").exists())
        record = jobs.folder(f"old-{number}") / "job.json"
        record.write_text(record.read_text().replace('"created": "20', f'"created": "202{number}-'))
    jobs.start("again", "not a header 0", run="wf_0", index=1)
    done = jobs.call("prune", "--keep", "2", "--json")
    assert done.json()["data"]["deleted"] == ["old-1", "old-0"]
    assert sorted(path.name for path in (jobs.state / "jobs").iterdir()) == ["old-2", "old-3", "runs"]
    assert sorted(path.name for path in (jobs.state / "workflows").iterdir()) == ["wf_2", "wf_3"]
    gate.touch()
    assert block_of(jobs.wait("runs").out)["state"] == "completed"


def test_progress_is_for_a_terminal_only(jobs: Jobs, gate: Path) -> None:
    """Seed: a person who watches sees that it goes on; a script gets nothing but the answer."""
    held(jobs, gate, *CODEX.command("ok", 0))
    running = jobs.spawn("run", "--id", "a", stdin=PROMPT.encode())
    jobs.session_of("a")
    gate.touch()
    _, err = running.communicate(timeout=60)
    assert err == b""


def test_progress_on_a_terminal(jobs: Jobs, gate: Path) -> None:
    pty = pytest.importorskip("pty", reason="a terminal is a thing of Unix")
    held(jobs, gate, *CODEX.command("ok", 0))
    leader, follower = pty.openpty()
    from support.runtime_package import package_of

    relay = package_of(jobs.world, "claude") / "runtime" / "relay.py"
    header = jobs.world.root / "header"
    header.write_text(PROMPT)
    running = subprocess.Popen(
        ["python3", "-I", str(relay), "job", "run", "--id", "a", "--file", str(header)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=follower,
        cwd=jobs.repo,
        env=jobs.world.environ(),
        start_new_session=True,
    )
    os.close(follower)
    seen = os.read(leader, 4096)
    gate.touch()
    running.communicate(timeout=60)
    os.close(leader)
    assert b"[RELAY-JOB] a command completed (exit 0); events: 3" in seen
