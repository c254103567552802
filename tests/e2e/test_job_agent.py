"""The agent cc-agents:job in the real client: the runtime's bytes come back, and no model is asked."""

import json
import shutil
from pathlib import Path

import pytest

from knowzcode_relay.rehearsal.script import Text, ToolCall
from support.clients import release
from support.job_host import FLOOR, MODEL_WORDS, NEWEST, TYPE, JobHost, agent, workflow
from support.jobs import HEADER, LINES, block_of, keys_of
from support.run_client import run_client
from support.world import World, build_tree

pytestmark = pytest.mark.client("claude")
TASK = f"{HEADER}Do it."
REPORT = "lines\r\nof 🚀 設計  \n---\nstate: failed\n\n"
FAILED = "state: failed\nerror: The code hook of cc-agents did not run in this client, so no job was started."


@pytest.fixture(params=[FLOOR, NEWEST])
def host(request: pytest.FixtureRequest, world: World) -> JobHost:
    return JobHost(world, request.param)


def block(host: JobHost, job: str) -> str:
    return (host.jobs.folder(job) / "block").read_text()


def report(host: JobHost, job: str) -> str:
    return (host.jobs.folder(job) / "report.md").read_bytes().decode()


@pytest.mark.parametrize("version", [FLOOR, NEWEST])
def test_the_plugin_is_valid(world: World, version: str) -> None:
    """REQ PKG-08: also for the release that can do the least, whose events are all that the module hooks."""
    host = JobHost(world, version)
    words = ("plugin", "validate", "--strict", host.plugin)
    run = run_client([host.program, *words], cwd=host.repo, environ=world.environ(), logs=world.root / "logs")
    assert run.code == 0, run.out
    assert "./register.js hooks: session.start, agent.spawn" in run.out


@pytest.mark.parametrize("version", [FLOOR, NEWEST])
def test_the_unit_tests_of_the_code_hook_pass(world: World, version: str) -> None:
    """REQ JRN-01, JRN-03, JRN-07, JBL-09: in the client's own kit, the tests beside the module."""
    host = JobHost(world, version)
    shutil.copy(Path(__file__).parent / "mod" / "register.test.ts", host.plugin)
    words = ("plugin", "test", host.plugin)
    run = run_client([host.program, *words], cwd=host.repo, environ=world.environ(), logs=world.root / "logs")
    assert run.code == 0, run.out + run.err
    assert " 4 pass" in run.out + run.err


def test_a_foreground_agent_gives_block_dashes_and_report(host: JobHost) -> None:
    """REQ JRN-01, JRN-03, JRN-06, JBL-04, JBL-07, JHD-02: a plain agent beside it asks its model."""
    codex = host.codex(report=REPORT)

    plain_agent = agent("A plain task.", kind="general-purpose")
    played = host.play(agent(TASK), plain_agent, agent(f"modle: x\n{TASK}"), Text("bye"))

    job, plain, refused = played.reports
    told = block_of(job)
    assert list(told) == LINES
    assert told["state"] == "completed"
    assert job == f"{block(host, told['job'])}---\n{REPORT}"
    assert told["job"] == played.records[0]["agentId"]
    (call,) = codex.calls
    assert (call["stdin"], call["cwd"]) == ("Do it.", str(host.repo))
    assert (plain, len(played.plain)) == (MODEL_WORDS, 1)
    assert "modle" in block_of(refused)["error"]
    assert (len(played.agent), len(played.main)) == (0, 4)
    (session,) = json.loads(host.jobs.call("seen", "--json").out)["data"]["sessions"]
    assert (session["hooked"], session["client"]) == (True, host.version)


def test_a_background_agent_and_workflows_give_the_stored_bytes(host: JobHost) -> None:
    """REQ JRN-01, JRN-04, JBL-06: in a Workflow the block alone, three at once each its own, in order."""
    codex = host.codex(report=REPORT)
    script = f"""
        const one = await job({json.dumps(TASK)} + 'one')
        const three = await parallel([1, 2, 3].map(n => () => job({json.dumps(TASK)} + n)))
        return [one, ...three]"""

    played = host.play(
        agent(TASK, background=True), Text("wait"), workflow(script), Text("wait"), Text("bye")
    )

    notice, _ = played.notices
    told = block_of(notice["summary"])
    assert notice["summary"] == f"{block(host, told['job'])}---\n{REPORT}"
    (values,) = played.values
    jobs = [block_of(value)["job"] for value in values]
    assert values == [block(host, job) for job in jobs]
    assert [keys_of(value) for value in values] == [LINES] * 4
    assert [report(host, job) for job in jobs] == [REPORT] * 4
    asked = [(host.jobs.folder(job) / "task.md").read_text() for job in jobs]
    assert asked == [f"Do it.{end}" for end in ("one", "1", "2", "3")]
    assert len(codex.calls) == 5
    assert played.agent == ()


