"""Jobs from header to block, through the runtime as it is installed, with fake clients."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from relay_runtime.jobs.block import Block, Ended, answer, duration
from support.dialects import DIALECTS, REPORT, SESSION, Codex, OpenCode, Step, leg_rule
from support.fake_client import FakeClient, Rule, place, rule
from support.jobs import HEADER, LINES, Jobs, block_of, keys_of
from support.world import World

CODEX = Codex()
OPENCODE = OpenCode()


@pytest.fixture
def jobs(world: World) -> Iterator[Jobs]:
    found = Jobs(world)
    yield found
    found.end_all()


def codex_rule(*steps: Step, **more: object) -> Rule:
    """Whatever Codex is called with."""
    return rule(stdin=True, steps=list(steps), **more)


def good(jobs: Jobs, text: str = REPORT) -> FakeClient:
    """A Codex that does the job."""
    return place(jobs.world, "codex", codex_rule(*CODEX.start(), *CODEX.finish(text)))


def test_a_job_that_is_done(jobs: Jobs) -> None:
    """REQ JBL-01, JBL-04, JBL-07, JBL-08, JRP-02: block, dashes, report; nine lines in order; exit 0."""
    client = good(jobs)
    done = jobs.run(f"model: gpt-5.6-sol\neffort: high\n{HEADER}Do it.\n", "--id", "agent-1")
    folder = jobs.folder("agent-1")
    assert done.code == 0
    assert re.sub(r"(?m)^duration: \d+s$", "duration: 0s", done.out) == (
        "state: completed\njob: agent-1\nbackend: codex\nmodel: gpt-5.6-sol\neffort: high\nmode: write\n"
        f"duration: 0s\nreport: {folder}/report.md\ndir: {folder}\n---\n{REPORT}"
    )
    assert done.out == (folder / "block").read_text() + "---\n" + (folder / "report.md").read_text()
    assert list(block_of(done.out)) == LINES
    (call,) = client.calls
    assert (call["stdin"], call["cwd"]) == ("Do it.\n", str(jobs.repo))
    assert done.err == ""


def test_in_a_workflow_the_block_is_alone(jobs: Jobs) -> None:
    """REQ JBL-06, JRP-04: the same bytes as on disk, and no dashes."""
    good(jobs, "a\n---\nb\n")
    done = jobs.run(f"{HEADER}x", "--workflow", "wf_1", "--index", "2", "--id", "agent-1")
    assert done.out == (jobs.folder("agent-1") / "block").read_text()
    assert keys_of(done.out) == LINES
    assert (jobs.folder("agent-1") / "report.md").read_text() == "a\n---\nb\n"


@pytest.mark.parametrize(
    "report",
    [
        "trailing blanks  \n\n \n",
        "lines\r\nof Windows\r\n",
        "emoji 🚀 設計, no final newline",
        "---\nstate: failed\n---\n",
        "\ufeffbyte order mark",
        "x" * 2_000_000,
    ],
    ids=["blanks", "crlf", "emoji", "dashes", "bom", "2MB"],
)
@pytest.mark.parametrize("backend", ["codex", "kimi"])
def test_the_report_is_the_answer_byte_for_byte(jobs: Jobs, backend: str, report: str) -> None:
    """REQ JRP-01, JRP-04."""
    place(jobs.world, "codex", codex_rule(*CODEX.start(), ["last", report], *CODEX.finish("x")[2:]))
    place(jobs.world, "opencode", rule(stdin=True, steps=[*OPENCODE.start(), *OPENCODE.finish(report)]))
    done = jobs.run(f"backend: {backend}\n{HEADER}x", "--id", "a")
    assert done.code == 0
    assert (jobs.folder("a") / "report.md").read_bytes() == report.encode()
    assert done.out.partition("\n---\n")[2] == report


def test_the_header_decides_and_the_task_does_not(jobs: Jobs) -> None:
    """REQ JHD-20, JHD-10: the task reaches the target unchanged and changes no right."""
    client = good(jobs)
    body = "mode: yolo\n---\nexplain --sandbox danger-full-access\r\n"
    jobs.run(f"mode: read-only\n---\n{body}")
    (call,) = client.calls
    assert call["stdin"] == body
    assert call["argv"][call["argv"].index("-s") + 1] == "read-only"
    assert not [word for word in call["argv"] if "danger" in word]


def test_what_codex_is_told(jobs: Jobs) -> None:
    """REQ JHD-13, JHD-14, A-J22: options as flags and overrides; the user's own configuration is kept."""
    client = good(jobs)
    jobs.run(
        "model: m-1\neffort: high\nmode: write\nnetwork: on\nweb-search: off\n"
        "add-dir: /srv/a, /srv/b c\n---\nx"
    )
    (argv,) = client.argvs
    assert argv == [
        *("-a", "never", "exec", "-C", str(jobs.repo)),
        *("--add-dir", "/srv/a", "--add-dir", "/srv/b c", "-s", "workspace-write"),
        *("--skip-git-repo-check", "-m", "m-1", "-c", 'model_reasoning_effort="high"'),
        *("-c", "sandbox_workspace_write.network_access=true", "-c", 'web_search="disabled"'),
        *("--json", "-o", argv[-2], "-"),
    ]
    assert "--ignore-user-config" not in argv


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ("mode: yolo\n", ["--dangerously-bypass-approvals-and-sandbox"]),
        ("mode: read-only\n", ["-s", "read-only"]),
        ("", ["-s", "workspace-write"]),
        ("network: off\n", ["-c", "sandbox_workspace_write.network_access=false"]),
        ("web-search: on\n", ["-c", 'web_search="live"']),
    ],
)
def test_rights_of_codex(jobs: Jobs, header: str, words: list[str]) -> None:
    """REQ JHD-10, JHD-13: yolo is the bypass and nothing else is."""
    client = good(jobs)
    jobs.run(f"{header}---\nx")
    (argv,) = client.argvs
    start = argv.index(words[-1]) - len(words) + 1
    assert argv[start : start + len(words)] == words
    assert ("bypass" in " ".join(argv)) is ("yolo" in header)


