"""Jobs on the real clients, with a scripted model: what a job may do, and how it goes on after a crash."""

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from knowzcode_relay.rehearsal import endpoints
from knowzcode_relay.rehearsal.model_server import ModelServer
from knowzcode_relay.rehearsal.request import Request
from knowzcode_relay.rehearsal.script import Hang, Step, Text, ToolCall
from relay_runtime.attempts.process import identify
from support.clients import client
from support.jobs import Jobs, block_of
from support.waiting import wait_for
from support.world import World

REPORT = "All done.\n\n- one\n"
PROVIDERS = {"kimi": "kimi-code-plan-global", "grok": "xai", "zcode": "zai-coding-plan"}


@pytest.fixture
def jobs(world: World) -> Iterator[Jobs]:
    """Where a job may write: the repository, `extra` by header, `own` by the user's own settings."""
    for name in ("extra", "own", "elsewhere"):
        (world.root / name).mkdir()
    found = Jobs(World(world.root, {"OPENAI_API_KEY": "scripted"}))
    yield found
    found.end_all()


def install(jobs: Jobs, name: str, server: ModelServer) -> None:
    """The real client on PATH, pointed at the scripted model by the user's own configuration."""
    (jobs.world.bin / name).symlink_to(client(name))
    if name == "codex":
        config = (
            'model_provider = "scripted"\nmodel = "m"\n'
            f'[model_providers.scripted]\nname = "scripted"\nbase_url = "{server.url}/v1"\n'
            'wire_api = "responses"\nenv_key = "OPENAI_API_KEY"\nrequest_max_retries = 1\n'
            "[sandbox_workspace_write]\nexclude_slash_tmp = true\n"
            f'writable_roots = ["{jobs.world.root}/own"]\n'
        )
        (jobs.world.home / ".codex" / "config.toml").write_text(config)
        return
    scripted = json.loads(endpoints.opencode(server.url).environ["OPENCODE_CONFIG_CONTENT"])
    provider = scripted["provider"]["scripted"]
    models = {name: {} for name in ("kimi-for-coding", "grok-4.7", "glm-5.3")}
    config = {
        "provider": {one: {**provider, "models": models} for one in PROVIDERS.values()},
        "autoupdate": False,
        "share": "disabled",
    }
    folder = jobs.world.home / ".config" / "opencode"
    folder.mkdir(parents=True)
    (folder / "opencode.json").write_text(json.dumps(config))


def touches(jobs: Jobs, name: str) -> str:
    """A command that tries to write everywhere."""
    folders = [jobs.repo, *(jobs.world.root / folder for folder in ("extra", "own", "elsewhere"))]
    return "; ".join(f"touch '{folder}/{name}'" for folder in folders) + "; true"


def touched(jobs: Jobs, name: str) -> set[str]:
    folders = {"repo": jobs.repo, **{one: jobs.world.root / one for one in ("extra", "own", "elsewhere")}}
    return {one for one, folder in folders.items() if (folder / name).exists()}


@pytest.mark.client("codex")
@pytest.mark.parametrize(
    ("header", "written"),
    [
        ("mode: read-only", set[str]()),
        ("mode: write", {"repo", "own"}),
        ("mode: write\nadd-dir: {extra}", {"repo", "own", "extra"}),
        ("mode: yolo", {"repo", "own", "extra", "elsewhere"}),
    ],
)
def test_where_a_job_of_codex_can_write(jobs: Jobs, header: str, written: set[str]) -> None:
    """REQ JHD-10, JHD-13, JHD-14: add-dir joins the user's own folders, and yolo is all of it."""
    call = ToolCall("exec_command", {"cmd": touches(jobs, "t")})
    with ModelServer([call, Text(REPORT)]) as server:
        install(jobs, "codex", server)
        done = jobs.run(header.format(extra=jobs.world.root / "extra") + "\n---\nTouch them.\n", "--id", "a")
    assert (done.code, block_of(done.out)["state"]) == (0, "completed"), done.out
    assert touched(jobs, "t") == written
    assert (jobs.folder("a") / "report.md").read_text() == REPORT  # REQ JRP-01
    assert any("Touch them." in prompt for prompt in server.requests[0].prompts)


