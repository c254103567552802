"""Real hosts and real targets through the installed package, driven by an agent that obeys the skills."""

import json
import signal
from pathlib import Path
from threading import Event

import pytest

from support.hosting import DRILLED, NEWEST, Hosting, Target, events
from support.obeying import GOAL, cut_off, go_on, look, relay
from support.relaying import FILES
from support.repo import make_repo
from support.world import World, make_world, tree_digest

pytestmark = pytest.mark.client("claude", "codex")

HOSTS = ("claude", "codex")
TYPED = {"claude": "/knowzcode:", "codex": "$knowzcode-"}
WHOLE = ["resolve", "start", *["launch", "poll", "checkpoint", "review"] * 2, "finish"]


@pytest.fixture(
    scope="module", params=[pytest.param(host, marks=pytest.mark.xdist_group(host)) for host in HOSTS]
)
def hosting(
    request: pytest.FixtureRequest, program: Path, tmp_path_factory: pytest.TempPathFactory
) -> Hosting:
    """One machine for every drill of a host; each drill has a repository of its own."""
    return Hosting(make_world(tmp_path_factory.mktemp("machine")), program, request.param)


@pytest.mark.parametrize(
    ("host", "releases"),
    DRILLED,
    ids=lambda value: value if isinstance(value, str) else "+".join(value.values()),
)
def test_from_the_typed_request_to_done(
    world: World, program: Path, host: str, releases: dict[str, str]
) -> None:
    """REQ RES-26: skills and `next:` lead to DONE, unasked, with a fix round, in a clone without workgroups/.

    From its shell the target tries to move the relay on by the same runtime: refused, and its leg goes on.
    The newest clients get a flag at the relay skill, older ones plain words at the work skill.
    """
    hosting = Hosting(world, program, host, **releases)
    repo = hosting.repo("repo é", FILES)
    newest = releases == NEWEST
    asked = f"--relay={hosting.target}" if newest else f"Have {hosting.target} implement this."
    request, skill = f"{asked} {GOAL}", "relay" if newest else "work"
    mode = () if newest or host == "codex" else ("--permission-mode", "default")
    model = Target(hosting.target, first=f"python3 '{hosting.runtime}' launch")
    played = hosting.session(repo, f"{TYPED[host]}{skill} {request}", relay(request), *mode, model=model)
    assert "DONE" in played.ended, (played.ended, played.shell)
    assert played.verbs == WHOLE
    assert [each["permission_denials"] for each in events(played.run) if each["type"] == "result"] in (
        [],
        [[]],
    )
    commits = repo("log", "--format=%s", "main..")
    assert commits.count(f"KnowzCode relay: {hosting.target.capitalize()} round") == 2
    assert repo("status", "--porcelain") == ""
    nested = "KNOWZCODE_RELAY_DEPTH is set: this is the target of a relay"
    assert nested in "\n".join(played.shell)


def test_inside_the_sandbox_of_a_codex_host_it_stops_before_anything_is_touched(
    world: World, program: Path
) -> None:
    """Field report 30: found by trying, before quota is spent, and `next:` is the same call outside."""
    hosting = Hosting(world, program, "codex")
    repo = hosting.repo("repo", FILES)
    before = tree_digest(repo.root)
    played = hosting.session(repo, f"$knowzcode-relay {GOAL}", relay(GOAL), "-s", "workspace-write")
    assert "exited with code 3" in played.ended
    (following,) = [line for line in played.ended.splitlines() if line.startswith("next: ")]
    call = json.loads(following[following.index("{") :])
    assert call["sandbox_permissions"] == "require_escalated"
    assert " start --tier 3 --gate2-approved --resolution " in call["cmd"]
    assert tree_digest(repo.root) == before


def test_continue_after_the_host_was_killed(hosting: Hosting) -> None:
    """The target outlives its host; another session of the host takes the relay to DONE."""
    repo, reached = hosting.repo("killed", FILES), Event()
    typed = TYPED[hosting.host]
    with hosting.scene(repo, Target(hosting.target, slow=3)) as scene:
        cut = scene.session(f"{typed}relay {GOAL}", cut_off(relay(GOAL), "poll", reached), kill=reached)
        assert (cut.run.code, cut.verbs) == (-signal.SIGKILL, ["resolve", "start", "launch"])
        played = scene.session(f"{typed}continue", go_on())
    assert "DONE" in played.ended, (played.ended, played.shell)
    assert played.verbs[0] == "resume"
    assert played.verbs[-1] == "finish"
    assert repo("status", "--porcelain") == ""


def test_status_changes_nothing(hosting: Hosting) -> None:
    repo = hosting.repo("status", FILES)
    before = tree_digest(repo.root)
    played = hosting.session(repo, f"{TYPED[hosting.host]}status", look("config show", "detect"))
    assert played.verbs == ["status", "config", "detect"]
    assert f"[RELAY-DETECT] target={hosting.target} ready" in played.ended
    assert tree_digest(repo.root) == before


def test_setup_in_an_empty_repository(hosting: Hosting) -> None:
    repo = make_repo(hosting.world, "empty", empty=True)
    played = hosting.session(repo, f"{TYPED[hosting.host]}setup", look("detect"))
    assert played.verbs == ["setup", "detect"]
    assert (repo.root / "knowzcode" / "knowzcode_orchestration.md").is_file()
    assert repo("check-ignore", "knowzcode/workgroups/x") == "knowzcode/workgroups/x"


@pytest.mark.parametrize(
    "request_text", [f"--relay=none {GOAL}", "Write docs/agents.md, which compares Codex with Claude Code."]
)
def test_work_stays_native(hosting: Hosting, request_text: str) -> None:
    """A flag that says so, and a request in which a provider is only the subject."""
    repo = hosting.repo(f"native-{len(request_text)}", FILES)
    played = hosting.session(repo, f"{TYPED[hosting.host]}work {request_text}", relay(request_text))
    assert played.verbs == ["resolve"]
    assert "native" in played.ended
    assert "next: go on natively" in played.ended


@pytest.mark.parametrize(
    ("flag", "exit", "line"),
    [("other", 5, "[RELAY-FALLBACK] {} CLI not found — running native Phase 2A"), ("{}", 3, "not-installed")],
    ids=["automatic", "named"],
)
def test_a_target_that_is_not_installed(hosting: Hosting, flag: str, exit: int, line: str) -> None:
    """REQ DET-12, REQ DET-13: a named one stops with what to install; an automatic one falls back visibly."""
    repo = hosting.repo(f"missing-{exit}", FILES)
    request = f"--relay={flag.format(hosting.target)} {GOAL}"
    played = hosting.session(repo, f"{TYPED[hosting.host]}relay {request}", relay(request), installed=False)
    assert played.verbs == ["resolve", "start"]
    assert f"ode {exit}\n" in played.ended
    assert line.format(hosting.target) in played.ended
    assert repo("branch", "--format=%(refname:short)") == "main"


def test_a_target_that_is_logged_out(hosting: Hosting) -> None:
    """A pause with the command to log in, whoever chose the target; the question is the user's."""
    repo = hosting.repo("logged-out", FILES)
    played = hosting.session(repo, f"{TYPED[hosting.host]}relay {GOAL}", relay(GOAL), logged_in=False)
    assert played.verbs == ["resolve", "start"]
    assert "ode 4\n" in played.ended
    login = {"claude": "claude auth login", "codex": "codex login"}[hosting.target]
    assert f"installed-unauthed — run: {login}" in played.ended
    assert "next: ask: " in played.ended