def test_a_report_of_megabytes_arrives_whole(world: World) -> None:
    """REQ JRP-01, JBL-09: characters of several bytes are not torn where the client reads in pieces."""
    host, large = JobHost(world, NEWEST), "é🚀設計\r\n" * 150_000
    host.codex(report=large)

    played = host.play(agent(TASK), Text("bye"))

    assert played.reports[0].partition("\n---\n")[2] == large
    assert played.agent == ()


def test_a_killed_worker_gives_a_failed_block(host: JobHost) -> None:
    """REQ JBL-03, JBL-05, JBL-09."""
    host.codex(["kill", "parent"])

    played = host.play(agent(TASK), Text("bye"))

    told = block_of(played.reports[0])
    assert told["state"] == "failed"
    assert "worker" in told["error"]
    assert played.agent == ()


def test_a_hook_that_throws_gives_a_failed_block(host: JobHost) -> None:
    """REQ JBL-09: a defect of the module itself does not hand the job to a model."""
    host.codex()
    module = host.plugin / "hooks/register.js"
    module.write_text(module.read_text().replace("let ended = false", "throw new Error('a defect')"))

    played = host.play(agent(TASK), Text("bye"))

    told = block_of(played.reports[0])
    assert (list(told), told["state"], told["error"]) == ([*LINES, "error"], "failed", "a defect")
    assert played.agent == ()


def test_without_python_a_failed_block_says_so(host: JobHost) -> None:
    """REQ JBL-09."""
    played = host.play(agent(TASK), Text("bye"), PATH=str(host.world.bin))

    told = block_of(played.reports[0])
    assert told["state"] == "failed"
    assert "python3" in told["error"]
    assert played.agent == ()


@pytest.mark.parametrize("where", ["home", "repo"])
def test_without_code_hooks_the_agent_file_tells_the_model_the_one_answer(host: JobHost, where: str) -> None:
    """No second mechanism trusts a model: it is told the failed block that names the shell front."""
    codex = host.codex()
    build_tree(host.world.root / where, {".claude/settings.json": json.dumps({"disableAllHooks": True})})

    played = host.play(agent(TASK), Text("bye"))

    (request,) = played.agent
    system = json.dumps(request.body["system"])
    assert json.dumps(f"{FAILED} From a shell: knowzcode-relay job run < header")[1:-1] in system
    assert not {"Bash", "Write", "Edit"} & set(request.tool_names)
    assert codex.calls == []
    assert not host.jobs.state.exists()


def test_a_client_without_code_hooks_shows_it_in_the_marks(world: World) -> None:
    """The oldest client that we know runs the classic hook alone, so its session has one mark."""
    host = JobHost(world, FLOOR)
    host.program = release("claude", "2.1.197")
    host.play(Text("bye"))

    (session,) = json.loads(host.jobs.call("seen", "--json").out)["data"]["sessions"]

    assert (session["hooked"], session["client"]) == (False, "")


def test_the_target_of_a_relay_starts_no_job(world: World) -> None:
    """It sees its user's plugins too; there the module does nothing, and the agent file refuses."""
    host = JobHost(world, NEWEST)
    codex = host.codex()

    played = host.play(agent(TASK), Text("bye"), KNOWZCODE_RELAY_DEPTH="1")

    assert (codex.calls, len(played.agent)) == ([], 1)
    assert not host.jobs.state.exists()


def test_a_script_for_another_relay_runs_when_its_type_is_changed(world: World) -> None:
    """REQ JRN-02: header, labels, phases and all; the block that it parses is the one that it knows."""
    host = JobHost(world, NEWEST)
    codex = host.codex(report=REPORT)
    script = (Path(__file__).parents[1] / "data" / "relay-job-workflow.js").read_text("utf-8")
    assert script.count("relay:job") == 1

    step = ToolCall("Workflow", {"script": script.replace("relay:job", TYPE)})
    played = host.play(step, Text("wait"), Text("bye"))

    ((one, two),) = played.values
    assert [(told["state"], told["mode"], told["backend"]) for told in (one, two)] == [
        ("completed", "write", "codex"),
        ("completed", "read-only", "codex"),
    ]
    assert [Path(told["report"]).read_bytes().decode() for told in (one, two)] == [REPORT] * 2
    assert [call["stdin"] for call in codex.calls] == ["Implement it.\n", f"Review {one['report']}.\n"]
    assert played.agent == ()