@pytest.mark.client("codex")
@pytest.mark.parametrize(
    ("header", "answered"), [("", False), ("network: on\n", True), ("network: off\n", False)]
)
def test_the_network_of_a_job_of_codex(jobs: Jobs, header: str, answered: bool) -> None:
    """REQ JHD-13, field report 90."""

    def script(request: Request) -> Step:
        if request.number > 1:
            return Text(REPORT)
        return ToolCall(
            "exec_command", {"cmd": f"curl -s -m 5 {server.url}/v1/models > '{jobs.repo}/answer'; true"}
        )

    server = ModelServer(script)
    with server:
        install(jobs, "codex", server)
        done = jobs.run(f"{header}mode: write\n---\nAsk.\n")
    assert done.code == 0, done.out
    assert ("data" in (jobs.repo / "answer").read_text()) is answered


@pytest.mark.client("codex")
def test_a_killed_job_of_codex_goes_on_in_its_thread(jobs: Jobs) -> None:
    """REQ JWF-02, JWF-04, JHD-14: the same thread, a new turn, the same folders."""
    header = f"mode: write\nadd-dir: {jobs.world.root / 'extra'}\n---\nTouch them.\n"
    script: list[Step] = [
        ToolCall("exec_command", {"cmd": touches(jobs, "first")}),
        Hang(),
        ToolCall("exec_command", {"cmd": touches(jobs, "second")}),
        Text(REPORT),
    ]
    with ModelServer(script) as server:
        install(jobs, "codex", server)
        jobs.start("a", header, run="wf_1", index=1)
        wait_for(lambda: len(server.requests) == 2, 60, "the second request")
        thread = jobs.session_of("a")
        worker = jobs.worker("a")
        os.kill(worker, signal.SIGKILL)
        wait_for(lambda: identify(worker) is None)
        jobs.start("b", header, run="wf_1", index=1)
        found = block_of(jobs.wait("b").out)
    assert (found["state"], found["automatic-resume"]) == ("completed", f"continued thread {thread}")
    assert touched(jobs, "first") == touched(jobs, "second") == {"repo", "own", "extra"}
    prompts = server.requests[-1].prompts
    assert sum("Touch them." in prompt for prompt in prompts) == 2  # both turns are in one thread


@pytest.mark.client("opencode")
@pytest.mark.parametrize("backend", sorted(PROVIDERS))
def test_backends_on_opencode(jobs: Jobs, backend: str) -> None:
    """REQ JHD-06: under the provider that serves them, and the answer byte for byte."""
    call = ToolCall("bash", {"command": "echo hi > made.txt", "description": "make it"})
    with ModelServer([call, Text(REPORT)]) as server:
        install(jobs, "opencode", server)
        done = jobs.run(f"backend: {backend}\nmode: write\n---\nMake it.\n", "--id", "a")
    found = block_of(done.out)
    assert (done.code, found["state"]) == (0, "completed"), done.out
    provider, _, model = found["model"].partition("/")
    assert (provider, server.requests[0].model) == (PROVIDERS[backend], model)
    assert (jobs.repo / "made.txt").read_text() == "hi\n"
    assert (jobs.folder("a") / "report.md").read_text() == REPORT