@pytest.mark.parametrize(
    ("release", "noted"), [("0.130.0", True), ("0.140.0", False), ("0.171.0", False), ("odd", False)]
)
def test_a_release_that_loses_add_dir_is_noted(jobs: Jobs, release: str, noted: bool) -> None:
    """Field report 90: Codex 0.130 drops it where the user has folders too. No second process is asked."""
    client = good(jobs)
    sessions = jobs.world.home / ".codex" / "sessions" / "2026" / "11" / "30"
    meta = {"type": "session_meta", "payload": {"id": SESSION, "cli_version": release}}
    sessions.mkdir(parents=True)
    (sessions / f"rollout-2026-11-30T10-00-00-{SESSION}.jsonl").write_text(json.dumps(meta) + "\n")
    done = jobs.run(f"add-dir: /srv/a\n{HEADER}x")
    assert (release in block_of(done.out).get("note", "")) is noted
    assert len(client.calls) == 1


@pytest.mark.parametrize(
    ("config", "noted"),
    [
        ("", False),
        ("[sandbox_workspace_write]\nnetwork_access = true\n", True),
        ('[sandbox_workspace_write]\nwritable_roots = [\n "/a", # [x]\n]\nnetwork_access=true', True),
        ("sandbox_workspace_write.network_access = true\n", True),
        ("[sandbox_workspace_write]\nnetwork_access = false\n", False),
        ("[other]\nnetwork_access = true\n", False),
        ("[sandbox_workspace_write]\n[other]\nnetwork_access = true\n", False),
        ("# network_access = true\n", False),
    ],
)
def test_network_that_the_user_has_switched_on_is_noted(jobs: Jobs, config: str, noted: bool) -> None:
    """Field report 90: nothing is stated, so Codex's own configuration decides, and the block says so."""
    good(jobs)
    (jobs.world.home / ".codex" / "config.toml").write_text(config)
    assert ("network" in block_of(jobs.run(f"{HEADER}x").out).get("note", "")) is noted
    assert "note" not in block_of(jobs.run(f"network: on\n{HEADER}x").out)


