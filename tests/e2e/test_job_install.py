"""The job agent installed into the real client: it answers, status says so, uninstall leaves nothing."""

import json
from typing import Any

import pytest

from knowzcode_relay.rehearsal.script import Text
from support.checkout import ROOT, run_program
from support.clients import release
from support.job_host import FLOOR, NEWEST, JobHost, agent
from support.jobs import HEADER, block_of
from support.world import World, build_tree

pytestmark = pytest.mark.client("claude")
WORDS = ("--platforms", "claude")


@pytest.fixture(params=[FLOOR, NEWEST])
def host(request: pytest.FixtureRequest, world: World) -> JobHost:
    (world.bin / "claude").symlink_to(release("claude", request.param))
    return JobHost(world, request.param)


def run(host: JobHost, *words: str) -> dict[str, Any]:
    done = run_program(ROOT, *words, *WORDS, "--json", environ=host.world.environ())
    return json.loads(done.stdout)


def said(host: JobHost, *words: str) -> tuple[bool | None, str]:
    """What status says; doctor says the same."""
    (status,) = run(host, "status", *words)["data"]["jobs"]
    findings = run(host, "doctor", *words)["data"]["findings"]
    assert status["text"] in [each["text"] for each in findings if each["subject"] == "jobs"]
    return status["exact"], status["text"]


def traces(host: JobHost) -> list[str]:
    """Files below the home that still name us. Transcripts and backups are the user's; a `.tmp` beside
    its own file is what the floor release leaves of a write when it ends in the middle.
    """
    config = host.world.home / ".claude"
    kept = {config / "backups", config / "projects"}
    return [
        str(path)
        for path in host.world.home.rglob("*")
        if path.is_file()
        and not kept & {*path.parents}
        and not path.name.startswith(".claude.json.tmp.")
        and any(
            word in f"{path.name}{path.read_text(errors='replace')}" for word in ("cc-agents", "knowzcode")
        )
    ]


def test_installed_it_answers_and_uninstalled_it_is_gone(host: JobHost) -> None:
    """REQ JRN-01, PKG-07, PKG-08: from install to uninstall, with both verbs that tell of exactness."""
    host.codex(report="done\n")
    assert run(host, "install", "--with", "jobs")["ok"]
    assert said(host)[0] is None

    played = host.play(agent(f"{HEADER}x"), Text("bye"), plugin=False)

    told = block_of(played.reports[0])
    assert (told["state"], played.agent) == ("completed", ())
    assert said(host) == (True, said(host)[1])
    assert f"Claude Code {host.version} ran the code hook" in said(host)[1]
    assert run(host, "verify")["data"]["differences"] == []

    switch = build_tree(host.repo, {".claude/settings.local.json": json.dumps({"disableAllHooks": True})})
    assert said(host, "--project", str(switch))[0] is False

    assert run(host, "uninstall")["ok"]
    assert (host.jobs.folder(told["job"]) / "report.md").read_text() == "done\n"  # the user's
    assert [path for path in traces(host) if not path.startswith(str(host.jobs.state / "jobs"))] == []


def test_as_a_drop_in_it_answers_and_goes(world: World) -> None:
    """Without the client on PATH the plugin lies in the skills folder, and its hook is loaded there too."""
    host = JobHost(world, NEWEST)
    host.codex()
    assert run(host, "install", "--with", "jobs")["ok"]

    played = host.play(agent(f"{HEADER}x"), Text("bye"), plugin=False)

    assert block_of(played.reports[0])["state"] == "completed"
    assert played.agent == ()
    assert run(host, "uninstall")["ok"]
    assert not (world.home / ".claude/skills").exists()


def test_a_client_that_ignores_the_code_hook_is_found_out(world: World) -> None:
    """The classic hook marks the session, the code hook does not: as when mods are switched off elsewhere."""
    (world.bin / "claude").symlink_to(release("claude", NEWEST))
    host = JobHost(world, NEWEST)
    assert run(host, "install", "--with", "jobs")["ok"]
    hooks = world.home / ".local/share/knowzcode-relay/knowzcode-relay/cc-agents/hooks/hooks.json"
    hooks.write_text(json.dumps({"hooks": json.loads(hooks.read_text())["hooks"]}))

    played = host.play(agent(f"{HEADER}x"), Text("bye"), plugin=False)

    exact, text = said(host)
    assert (exact, len(played.agent)) == (False, 1)
    assert "did not run the plugin's code hook" in text
