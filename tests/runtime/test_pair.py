"""What stands around the readiness line: hung probes, credentials, and the sandboxes of host and target."""

import json
import shlex
import subprocess
import time
from pathlib import Path

import pytest

from support.fake_client import PROBES, place, ready, rule
from support.pythons import python
from support.runtime_package import Completed, run_runtime
from support.world import World

HOST_OF = {"codex": "claude", "claude": "codex"}


def detect(world: World, target: str, *words: str, **variables: str) -> Completed:
    environ = world.environ(**variables)
    return run_runtime(world, HOST_OF[target], "detect", target, *words, environ=environ)


def tagged(answer: Completed, tag: str) -> list[str]:
    return [line for line in answer.out.splitlines() if line.startswith(f"[{tag}]")]


def test_hung_probes_are_named_in_time(world: World) -> None:
    """REQ DET-20, field report 9: one client hangs on its version, one on its login; both are told apart."""
    hangs = rule(stdout="1", sleep=600)
    codex = place(world, "codex", hangs)
    claude = place(world, "claude", PROBES["claude"][0], hangs)
    began = time.monotonic()
    answer = run_runtime(world, "claude", "detect")
    assert time.monotonic() - began < 14
    assert "[RELAY-DETECT] target=codex broken-install" in answer.out
    assert "[RELAY-DETECT] target=claude installed-unauthed" in answer.out
    assert [line.split("`")[1] for line in tagged(answer, "RELAY-PROBE")] == [
        "codex --version",
        "claude auth status --json",
    ]
    for call in (*codex.calls, *claude.calls):
        assert not Path(f"/proc/{call['pid']}").exists()


@pytest.mark.parametrize("target", HOST_OF)
def test_ordinary_login_needs_no_further_word(world: World, target: str) -> None:
    """REQ DET-22: a ready target is one line."""
    ready(world, target)
    answer = detect(world, target)
    assert len(answer.out.splitlines()) == 1, answer.out


def test_api_key_beats_claude_subscription(world: World) -> None:
    """A key in the environment is billed although a subscription is there: said by name, never by value."""
    ready(world, "claude")
    answer = detect(world, "claude", ANTHROPIC_API_KEY="sk-ant-marker")
    (line,) = tagged(answer, "RELAY-CREDENTIAL")
    assert "ANTHROPIC_API_KEY" in line
    assert "marker" not in answer.out


@pytest.mark.parametrize(
    ("method", "variables", "kind"),
    [
        ("claude.ai", {}, "subscription"),
        ("api_key_helper", {}, "API key helper"),
        ("oauth_token", {"CLAUDE_CODE_OAUTH_TOKEN": "x"}, "subscription token in CLAUDE_CODE_OAUTH_TOKEN"),
        ("oauth_token", {"ANTHROPIC_AUTH_TOKEN": "x"}, "token in ANTHROPIC_AUTH_TOKEN"),
        ("of-next-year", {}, "stored login"),
        (7, {}, "stored login"),
    ],
)
def test_who_pays_by_kind(world: World, method: object, variables: dict[str, str], kind: str) -> None:
    """REQ DET-19: the kind of credential in our words, never the client's value for it."""
    record = rule("auth", stdout=json.dumps({"loggedIn": True, "authMethod": method}))
    place(world, "claude", PROBES["claude"][0], record)
    answer = detect(world, "claude", "--json", **variables)
    assert answer.json()["data"]["targets"]["claude"]["credential"] == kind


def test_third_party_credentials_are_unchecked(world: World) -> None:
    """Claude's own check does not look at a provider's credentials, and the answer says so."""
    record = rule("auth", stdout='{"loggedIn": true, "authMethod": "third_party", "apiProvider": "bedrock"}')
    place(world, "claude", PROBES["claude"][0], record)
    (line,) = tagged(detect(world, "claude", CLAUDE_CODE_USE_BEDROCK="1"), "RELAY-CREDENTIAL")
    assert "third-party provider" in line