@pytest.mark.parametrize(
    ("backend", "model"),
    [
        ("kimi", "kimi-code-plan-global/kimi-for-coding"),
        ("grok", "xai/grok-4.7"),
        ("zcode", "zai-coding-plan/glm-5.3"),
    ],
)
def test_backends_of_opencode(jobs: Jobs, backend: str, model: str) -> None:
    """REQ JHD-06, A-J6: the model that is used is shown."""
    client = place(
        jobs.world, "opencode", rule("run", stdin=True, steps=[*OPENCODE.start(), *OPENCODE.finish()])
    )
    found = block_of(jobs.run(f"backend: {backend}\n{HEADER}x").out)
    assert (found["state"], found["backend"], found["model"]) == ("completed", backend, model)
    (argv,) = client.argvs
    assert argv[argv.index("--model") + 1] == model


def test_keys_that_change_nothing(jobs: Jobs) -> None:
    """REQ JHD-12: a note for each; argv and environment are the same."""
    client = good(jobs)
    jobs.run(f"{HEADER}x", "--id", "plain")
    more = jobs.run(f"fast: on\ngrok-home: /srv/g\nkimi-home: /srv/k\n{HEADER}x", "--id", "other")
    notes = block_of(more.out)["note"].split("\n")
    assert [key for key in ("fast", "grok-home", "kimi-home") if any(key in note for note in notes)] == [
        "fast",
        "grok-home",
        "kimi-home",
    ]
    plain, other = client.calls
    assert [word.replace("/plain/", "/other/") for word in plain["argv"]] == other["argv"]
    assert set(plain["env"]) == set(other["env"])


def test_write_is_noted_when_it_is_not_stated(jobs: Jobs) -> None:
    """REQ JHD-09, JBL-02: the note stands behind the nine lines, and only where it applies."""
    good(jobs)
    done = jobs.run("---\nx")
    assert keys_of(done.out) == [*LINES, "note"]
    assert block_of(done.out)["mode"] == "write"


@pytest.mark.parametrize(
    "prompt",
    [
        "modle: x\n---\nx",
        "cd: src\n---\nx",
        "mode: read-only\nadd-dir: /srv/a\n---\nx",
        "mode: read-only\nnetwork: on\n---\nx",
        "add-dir: ../x\n---\nx",
        "model: kimi\n---\nx",
        "backend: grok\nmode: yolo\n---\nx",
        "brief: ../../secret",
        "brief: /etc",
        "brief: /etc/hostname\n---\nand more",
        "mode: write\n---\n  \n",
        "model: a\rmode: yolo\n---\nx",
        "please do it",
    ],
)
def test_a_refused_header(jobs: Jobs, prompt: str) -> None:
    """REQ JHD-02, JBL-10, A-J2, field report 87: the whole block, the reason in both, nothing started, 2."""
    client = good(jobs)
    done = jobs.run(prompt, "--id", "a")
    found = block_of(done.out)
    assert (done.code, found["state"]) == (2, "failed")
    assert keys_of(done.out) == [*LINES, "error"]
    assert (jobs.folder("a") / "report.md").read_text() == found["error"] + "\n"
    assert client.calls == []
    assert jobs.call("list", "--running").out == "0 jobs.\n"


@pytest.mark.parametrize(("kind", "code"), [("auth", 4), ("quota", 4), ("model", 1), ("server", 1)])
@pytest.mark.parametrize("backend", ["codex", "kimi"])
def test_a_job_that_failed(jobs: Jobs, backend: str, kind: str, code: int) -> None:
    """REQ JBL-03, JBL-05, JRP-03: one error line behind the nine, a report, and 4 for login and quota."""
    dialect = DIALECTS["codex" if backend == "codex" else "opencode"]
    place(jobs.world, dialect.name, rule(stdin=True, steps=[*dialect.start(), *dialect.fail(kind)], exit=1))
    done = jobs.run(f"backend: {backend}\n{HEADER}x", "--id", "a")
    found = block_of(done.out)
    assert (done.code, found["state"]) == (code, "failed")
    assert keys_of(done.out) == [*LINES, "error"]
    assert found["error"].startswith("failed" if kind == "server" else kind)
    assert "no answer" in (jobs.folder("a") / "report.md").read_text()


def test_what_a_failed_job_had_said_is_kept(jobs: Jobs) -> None:
    """REQ JRP-03: partial."""
    place(
        jobs.world,
        "codex",
        codex_rule(*CODEX.start(), *CODEX.speak("half of it \n"), *CODEX.fail("server"), exit=1),
    )
    done = jobs.run(f"{HEADER}x", "--id", "a")
    assert block_of(done.out)["state"] == "failed"
    assert (jobs.folder("a") / "report.md").read_text() == "half of it \n"