@pytest.mark.client("opencode")
def test_what_a_job_of_opencode_may_do(jobs: Jobs) -> None:
    """REQ JHD-13's like: reading writes nothing, writing reaches add-dir and no other folder by its tools.

    A project's own rules do not widen it, and neither do its agents.
    """
    rules = {"*": "allow", "edit": "allow", "bash": "allow"}
    agents = {name: {"permission": rules} for name in ("build", "general")}
    project = {"permission": rules, "agent": agents}
    (jobs.repo / "opencode.json").write_text(json.dumps(project))
    folders = {"repo": jobs.repo, **{one: jobs.world.root / one for one in ("extra", "elsewhere")}}
    for name, header, expected in (
        ("r", "mode: read-only", set[str]()),
        ("w", f"mode: write\nadd-dir: {folders['extra']}", {"repo", "extra"}),
    ):
        writes = [
            ToolCall("write", {"filePath": str(folder / name), "content": "x"}) for folder in folders.values()
        ]
        shell = ToolCall("bash", {"command": f"touch {name}-shell", "description": "touch it"})
        with ModelServer([*writes, shell, Text(REPORT)]) as server:
            if not (jobs.world.bin / "opencode").exists():
                install(jobs, "opencode", server)
            else:
                repoint(jobs, server)
            done = jobs.run(f"backend: kimi\n{header}\n---\nWrite.\n")
        assert done.code == 0, done.out
        assert {one for one, folder in folders.items() if (folder / name).exists()} == expected
        assert (jobs.repo / f"{name}-shell").exists() is bool(expected)


@pytest.mark.client("opencode")
def test_the_users_own_refusals_stay(jobs: Jobs) -> None:
    """A question in the user's rules would end the run; what they refuse in particular stays refused."""
    shell = [
        ToolCall("bash", {"command": f"touch {name}", "description": "x"}) for name in ("made", "secret")
    ]
    with ModelServer([*shell, Text(REPORT)]) as server:
        install(jobs, "opencode", server)
        path = jobs.world.home / ".config" / "opencode" / "opencode.json"
        rules = {"edit": "ask", "bash": {"*": "ask", "touch secret": "deny"}}
        path.write_text(json.dumps({**json.loads(path.read_text()), "permission": rules}))
        done = jobs.run("backend: kimi\nmode: write\n---\nTouch them.\n")
    assert done.code == 0, done.out
    assert ((jobs.repo / "made").exists(), (jobs.repo / "secret").exists()) == (True, False)


@pytest.mark.client("opencode")
def test_an_empty_answer_of_opencode_is_a_failure(jobs: Jobs) -> None:
    """Field report 26: it ends with status 0."""
    with ModelServer([Text("")]) as server:
        install(jobs, "opencode", server)
        done = jobs.run("backend: grok\nmode: write\n---\nSay it.\n", "--id", "a")
    assert (done.code, block_of(done.out)["state"]) == (1, "failed")
    assert "no answer" in (jobs.folder("a") / "report.md").read_text()


@pytest.mark.client("opencode")
def test_a_killed_job_of_opencode_goes_on_in_its_session(jobs: Jobs) -> None:
    """REQ JWF-02's like."""
    call = ToolCall("bash", {"command": "echo hi > made.txt", "description": "make it"})
    with ModelServer([call, Hang(), Text(REPORT)]) as server:
        install(jobs, "opencode", server)
        prompt = "backend: zcode\nmode: write\n---\nMake it.\n"
        jobs.start("a", prompt)
        wait_for(lambda: len(server.requests) == 2, 60, "the second request")
        session = jobs.session_of("a")
        os.kill(jobs.worker("a"), signal.SIGKILL)
        wait_for(lambda: identify(jobs.worker("a")) is None)
        jobs.start("a", prompt)
        found = block_of(jobs.wait("a").out)
    assert (found["state"], found["automatic-resume"]) == ("completed", f"continued thread {session}")
    assert sum("Make it." in prompt for prompt in server.requests[-1].prompts) == 2


def repoint(jobs: Jobs, server: ModelServer) -> None:
    """Let the installed configuration name another server."""
    path: Path = jobs.world.home / ".config" / "opencode" / "opencode.json"
    config = json.loads(path.read_text())
    for provider in config["provider"].values():
        provider["options"]["baseURL"] = f"{server.url}/v1"
    path.write_text(json.dumps(config))