def test_api_key_beats_codex_login(world: World) -> None:
    """CODEX_API_KEY is used before what is stored."""
    ready(world, "codex")
    (line,) = tagged(detect(world, "codex", CODEX_API_KEY="sk-marker"), "RELAY-CREDENTIAL")
    assert "API key in CODEX_API_KEY" in line


LOGGED_OUT = rule("login", "status", stderr="Not logged in\n", exit=1)


def test_codex_key_that_its_login_check_does_not_see(world: World) -> None:
    """The check says logged out although the key is set; the answer says how to store it."""
    place(world, "codex", PROBES["codex"][0], LOGGED_OUT)
    answer = detect(world, "codex", CODEX_API_KEY="sk-marker")
    assert answer.code == 4
    (line,) = tagged(answer, "RELAY-CREDENTIAL")
    assert "printenv CODEX_API_KEY | codex login --with-api-key" in line


def test_openai_key_alone_is_no_login(world: World) -> None:
    """Codex ignores OPENAI_API_KEY; somebody who set it wants to know."""
    place(world, "codex", PROBES["codex"][0], LOGGED_OUT)
    (line,) = tagged(detect(world, "codex", OPENAI_API_KEY="sk-marker"), "RELAY-CREDENTIAL")
    assert "does not use OPENAI_API_KEY" in line


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ('model_provider = "azure"\n', True),
        ('# model_provider = "azure"\nmodel = "x"\n', False),
        ('model = "x"\n[profiles.p]\nmodel_provider = "azure"\n', False),
        ('"model_provider"="azure"\n[x]\n', True),
    ],
)
def test_own_model_provider_is_not_used(world: World, config: str, told: bool) -> None:
    """A relay leg ignores the user's Codex configuration, so a provider of his own there is named."""
    ready(world, "codex")
    (world.home / ".codex" / "config.toml").write_text(config)
    assert bool(tagged(detect(world, "codex"), "RELAY-CREDENTIAL")) is told


def test_codex_home_below_the_temporary_folder(world: World) -> None:
    """Codex cannot sandbox with its home there, and every command would fail while it exits 0."""
    ready(world, "codex")
    answer = detect(world, "codex", TMPDIR=str(world.home))
    (line,) = tagged(answer, "RELAY-SANDBOX")
    assert "CODEX_HOME" in line
    assert answer.code == 0


@pytest.mark.parametrize("missing", [("bwrap",), ("socat",), ("bwrap", "socat")])
def test_claude_sandbox_helpers_missing(world: World, missing: tuple[str, ...]) -> None:
    """Claude's strict sandbox needs both helpers; the packages of several systems are named."""
    ready(world, "claude")
    for name in {"bwrap", "socat"} - set(missing):
        place(world, name, rule())
    (line,) = tagged(detect(world, "claude", PATH=str(world.bin)), "RELAY-SANDBOX")
    packages = " ".join({"bwrap": "bubblewrap"}.get(name, name) for name in missing)
    assert f"`apt-get install {packages}`" in line
    assert f"`dnf install {packages}`" in line


def test_codex_brings_its_own_helper(world: World) -> None:
    """Without a bwrap on PATH Codex uses the one in its package."""
    ready(world, "codex")
    assert tagged(detect(world, "codex", PATH=str(world.bin)), "RELAY-SANDBOX") == []


@pytest.mark.parametrize("target", HOST_OF)
@pytest.mark.parametrize(
    "error",
    [
        "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted",
        "bwrap: setting up uid map: Permission denied",
    ],
)
def test_sandbox_that_cannot_start_is_found_before_a_leg(world: World, target: str, error: str) -> None:
    """Field report 30: the helper is tried, not only looked for; full access is no automatic answer."""
    ready(world, target)
    place(world, "bwrap", rule(stderr=error, exit=1))
    answer = detect(world, target, "--json")
    (note,) = answer.json()["data"]["targets"][target]["notes"]
    assert note["blocks"] is True
    assert error in note["text"]
    assert "Full access is never chosen for you." in note["text"]


