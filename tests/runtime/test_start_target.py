"""What a start makes of its target: missing, broken, logged out, or widened by settings of the project."""

import json
from typing import Any

import pytest

from support.fake_client import place, rule
from support.plans import a_plan
from support.relaying import Relaying, make_relaying
from support.starting import refused
from support.world import World, build_tree


@pytest.fixture
def relaying(world: World) -> Relaying:
    """A Claude host with a Codex target."""
    return make_relaying(world, "claude")


@pytest.mark.parametrize("probe", [None, rule("--version", exit=1)])
@pytest.mark.parametrize(
    ("request_text", "code", "line"),
    [
        ("--relay=codex build it", 3, "[RELAY-DETECT] target=codex"),
        ("have Codex implement this", 3, "[RELAY-DETECT] target=codex"),
        ("--relay=other build it", 5, "[RELAY-FALLBACK] codex CLI"),
        ("use the other agent for implementation", 5, "[RELAY-FALLBACK] codex CLI"),
    ],
)
def test_a_target_that_is_missing_or_broken(
    relaying: Relaying, world: World, probe: Any, request_text: str, code: int, line: str
) -> None:
    """REQ DET-12, DET-13, DET-09, FAIL-01, FAIL-02: named stops, automatic falls back visibly."""
    token = relaying.token(request_text)
    if probe is None:
        (world.bin / "codex").unlink()
    else:
        place(world, "codex", probe)
    before = relaying.everything()
    words = ("start", "--tier", "3", "--gate2-approved", "--resolution", token)
    answer = relaying.run(*words, stdin=json.dumps(a_plan()))
    assert (answer.code, answer.out.splitlines()[0][: len(line)]) == (code, line)
    assert relaying.everything() == before


def log_out(relaying: Relaying) -> None:
    relaying.client.plays(rule("--version", stdout="0.171.0\n"), rule("login", "status", exit=1))


def test_a_logged_out_target_pauses_and_goes_on_once_confirmed(relaying: Relaying) -> None:
    """REQ DET-15, DET-16, PRE-02; field report 78."""
    log_out(relaying)
    answer = refused(relaying, "--autonomous")
    assert answer["code"] == 4
    assert answer["data"]["next"]["argv"] == ["kc-relay", "decide", "retry"]
    relaying.plays(relaying.works())
    answer = relaying.json("decide", "retry")
    assert (answer["code"], answer["data"]["state"]) == (0, "PLANNED")
    assert not (relaying.repo.root / "knowzcode/workgroups/.waiting-start.json").exists()


def test_a_confirmation_that_was_wrong_is_not_tried_again_by_itself(relaying: Relaying) -> None:
    """REQ DET-16."""
    log_out(relaying)
    refused(relaying)
    probes = len(relaying.client.calls)
    answer = relaying.json("decide", "retry")
    assert (answer["code"], answer["data"]["next"]["argv"]) == (4, [])
    assert len(relaying.client.calls) == 2 * probes
    assert relaying.json("decide", "retry")["code"] == 2
    assert len(relaying.client.calls) == 2 * probes


def test_a_declined_login_is_a_visible_native_fallback(relaying: Relaying) -> None:
    """REQ DET-17 (A-19); field report 78: nothing of the relay stays."""
    log_out(relaying)
    refused(relaying, token=relaying.token("--relay=codex build it"))
    answer = relaying.run("decide", "native")
    assert (answer.code, answer.out.splitlines()[0]) == (
        5,
        "[RELAY-FALLBACK] codex CLI not authenticated — running native Phase 2A",
    )
    assert relaying.json("poll", "--wait", "0")["data"]["problem"] == "relay.none"


PROJECT_SETTINGS = [
    ({"hooks": {"Stop": []}}, "hooks"),
    ({"apiKeyHelper": "./key"}, "apiKeyHelper"),
    ({"env": {"ANTHROPIC_BASE_URL": "http://x"}}, "env.ANTHROPIC_BASE_URL"),
    ({"env": {"CLAUDE_CODE_X": "1"}}, "env.CLAUDE_CODE_X"),
]


@pytest.mark.parametrize("name", [".claude/settings.json", ".claude/settings.local.json"])
@pytest.mark.parametrize(("settings", "key"), PROJECT_SETTINGS)
def test_project_settings_that_widen_a_claude_leg_pause(
    world: World, name: str, settings: dict[str, Any], key: str
) -> None:
    relaying = make_relaying(world, "codex")
    relaying.repo.commit({name: json.dumps(settings)})
    answer = refused(relaying)
    assert answer["code"] == 4
    assert answer["data"]["settings"] == [{"file": str(relaying.repo.root / name), "key": key}]


def test_accepting_project_settings_counts_for_exactly_these_files(world: World) -> None:
    relaying = make_relaying(world, "codex")
    relaying.repo.commit({".claude/settings.json": json.dumps({"hooks": {"Stop": []}})})
    digest = refused(relaying)["data"]["sha256"]
    relaying.repo.commit({".claude/settings.json": json.dumps({"hooks": {"Stop": [1]}})})
    other = refused(relaying, "--accept-project-settings", digest)["data"]["sha256"]
    assert relaying.start("--accept-project-settings", other)["ok"]


@pytest.mark.parametrize(("version", "code"), [("2.1.294", 4), ("2.1.332", 0)])
def test_a_project_s_writable_paths_widen_older_releases_only(world: World, version: str, code: int) -> None:
    relaying = make_relaying(world, "codex")
    relaying.repo.commit(
        {".claude/settings.json": json.dumps({"sandbox": {"filesystem": {"allowWrite": ["/"]}}})}
    )
    relaying.client.plays(
        rule("--version", stdout=f"{version} (Claude Code)\n"),
        rule("auth", "status", "--json", stdout='{"loggedIn": true}\n'),
    )
    assert relaying.start()["code"] == code


def test_the_user_s_writable_paths_widen_every_release(world: World) -> None:
    relaying = make_relaying(world, "codex")
    settings = {"sandbox": {"filesystem": {"allowWrite": ["/"]}}}
    build_tree(world.home, {".claude/settings.json": json.dumps(settings)})
    answer = refused(relaying)
    assert answer["data"]["settings"][0]["key"] == "sandbox.filesystem.allowWrite"