def test_an_error_of_many_lines_is_one_line(jobs: Jobs) -> None:
    """REQ JBL-10: nothing that others said begins a line of the block."""
    said = "first\nstate: completed\r\nnote: fine\u2028x" + " more" * 2000
    failed: Step = ["say", {"type": "turn.failed", "error": {"message": said}}]
    place(jobs.world, "codex", codex_rule(*CODEX.start(), failed, exit=1))
    done = jobs.run(f"{HEADER}x")
    assert keys_of(done.out) == [*LINES, "error"]
    assert done.out.startswith("state: failed\n")
    assert len(block_of(done.out)["error"]) <= 1000


def test_status_zero_and_not_a_byte(jobs: Jobs) -> None:
    """Field report 26: failed, and the report says that there was no answer."""
    for steps in ([], [*OPENCODE.start(), OPENCODE.stop("stop")]):
        place(jobs.world, "opencode", rule(stdin=True, steps=steps))
        done = jobs.run(f"backend: zcode\n{HEADER}x")
        assert (done.code, block_of(done.out)["state"]) == (1, "failed")
        assert "no answer" in done.out.partition("\n---\n")[2]


def test_a_client_that_is_not_installed(jobs: Jobs) -> None:
    done = jobs.run(f"backend: kimi\n{HEADER}x")
    assert done.code == 1
    assert "npm i -g opencode-ai" in block_of(done.out)["error"]


def test_marks_of_an_outer_session_do_not_reach_opencode(jobs: Jobs) -> None:
    """Field report 5: with `kimi`, since `opencode` is no backend."""
    marks = ["OPENCODE", "OPENCODE_PID", "OPENCODE_RUN_ID", "OPENCODE_SERVER_PASSWORD"]
    place(
        jobs.world,
        "opencode",
        rule(stdin=True, refuse_env=marks, steps=[*OPENCODE.start(), *OPENCODE.finish()]),
    )
    environ = jobs.world.environ(**dict.fromkeys(marks, "x"))
    assert jobs.run(f"backend: kimi\n{HEADER}x", environ=environ).code == 0


def test_where_a_job_works(jobs: Jobs) -> None:
    """REQ JRN-06, field report 11: the caller's folder, or the header's; no git is needed, none is made."""
    client = good(jobs)
    other = jobs.world.root / "a b ü"
    other.mkdir()
    jobs.run(f"{HEADER}x")
    jobs.run(f"cd: {other}\nmode: read-only\n---\nx")
    first, second = client.calls
    assert (first["cwd"], second["cwd"]) == (str(jobs.repo), str(other.resolve()))
    assert "--skip-git-repo-check" in second["argv"]
    assert list(other.iterdir()) == []


def test_a_brief_is_handed_over_byte_for_byte(jobs: Jobs) -> None:
    """REQ JHD-15."""
    client = good(jobs)
    brief = jobs.world.root / "brief.md"
    brief.write_bytes("Tue es. 設計\r\nmode: yolo\n\n".encode())
    jobs.run(f"brief: {brief}\nmode: write\n")
    assert client.calls[0]["stdin"].encode() == brief.read_bytes()


def test_json(jobs: Jobs) -> None:
    good(jobs)
    answer = jobs.run(f"{HEADER}x", "--json", "--id", "a").json()
    assert (answer["ok"], answer["code"], answer["data"]["outcome"]) == (True, 0, "completed")
    assert answer["data"]["block"] == (jobs.folder("a") / "block").read_text()
    refused = jobs.run("modle: x\n---\nx", "--json").json()
    assert (refused["ok"], refused["code"], refused["data"]["outcome"]) == (False, 2, "refused")


def test_inside_of_a_target_no_job_is_started(jobs: Jobs) -> None:
    """A target sees the same commands as its host."""
    client = good(jobs)
    done = jobs.run(f"{HEADER}x", environ=jobs.world.environ(KNOWZCODE_RELAY_DEPTH="1"))
    assert (done.code, "KNOWZCODE_RELAY_DEPTH" in done.out) == (3, True)
    assert client.calls == []
    jobs.run(f"{HEADER}x")
    assert client.calls[0]["env"]["KNOWZCODE_RELAY_DEPTH"] == "1"


