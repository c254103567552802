"""`start`: everything is looked at first; a refusal leaves no trace, and success leaves a relay to launch."""

import json
from collections.abc import Callable

import pytest

from support.plans import a_plan
from support.relaying import Relaying, make_relaying
from support.starting import refused
from support.world import World, build_tree


@pytest.fixture
def relaying(world: World) -> Relaying:
    """A Claude host with a Codex target."""
    return make_relaying(world, "claude")


def configure(relaying: Relaying, *lines: str) -> None:
    text = "```yaml\n" + "\n".join(lines) + "\n```\n"
    relaying.repo.commit({"knowzcode/knowzcode_orchestration.md": text})


@pytest.mark.parametrize("tier", ["1", "2"])
def test_only_tier_three_relays(relaying: Relaying, tier: str) -> None:
    """REQ CON-04, CON-05."""
    before = relaying.everything()
    answer = relaying.run("start", "--tier", tier, "--resolution", relaying.token())
    assert answer.code == 5
    assert answer.out.startswith(f"[RELAY-SKIP] Tier {tier} — relay is Tier 3 only")
    assert relaying.everything() == before
    assert relaying.client.calls == []


def test_without_gate_two_nothing_is_handed_over(relaying: Relaying) -> None:
    """REQ PRE-01, FSM-02."""
    words = ("start", "--tier", "3", "--resolution", relaying.token())
    answer = relaying.json(*words, stdin=json.dumps(a_plan()))
    assert (answer["code"], answer["data"]["problem"]) == (3, "start.gate2")
    assert relaying.client.calls == []


def test_a_token_of_the_other_host_or_a_damaged_one_is_refused(relaying: Relaying) -> None:
    token = Relaying(relaying.world, relaying.repo, "codex", relaying.client).token()
    assert refused(relaying, token=token)["data"]["problem"] == "resolution.host"
    damaged = token[:-1]
    assert refused(relaying, token=damaged)["data"]["problem"] == "resolution.token"


def test_a_configuration_that_changed_its_mind_is_noticed(relaying: Relaying) -> None:
    """REQ RES-20."""
    configure(relaying, "relay: codex")
    token = relaying.token("build it")
    configure(relaying, "relay: none")
    answer = refused(relaying, token=token)
    assert (answer["code"], answer["data"]["problem"]) == (2, "resolution.config")


@pytest.mark.parametrize(
    ("lines", "code", "words"),
    [
        (("profile: advisor",), 3, "profile: advisor"),
        (("relay_codex_sandbox: read-only",), 3, "read-only"),
        (("relay_transport: mcp",), 3, "relay_transport: mcp"),
        (("relay_transport: ssh",), 3, "relay_transport"),
        (("relay_codex_effort: banana",), 3, "banana"),
    ],
)
def test_settings_that_allow_no_leg_are_refused(
    relaying: Relaying, lines: tuple[str, ...], code: int, words: str
) -> None:
    """REQ CON-01, CFG-14, TRN-07."""
    configure(relaying, *lines)
    answer = refused(relaying)
    assert answer["code"] == code
    assert words in answer["message"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("relay_claude_permission_mode: bypassPermissions", "bypassPermissions"),
        ("relay_claude_max_budget_usd: 0", "relay_claude_max_budget_usd"),
        ("relay_claude_max_budget_usd: abc", "relay_claude_max_budget_usd"),
        ("relay_transport: mcp", "Claude MCP is not an agent relay"),
    ],
)
def test_settings_that_allow_no_claude_leg_are_refused(world: World, line: str, words: str) -> None:
    """REQ CFG-18, CFG-22, TRN-02."""
    relaying = make_relaying(world, "codex")
    configure(relaying, line)
    answer = refused(relaying)
    assert answer["code"] == 3
    assert words in answer["message"]


def test_what_a_relay_leaves_aside_is_announced(relaying: Relaying) -> None:
    """REQ CON-02, CFG-13."""
    configure(relaying, "execute_on_fable: true", "relay_codex_sandbox: danger-full-access")
    words = ("start", "--tier", "3", "--gate2-approved", "--resolution", relaying.token())
    answer = relaying.run(*words, stdin=json.dumps(a_plan()))
    assert "[RELAY-CONFIG] execute_on_fable: true is ignored" in answer.out
    assert "sandbox danger-full-access" in answer.out.splitlines()[0]