def test_trial_asks_for_what_the_target_would(world: World) -> None:
    """The trial asks for the namespaces of the target's own sandbox, on a read-only root."""
    ready(world, "claude")
    helper = place(world, "bwrap", rule())
    detect(world, "claude")
    (argv,) = helper.argvs
    assert argv[:3] == ["--ro-bind", "/", "/"]
    assert {"--unshare-net", "--unshare-pid", "--proc"} <= set(argv)


MARKED = {"CODEX_SANDBOX_NETWORK_DISABLED": "1"}


def test_logged_out_inside_the_host_sandbox(world: World) -> None:
    """Field report 31: the sandbox may hide the login; how to look outside it comes before logging in."""
    place(world, "claude", PROBES["claude"][0], rule("auth", stdout='{"loggedIn": false}', exit=1))
    answer = detect(world, "claude", **MARKED)
    assert answer.code == 4
    question = answer.out.splitlines()[-1]
    assert "may hide the login and the network" in question
    assert question.index("require_escalated") < question.index("claude auth login")


def test_marked_host_sandbox_is_named_before_a_leg(world: World) -> None:
    """Field report 89: the host says that it has no network, and so do we, while no quota is spent."""
    ready(world, "claude")
    answer = detect(world, "claude", **MARKED)
    assert len(tagged(answer, "RELAY-NETWORK")) == 1
    assert "require_escalated" in answer.out


def test_escalated_form_is_a_complete_call(world: World) -> None:
    """The tool call to run outside the sandbox is JSON whose command is this very verb."""
    ready(world, "claude")
    question = detect(world, "claude", "--json", **MARKED).json()["data"]["next"]["question"]
    call = json.loads(question[question.index("{") :])
    assert call["sandbox_permissions"] == "require_escalated"
    assert shlex.split(call["cmd"])[2:] == ["detect", "claude"]


def test_other_host_does_not_read_the_marks(world: World) -> None:
    """A mark that Codex left in the environment says nothing about Claude Code's sandbox."""
    ready(world, "codex")
    assert tagged(detect(world, "codex", **MARKED), "RELAY-NETWORK") == []


def test_no_detour_through_the_shell(world: World) -> None:
    """A client in a folder whose name a shell would read is started as it is."""
    folder = world.root / "a $(touch ran) 'b\" ;c"
    folder.mkdir()
    fake = ready(world, "codex")
    for path in (fake.path, fake.path.with_name("codex.json")):
        path.rename(folder / path.name)
    answer = detect(world, "codex", PATH=f"{folder}:/usr/bin:/bin")
    assert (answer.code, list(world.root.rglob("ran"))) == (0, [])


def test_probes_run_where_a_leg_would(world: World, tmp_path: Path) -> None:
    """A version manager chooses by folder, so the probes ask in the project's."""
    fake = ready(world, "codex")
    project = tmp_path / "project"
    (project / "sub").mkdir(parents=True)
    subprocess.run(["git", "init", "-q", project], check=True, env=world.environ())
    run_runtime(world, "claude", "detect", "codex", cwd=project / "sub")
    assert {call["cwd"] for call in fake.calls} == {str(project)}


def test_locale_that_knows_only_ascii(world: World, tmp_path: Path) -> None:
    """Field report 8: an ASCII locale and invalid bytes from the client end in an answer, in UTF-8."""
    (tmp_path / "version").write_bytes(b"\xff\xfe caf\xe9 codex-cli 0.171.0\n")
    place(world, "codex", rule("--version", stdout={"file": str(tmp_path / "version")}), LOGGED_OUT)
    answer = detect(world, "codex", LC_ALL="C", PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert answer.out.startswith("[RELAY-DETECT] target=codex installed-unauthed — run: codex login\n")
    assert answer.err == ""


def test_oldest_python(world: World) -> None:
    """Readiness answers on Python 3.9."""
    ready(world, "codex")
    answer = run_runtime(world, "claude", "detect", "codex", python=python("3.9"))
    assert (answer.code, answer.err) == (0, "")