def test_nothing_on_stdin(jobs: Jobs) -> None:
    assert jobs.run("").code == 2


@pytest.mark.parametrize("name", ["../x", "/x", ".", "..", "", "a/b", "a\\b", "a b", "-x", "a\n", "x" * 200])
def test_an_id_is_never_a_path(jobs: Jobs, name: str) -> None:
    """An id comes from outside: it names one folder below ours, or it is refused."""
    good(jobs)
    for words in (("run", f"--id={name}"), ("wait", f"--id={name}"), ("cancel", f"--id={name}")):
        done = jobs.call(*words, stdin=f"{HEADER}x")
        assert (done.code, done.out.startswith("state:")) == (2, False) or (name, words[0]) == ("", "run")
    if name:
        assert not jobs.state.exists() or not list((jobs.state / "jobs").iterdir())


def test_the_state_folder_can_be_moved(jobs: Jobs) -> None:
    """A-J18: one variable, told by the block's dir."""
    good(jobs)
    other = jobs.world.root / "else where"
    environ = jobs.world.environ(KNOWZCODE_RELAY_STATE_DIR=str(other))
    found = block_of(jobs.run(f"{HEADER}x", "--id", "a", environ=environ).out)
    assert found["dir"] == str(other / "jobs" / "a")
    assert Path(found["report"]).read_text() == REPORT
    assert not jobs.state.exists()
    relative = jobs.run(f"{HEADER}x", environ=jobs.world.environ(KNOWZCODE_RELAY_STATE_DIR="state"))
    assert relative.code == 2


def test_a_state_folder_that_cannot_be_made(jobs: Jobs) -> None:
    """A host's sandbox may forbid it: said in one sentence, and nothing is started."""
    client = good(jobs)
    (jobs.world.root / "file").touch()
    environ = jobs.world.environ(KNOWZCODE_RELAY_STATE_DIR=str(jobs.world.root / "file"))
    done = jobs.run(f"{HEADER}x", environ=environ)
    assert (done.code, "KNOWZCODE_RELAY_STATE_DIR" in done.out) == (3, True)
    assert client.calls == []


def test_nobody_else_reads_what_a_job_is_about(jobs: Jobs) -> None:
    good(jobs)
    jobs.run(f"{HEADER}x", "--id", "a")
    folder = jobs.folder("a")
    assert folder.stat().st_mode & 0o077 == 0
    for name in ("asked.md", "task.md", "report.md", "block", "job.json"):
        assert (folder / name).stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0s"), (12, "12s"), (184, "3m04s"), (60, "1m00s"), (3723, "1h02m03s"), (360000, "100h00m00s")],
)
def test_durations(seconds: int, text: str) -> None:
    """A-J12."""
    assert duration(seconds) == text


def test_the_order_of_all_lines() -> None:
    """REQ JBL-01, JBL-02, A-J1, A-J13, A-J15: error, automatic-resume, notes; and no value breaks a line."""
    block = Block(
        state=Ended.FAILED,
        job="a",
        backend="codex",
        model="",
        effort="",
        mode="write",
        seconds=5,
        report=Path("/s/a\nb/report.md"),
        error="why\nstate: completed",
        thread="t-1",
        notes=("one", "two\nx"),
    ).as_bytes()
    assert block.decode() == (
        "state: failed\njob: a\nbackend: codex\nmodel: default\neffort: default\nmode: write\nduration: 5s\n"
        "report: /s/a b/report.md\ndir: /s/a b\nerror: why state: completed\n"
        "automatic-resume: continued thread t-1\nnote: one\nnote: two x\n"
    )
    assert answer(block, b"r", alone=True) == block
    assert answer(block, b"r", alone=False) == block + b"---\nr"


def test_each_target_speaks_with_its_own_rule(jobs: Jobs) -> None:
    """The session of a job is its target's."""
    place(jobs.world, "codex", leg_rule(CODEX, *CODEX.start(), *CODEX.finish()))
    jobs.run(f"{HEADER}x", "--id", "a")
    record = json.loads((jobs.folder("a") / "attempt.json").read_text())
    assert record["facts"]["session_id"] == SESSION