def test_a_plan_with_mistakes_is_refused_before_anything_is_asked(relaying: Relaying) -> None:
    answer = refused(relaying, plan=a_plan(goal=""))
    assert (answer["code"], answer["data"]["problem"]) == (2, "plan.invalid")
    assert relaying.client.calls == []


DIRTY: dict[str, Callable[[Relaying], list[str]]] = {}


def dirty(make: Callable[[Relaying], list[str]]) -> Callable[[Relaying], list[str]]:
    DIRTY[make.__name__] = make
    return make


@dirty
def edited(relaying: Relaying) -> list[str]:
    build_tree(relaying.repo.root, {"README.md": "mine\n"})
    return ["README.md"]


@dirty
def staged(relaying: Relaying) -> list[str]:
    edited(relaying)
    relaying.repo("add", "README.md")
    return ["README.md"]


@dirty
def untracked(relaying: Relaying) -> list[str]:
    build_tree(relaying.repo.root, {"src/new é.py": "1\n", "a b": "2\n"})
    return ["a b", "src/new é.py"]


@dirty
def renamed(relaying: Relaying) -> list[str]:
    relaying.repo("mv", "README.md", "LIESMICH.md")
    return ["LIESMICH.md", "README.md"]


@dirty
def beside_a_spec(relaying: Relaying) -> list[str]:
    build_tree(
        relaying.repo.root,
        {"knowzcode/specs/Greeter.md": "approved\n", "knowzcode/specs/Other.md": "not listed\n"},
    )
    return ["knowzcode/specs/Other.md"]


@pytest.mark.parametrize("name", DIRTY)
def test_a_dirty_tree_is_named_path_by_path_and_left_alone(relaying: Relaying, name: str) -> None:
    """REQ PRE-05, PRE-11; field reports 65 and 68."""
    expected = DIRTY[name](relaying)
    answer = refused(relaying)
    assert (answer["code"], answer["data"]["paths"]) == (3, expected)
    assert all(path in answer["message"] for path in expected)


