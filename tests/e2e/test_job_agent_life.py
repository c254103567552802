"""What happens to a running job: messages, stops, a hot reload of the code hook, the client's sudden end."""

import json
import os
import re
import signal
from contextlib import suppress
from pathlib import Path
from threading import Event

import pytest

from knowzcode_relay.rehearsal.request import Request
from knowzcode_relay.rehearsal.script import Step, Text, ToolCall
from support.fake_client import FakeClient
from support.job_host import FLOOR, NEWEST, JobHost, agent, agent_id, workflow
from support.jobs import HEADER, block_of
from support.waiting import wait_for
from support.world import World

pytestmark = pytest.mark.client("claude")
TASK = f"{HEADER}Do it."
ONE_ROLE = f"return await job({json.dumps(TASK)})"
CANCELLED = "It was cancelled."


@pytest.fixture(params=[FLOOR, NEWEST])
def host(request: pytest.FixtureRequest, world: World) -> JobHost:
    return JobHost(world, request.param)


@pytest.fixture
def codex(host: JobHost) -> FakeClient:
    """It reports at once, from its second call on not before the file `gate` exists."""
    gate, first = host.world.root / "gate", host.world.root / "first"
    wait = f"while [ ! -e '{gate}' ]; do sleep 0.05; done"
    return host.codex(["run", f"if [ -e '{first}' ]; then {wait}; fi; touch '{first}'"])


def start_slow(host: JobHost) -> None:
    """Let the first call wait too."""
    (host.world.root / "first").touch()


def running(host: JobHost, codex: FakeClient, calls: int = 1) -> str:
    """Wait until that many jobs have been with Codex, and give the id of the one that still is."""
    wait_for(lambda: len(codex.calls) == calls, what=f"{calls} calls of codex")
    jobs = [path for path in (host.jobs.state / "jobs").iterdir() if (path / "job.json").exists()]
    (name,) = [path.name for path in jobs if not (path / "block").exists()]
    return name


def send(to: str, text: str) -> ToolCall:
    return ToolCall("SendMessage", {"to": to, "message": text, "summary": "a word to the job"})


def gone(codex: FakeClient) -> bool:
    return not Path(f"/proc/{codex.calls[0]['pid']}").exists()


@pytest.mark.parametrize("by", ["name", "id"])
def test_cancel_and_no_other_word(host: JobHost, codex: FakeClient, by: str) -> None:
    """REQ JCN-01, JCN-03, JCN-04: another word is refused with the reason and the job goes on."""
    start_slow(host)

    def other(request: Request) -> Step:
        running(host, codex)
        return send(agent_id(request), "please cancel")

    played = host.play(
        agent(TASK, background=True, name="worker"),
        other,
        lambda request: send("worker" if by == "name" else agent_id(request), "cancel"),
        Text("wait"),
        Text("bye"),
    )

    refused, cancelled = (request.last_result for request in played.main[2:4])
    assert "takes no message but" in refused
    assert f"{agent_id(played.main[1])} cancelled" in cancelled
    told = block_of(played.notices[0]["summary"])
    assert (told["state"], told["error"]) == ("cancelled", CANCELLED)
    assert gone(codex)
    assert (len(codex.calls), played.agent) == (1, ())


def test_cancel_of_a_workflows_job(host: JobHost, codex: FakeClient) -> None:
    """REQ JCN-01, JCN-05: by id; the script gets the block, and no second copy starts."""
    start_slow(host)

    played = host.play(
        workflow(ONE_ROLE), lambda _: send(running(host, codex), " cancel\n"), Text("wait"), Text("bye")
    )

    told = block_of(played.values[0])
    assert (told["state"], told["error"]) == ("cancelled", CANCELLED)
    assert gone(codex)
    assert (len(codex.calls), played.agent) == (1, ())


@pytest.mark.parametrize("how", ["agent-by-name", "agent-by-id", "workflow-by-id"])
def test_cancel_after_a_hot_reload_of_the_code_hook(host: JobHost, codex: FakeClient, how: str) -> None:
    """REQ JCN-02, JRL-02: the job runs on over the reload, and the new copy knows whose message it is."""
    start_slow(host)
    log, module = host.world.root / "debug", host.plugin / "hooks/register.js"
    loaded = f"grep -c 'module cc-agents@inline loaded' '{log}'"
    job: list[str] = []

    def change(_: Request) -> Step:
        job.append(running(host, codex))
        module.write_text(module.read_text() + "// changed\n")
        command = f'until [ "$({loaded})" -ge 2 ]; do sleep 0.1; done'
        return ToolCall("Bash", {"command": command, "description": "wait", "run_in_background": True})

    def cancel(_: Request) -> Step:
        return send("worker" if how == "agent-by-name" else job[0], "cancel")

    in_workflow = how == "workflow-by-id"
    first = workflow(ONE_ROLE) if in_workflow else agent(TASK, background=True, name="worker")
    lines = [
        {"type": "user", "message": {"role": "user", "content": text}} for text in ("go", "/reload-plugins")
    ]
    played = host.play(
        first,
        change,
        Text("reload now"),
        cancel,
        Text("wait"),
        Text("bye"),
        words=("--debug-file", log, "--input-format", "stream-json"),
        stdin="".join(f"{json.dumps(line)}\n" for line in lines),
    )

    assert log.read_text().count("module cc-agents@inline loaded") == 2
    told = block_of((host.jobs.folder(job[0]) / "block").read_text())
    assert (told["state"], told["error"]) == ("cancelled", CANCELLED)
    given = played.values[0] if in_workflow else played.notices[-1]["summary"]
    assert block_of(given) == told
    assert (len(codex.calls), played.agent) == (1, ())