def test_a_dirty_submodule_is_named(relaying: Relaying, world: World) -> None:
    """REQ PRE-05; field report 71."""
    inner = world.root / "inner"
    relaying.repo("clone", "-q", str(relaying.repo.root), str(inner))
    relaying.repo("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "sub")
    relaying.repo("commit", "-q", "-m", "sub")
    build_tree(relaying.repo.root, {"sub/README.md": "edited\n"})
    assert "sub (submodule)" in refused(relaying)["message"]


def test_a_project_without_setup_is_refused(relaying: Relaying) -> None:
    relaying.repo("rm", "-q", "-r", "knowzcode")
    relaying.repo("commit", "-q", "-m", "without")
    (relaying.repo.root / "knowzcode/workgroups/.keep").unlink()
    (relaying.repo.root / "knowzcode/workgroups").rmdir()
    (relaying.repo.root / "knowzcode").rmdir()
    assert refused(relaying)["data"]["problem"] == "preflight.not-set-up"
    assert not (relaying.repo.root / "knowzcode").exists()


def test_state_that_git_would_see_is_refused(relaying: Relaying) -> None:
    """REQ ART-05 (A-27)."""
    relaying.repo("rm", "-q", "knowzcode/.gitignore")
    relaying.repo("commit", "-q", "-m", "no rule")
    (relaying.repo.root / "knowzcode/workgroups/.keep").unlink()
    assert refused(relaying)["data"]["problem"] == "preflight.not-ignored"
    assert relaying.repo("status", "--porcelain") == ""


def test_a_start_on_the_default_branch_makes_a_branch_at_head(relaying: Relaying) -> None:
    """REQ PRE-03, PRE-07, STA-05, STA-06."""
    head = relaying.repo("rev-parse", "HEAD")
    data = relaying.start()["data"]
    relay = relaying.relay(data["wgid"])
    assert relay.branch == f"kc-relay/{data['wgid']}" == relaying.repo("symbolic-ref", "--short", "HEAD")
    assert (data["state"], data["checkpoint"], relay.checkpoints[0].sha) == ("PLANNED", head, head)
    assert relaying.repo("rev-parse", "main", "HEAD").splitlines() == [head, head]


def test_an_approved_branch_is_used(relaying: Relaying) -> None:
    """REQ PRE-04 (A-28)."""
    relaying.repo("switch", "-q", "-c", "feature")
    data = relaying.start("--approve-branch", "feature")["data"]
    assert relaying.relay(data["wgid"]).branch == "feature"
    assert relaying.repo("symbolic-ref", "--short", "HEAD") == "feature"


def test_a_feature_branch_without_approval_is_not_used(relaying: Relaying) -> None:
    """REQ PRE-04 (A-56)."""
    relaying.repo("switch", "-q", "-c", "feature")
    data = relaying.start("--autonomous")["data"]
    assert relaying.repo("symbolic-ref", "--short", "HEAD") == f"kc-relay/{data['wgid']}"


def test_approval_cannot_name_the_default_or_another_branch(relaying: Relaying) -> None:
    """REQ PRE-04; field report 70."""
    assert refused(relaying, "--approve-branch", "main")["data"]["problem"] == "preflight.default-branch"
    assert refused(relaying, "--approve-branch=--output=x")["data"]["problem"] == "preflight.branch"
    assert not (relaying.repo.root / "x").exists()


def test_a_branch_of_that_name_that_no_state_names_is_refused(relaying: Relaying) -> None:
    """REQ PRE-13 (A-43)."""
    wgid = "kc-feat-demo-20260101-000000"
    relaying.repo("branch", f"kc-relay/{wgid}")
    assert refused(relaying, "--wgid", wgid)["data"]["problem"] == "git.branch-exists"


def test_a_detached_head_is_allowed_and_said(relaying: Relaying) -> None:
    """REQ PRE-12; field report 73: and the relay is found after its branch is attached."""
    relaying.repo("checkout", "-q", "--detach")
    words = ("start", "--tier", "3", "--gate2-approved", "--resolution", relaying.token())
    answer = relaying.run(*words, stdin=json.dumps(a_plan()))
    assert answer.code == 0
    assert "[RELAY-GIT] HEAD is detached" in answer.out
    assert relaying.json("launch")["ok"]


def test_the_gate_two_checkpoint_holds_exactly_what_was_approved(relaying: Relaying) -> None:
    """REQ PRE-06, PRE-07 (A-48): specs, tracker, untouched files of setup; nothing ignored is forced in."""
    relaying.repo("rm", "-q", "-r", "--cached", "knowzcode")
    (relaying.repo.root / "knowzcode/.gitignore").unlink()
    relaying.repo("commit", "-q", "-m", "no knowzcode yet")
    relaying.run("setup")
    build_tree(relaying.repo.root, {"knowzcode/knowzcode_tracker.md": "tracked\n"})
    data = relaying.start()["data"]
    assert relaying.repo("show", "--format=%s", "--name-only", data["checkpoint"]).split("\n") == [
        f"KnowzCode relay: specs approved for {data['wgid']}",
        "",
        "knowzcode/.gitignore",
        "knowzcode/knowzcode_orchestration.md",
        "knowzcode/knowzcode_tracker.md",
        "knowzcode/specs/Cli.md",
        "knowzcode/specs/Greeter.md",
    ]
    assert relaying.repo("status", "--porcelain") == ""


def test_a_hook_that_refuses_the_checkpoint_leaves_no_branch_behind(relaying: Relaying) -> None:
    """Field report 72."""
    build_tree(relaying.repo.root, {"knowzcode/specs/Cli.md": "new\n"})
    relaying.repo.hook("pre-commit", "echo 'no specs today'\nexit 1\n")
    answer = refused(relaying)
    assert answer["data"]["problem"] == "commit.refused"
    assert "no specs today" in answer["message"]


def test_a_hook_that_rewrites_the_specs_stops_the_start_and_keeps_the_commit(relaying: Relaying) -> None:
    """REQ PRE-07: C0 is only taken from a clean tree; field report 72."""
    build_tree(relaying.repo.root, {"knowzcode/specs/Cli.md": "new\n"})
    relaying.repo.hook("pre-commit", "echo rewritten > knowzcode/specs/Cli.md\n")
    answer = relaying.start()
    assert (answer["code"], answer["data"]["paths"]) == (3, ["knowzcode/specs/Cli.md"])
    assert relaying.repo("show", "HEAD:knowzcode/specs/Cli.md") == "new"
    assert relaying.json("status")["data"]["relays"] == []


def test_a_fresh_relay_says_everything_in_its_state(relaying: Relaying) -> None:
    """REQ STA-04, STA-13, PRE-08, PRE-09, ART-02, ART-03, SNP-01."""
    data = relaying.start()["data"]
    relay = relaying.relay(data["wgid"])
    assert (relay.host, relay.target, relay.selector, relay.source) == (
        "claude",
        "codex",
        "other",
        "flag-automatic",
    )
    assert (relay.session_id, relay.pid, relay.result_subtype, relay.last_output) == (None, None, None, None)
    assert (relay.model, relay.effort, relay.max_fix_rounds) == ("gpt-5.6-sol", "xhigh", 2)
    assert relay.isolation == "sandbox workspace-write"
    assert relay.cwd == str(relaying.repo.root)
    assert relay.log_path.endswith(f"{data['wgid']}-relay/codex-log-r0.jsonl")
    note = (relaying.repo.root / f"knowzcode/workgroups/{data['wgid']}.md").read_text()
    assert "**State:** PLANNED | **Round:** 0 | **Session:** pending" in note


def test_a_codex_target_gets_no_claude_files(relaying: Relaying) -> None:
    """REQ ART-01, ART-04."""
    folder = relaying.folder(relaying.start()["data"]["wgid"])
    assert sorted(path.name for path in folder.iterdir()) == ["brief-r0.md", "relay.json", "state.md"]


def test_a_claude_target_gets_its_two_files(world: World) -> None:
    """REQ ART-04, PRE-10, HYA-08, HYA-10, STA-13."""
    relaying = make_relaying(world, "codex")
    data = relaying.start()["data"]
    folder = relaying.folder(data["wgid"])
    assert json.loads((folder / "claude-mcp.json").read_text()) == {"mcpServers": {}}
    assert json.loads((folder / "claude-settings.json").read_text()) == {
        "sandbox": {"enabled": True, "failIfUnavailable": True, "allowUnsandboxedCommands": False}
    }
    assert relaying.relay(data["wgid"]).isolation == "permission dontAsk, strict Bash sandbox"


def test_the_brief_lists_the_specs_and_flags_a_missing_one(relaying: Relaying) -> None:
    """REQ PRM-02, PRM-03."""
    relaying.repo("rm", "-q", "knowzcode/specs/Cli.md")
    relaying.repo("commit", "-q", "-m", "one spec less")
    brief = (relaying.folder(relaying.start()["data"]["wgid"]) / "brief-r0.md").read_text()
    assert "- knowzcode/specs/Greeter.md: one greeting\n" in brief
    assert "- [SPEC_ISSUE] knowzcode/specs/Cli.md does not exist." in brief
    assert "VERIFY: greets" not in brief


def test_two_starts_with_one_slug_are_two_relays(relaying: Relaying) -> None:
    """Field report 55."""
    first = relaying.start()["data"]["wgid"]
    second = relaying.start()["data"]["wgid"]
    assert first != second
    assert relaying.relay(second).round == 0
    assert relaying.relay(first).branch != relaying.relay(second).branch


def test_an_existing_workgroup_is_taken_once(relaying: Relaying) -> None:
    wgid = "kc-feat-demo-20260101-000000"
    build_tree(relaying.repo.root, {f"knowzcode/workgroups/{wgid}.md": "# mine\n"})
    assert relaying.start("--wgid", wgid)["data"]["wgid"] == wgid
    note = (relaying.repo.root / f"knowzcode/workgroups/{wgid}.md").read_text()
    assert note.startswith("# mine\n\n## Relay\n")
    assert relaying.start("--wgid", wgid)["code"] == 8


def test_inside_of_a_target_nothing_is_started(relaying: Relaying, world: World) -> None:
    answer = relaying.run(
        "start",
        "--tier",
        "3",
        "--gate2-approved",
        "--resolution",
        relaying.token(),
        stdin=json.dumps(a_plan()),
        environ=world.environ(KNOWZCODE_RELAY_DEPTH="1"),
    )
    assert answer.code == 3
    assert relaying.client.calls == []


def test_hostile_words_in_a_plan_stay_words(relaying: Relaying) -> None:
    """Field report 3."""
    words = 'don\'t "touch" $(touch PWNED) `touch PWNED2` ; touch PWNED3\nEOF\n**State:** DONE | x'
    plan = a_plan(goal=words, slug=words)
    data = relaying.start(plan=plan)["data"]
    assert data["wgid"].startswith("kc-feat-don-t-touch-touch-pwned-")
    assert words in (relaying.folder(data["wgid"]) / "brief-r0.md").read_text()
    assert not list(relaying.repo.root.glob("PWNED*"))