def test_stopping_the_agent_cancels_its_job(host: JobHost, codex: FakeClient) -> None:
    """REQ JCN-03: the client's own stop, not a message."""
    start_slow(host)

    def stop(request: Request) -> Step:
        running(host, codex)
        return ToolCall("TaskStop", {"task_id": agent_id(request)})

    def ended(request: Request) -> Step:
        block = host.jobs.folder(agent_id(request)) / "block"
        wait_for(block.exists, what="the end of the job")
        return Text("bye")

    played = host.play(agent(TASK, background=True), stop, ended, Text("bye"))

    told = block_of((host.jobs.folder(agent_id(played.main[1])) / "block").read_text())
    assert told["state"] == "cancelled"
    assert gone(codex)
    assert played.agent == ()


def test_a_resumed_workflow_after_sigkill_runs_nothing_twice(host: JobHost, codex: FakeClient) -> None:
    """REQ JWF-01, JWF-03, JWF-04, JWF-05, JWF-06, JRL-01: equal prompts; the finished role is untouched,
    the unfinished one joined.
    """
    script = f"return [await job({json.dumps(TASK)}), await job({json.dumps(TASK)})]"
    kill = Event()

    def killed(_: Request) -> Step:
        running(host, codex, calls=2)
        kill.set()
        return Text("never heard")

    before = host.play(workflow(script), killed, kill=kill)
    run = re.findall(r"Run ID: (\S+)", before.main[-1].last_result)[0]
    second = running(host, codex, calls=2)

    def go_on(_: Request) -> Step:
        (host.world.root / "gate").touch()
        return Text("wait")

    after = host.play(
        workflow(script, resumeFromRunId=run), go_on, Text("bye"), words=("--resume", before.session)
    )

    (values,) = after.values
    jobs = [block_of(value)["job"] for value in values]
    assert jobs[1] == second != jobs[0]
    assert values == [(host.jobs.folder(job) / "block").read_text() for job in jobs]
    assert [block_of(value)["state"] for value in values] == ["completed", "completed"]
    assert len(codex.calls) == 2
    assert (before.agent, after.agent) == ((), ())
    places = sorted(path.name for path in (host.jobs.state / "workflows" / run).glob("[0-9]*.json"))
    assert places == ["1.json", "2.json"]


def test_a_terminated_client_takes_no_broken_answer_along(host: JobHost, codex: FakeClient) -> None:
    """REQ JWF-04, JWF-06: SIGTERM reaches the waiting child too; a resumed run gets the job's own end."""
    start_slow(host)

    def terminated(_: Request) -> Step:
        job = running(host, codex)
        wait_for(lambda: waiting(job), what="the process that waits")
        os.killpg(os.getpgid(waiting(job)[0]), signal.SIGTERM)
        return Text("never heard")

    before = host.play(workflow(ONE_ROLE), terminated)
    run = re.findall(r"Run ID: (\S+)", before.main[-1].last_result)[0]
    job = running(host, codex)

    def go_on(_: Request) -> Step:
        (host.world.root / "gate").touch()
        return Text("wait")

    after = host.play(
        workflow(ONE_ROLE, resumeFromRunId=run), go_on, Text("bye"), words=("--resume", before.session)
    )

    assert after.values == [(host.jobs.folder(job) / "block").read_text()]
    assert block_of(after.values[0])["state"] == "completed"
    assert (len(codex.calls), after.agent) == (1, ())


def test_a_killed_wait_is_begun_again(world: World) -> None:
    """REQ JRN-07, JBL-09: whoever ends the process that waits, the job's own answer comes back."""
    host = JobHost(world, NEWEST)
    gate = world.root / "gate"
    codex = host.codex(["await", str(gate)])

    def kill(_: Request) -> Step:
        job = running(host, codex)
        wait_for(lambda: waiting(job), what="the process that waits")
        os.kill(waiting(job)[0], signal.SIGKILL)
        gate.touch()
        return Text("wait")

    played = host.play(agent(TASK, background=True), kill, Text("bye"))

    assert block_of(played.notices[0]["summary"])["state"] == "completed"
    assert (len(codex.calls), played.agent) == (1, ())


def waiting(job: str) -> list[int]:
    """The processes that wait for a job."""
    found: list[int] = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if path.read_bytes().endswith(f"job\0wait\0{job}\0".encode()):
                found.append(int(path.parent.name))
    return found


def test_a_message_to_a_job_that_ended_gets_its_answer_again(host: JobHost, codex: FakeClient) -> None:
    """REQ JRL-01, JCN-04: no second run of the harness."""
    played = host.play(
        agent(TASK, background=True),
        Text("wait"),
        lambda request: send(agent_id(request), "and now?"),
        Text("wait"),
        Text("bye"),
    )

    first, again = (block_of(notice["summary"]) for notice in played.notices)
    assert first == again
    assert (len(codex.calls), played.agent) == (1, ())
