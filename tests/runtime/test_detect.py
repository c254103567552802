"""Readiness of a target, asked of fake clients through the runtime as a user calls it."""

import json
import re
from pathlib import Path

import pytest

from relay_runtime.clock import SystemClock
from relay_runtime.context import Context
from relay_runtime.package import Package
from relay_runtime.readiness.detect import exists
from support.fake_client import PROBES, place, ready, rule
from support.runtime_package import Completed, run_runtime
from support.world import World, tree_digest

TARGETS = ("codex", "claude")
HOST_OF = {"codex": "claude", "claude": "codex"}
VERSIONS = {"codex": "0.171.0", "claude": "2.1.332"}
LOGINS = {"codex": "codex login", "claude": "claude auth login"}
LOGIN_ARGV = {"codex": ["login", "status"], "claude": ["auth", "status", "--json"]}


def detect(world: World, target: str, *words: str, environ: dict[str, str] | None = None) -> Completed:
    return run_runtime(world, HOST_OF[target], "detect", target, *words, environ=environ)


def readiness_line(answer: Completed) -> str:
    (line,) = [line for line in answer.out.splitlines() if line.startswith("[RELAY-DETECT]")]
    return line


def logged_out(target: str):
    return (
        rule("--version", stdout=f"{VERSIONS[target]}\n"),
        rule(*LOGIN_ARGV[target], stdout='{"loggedIn": false}', stderr="Not logged in\n", exit=1),
    )


@pytest.mark.parametrize("target", TARGETS)
def test_missing_program_is_not_installed(world: World, target: str) -> None:
    """REQ DET-01, DET-04, DET-22: no such program on PATH; exit 3 and the plain line."""
    answer = detect(world, target)
    assert (answer.code, readiness_line(answer)) == (3, f"[RELAY-DETECT] target={target} not-installed")


@pytest.mark.parametrize("target", TARGETS)
def test_failing_version_probe_is_a_broken_install(world: World, target: str) -> None:
    """REQ DET-02, DET-06: a version probe that fails ends the look; the login is not asked for."""
    fake = place(world, target, rule("--version", stderr="boom\n", exit=1), *PROBES[target])
    answer = detect(world, target)
    assert (answer.code, readiness_line(answer)) == (3, f"[RELAY-DETECT] target={target} broken-install")
    assert fake.argvs == [["--version"]]


@pytest.mark.parametrize("target", TARGETS)
def test_program_that_cannot_be_spawned_is_a_broken_install(world: World, target: str) -> None:
    """REQ DET-02: an executable file that is no program."""
    path = world.bin / target
    path.write_bytes(b"\x00\x01\x02 not a program")
    path.chmod(0o755)
    answer = detect(world, target)
    assert (answer.code, readiness_line(answer)) == (3, f"[RELAY-DETECT] target={target} broken-install")
    assert f"`{target}` could not be started" in answer.out


@pytest.mark.parametrize("target", TARGETS)
def test_ready_with_version(world: World, target: str) -> None:
    """REQ DET-03, DET-05, DET-22: executable, version, login, in this order, and nothing else is called."""
    fake = ready(world, target)
    answer = detect(world, target)
    expected = f"[RELAY-DETECT] target={target} ready ({VERSIONS[target]}, authed)"
    assert (answer.code, readiness_line(answer)) == (0, expected)
    assert fake.argvs == [["--version"], LOGIN_ARGV[target]]


@pytest.mark.parametrize("target", TARGETS)
def test_logged_out_names_the_login_command(world: World, target: str) -> None:
    """REQ DET-03, DET-05, DET-22: exit 4, the login command on the line."""
    place(world, target, *logged_out(target))
    answer = detect(world, target)
    expected = f"[RELAY-DETECT] target={target} installed-unauthed — run: {LOGINS[target]}"
    assert (answer.code, readiness_line(answer)) == (4, expected)


def test_codex_login_text_does_not_matter(world: World) -> None:
    """REQ DET-21: the login probe's exit status decides, whatever it prints and where."""
    place(world, "codex", PROBES["codex"][0], rule("login", "status", stdout="Not logged in\n", exit=0))
    assert readiness_line(detect(world, "codex")).endswith("ready (0.171.0, authed)")


@pytest.mark.parametrize(
    ("exit_code", "record"),
    [
        (0, '{"loggedIn": false}'),
        (1, '{"loggedIn": true}'),
        (0, '{"loggedIn": "true"}'),
        (0, '{"loggedIn": 1}'),
        (0, '{"loggedIn": true'),
        (0, '["loggedIn", true]'),
        (0, "true"),
        (0, "null"),
        (0, ""),
        (0, "Logged in"),
    ],
)
def test_claude_needs_exit_0_and_a_login_that_is_true(world: World, exit_code: int, record: str) -> None:
    """REQ DET-05: anything but exit 0 with `loggedIn` being true itself is logged out."""
    place(world, "claude", PROBES["claude"][0], rule("auth", stdout=record, exit=exit_code))
    answer = detect(world, "claude")
    assert (answer.code, "installed-unauthed" in answer.out) == (4, True)


@pytest.mark.parametrize("words", [(), ("--json",)])
@pytest.mark.parametrize("logged_in", [True, False])
def test_nothing_personal_is_shown(world: World, words: tuple[str, ...], logged_in: bool) -> None:
    """REQ DET-07, DET-19: neither person, organisation, plan nor method of the login record is shown."""
    record = {
        "loggedIn": logged_in,
        "authMethod": "method-marker",
        "apiProvider": "provider-marker",
        "subscriptionType": "plan-marker",
        "email": "person-marker@example.com",
        "orgId": "org-id-marker",
        "orgName": "Org Name Marker",
        "configDirectory": "/folder-marker",
    }
    place(
        world,
        "claude",
        PROBES["claude"][0],
        rule("auth", stdout=json.dumps(record), stderr="key sk-marker\n"),
    )
    answer = detect(world, "claude", *words)
    assert not re.search("marker", answer.out + answer.err, re.IGNORECASE)
    assert "claude" in answer.out


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("installed", [True, False])
def test_detection_writes_nothing(world: World, tmp_path: Path, target: str, installed: bool) -> None:
    """REQ DET-08: project and home are the same bytes before and after."""
    if installed:
        ready(world, target)
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    before = tree_digest(project), tree_digest(world.home)
    run_runtime(world, HOST_OF[target], "detect", target, cwd=project)
    assert (tree_digest(project), tree_digest(world.home)) == before


REMEDIES = {
    ("codex", "missing"): ("npm i -g @openai/codex", "brew install codex", "codex login"),
    ("codex", "broken"): ("npm i -g @openai/codex --force", "brew reinstall codex"),
    ("codex", "unauthed"): ("codex login", "CODEX_API_KEY"),
    ("claude", "missing"): ("supported installer", "claude auth login"),
    ("claude", "broken"): ("einstall", "claude --version"),
    ("claude", "unauthed"): ("claude auth login", "provider credentials"),
}


@pytest.mark.parametrize(("target", "state"), REMEDIES)
def test_remediation_fits_target_and_finding(world: World, target: str, state: str) -> None:
    """REQ DET-11: six cells, each with its own commands and none of the other target's."""
    if state == "broken":
        place(world, target, rule("--version", exit=1))
    elif state == "unauthed":
        place(world, target, *logged_out(target))
    text = detect(world, target).out
    assert all(words in text for words in REMEDIES[target, state])
    other = "claude" if target == "codex" else "codex"
    assert not re.search(rf"{other} (auth )?login|{other} --version|npm i -g @.*{other}", text)


@pytest.mark.parametrize(("target", "version"), [("codex", "0.129.9"), ("claude", "2.1.196")])
def test_below_the_oldest_release_we_know(world: World, target: str, version: str) -> None:
    """An older client is not ready: version and floor are named, exit 3, and its login is not asked for."""
    fake = place(world, target, rule("--version", stdout=f"{version}\n"), *PROBES[target])
    answer = detect(world, target)
    floor = {"codex": "0.130.0", "claude": "2.1.197"}[target]
    expected = f"[RELAY-DETECT] target={target} too-old ({version}, needs {floor})"
    assert (answer.code, readiness_line(answer)) == (3, expected)
    assert fake.argvs == [["--version"]]


@pytest.mark.parametrize(("target", "version"), [("codex", "0.130.0"), ("claude", "2.1.197")])
def test_the_oldest_release_we_know_is_ready(world: World, target: str, version: str) -> None:
    """The floor itself is fine, and a longer number is compared as a number."""
    place(world, target, rule("--version", stdout=f"{version}\n"), *PROBES[target])
    assert detect(world, target).code == 0


def test_version_with_noise_around_it(world: World) -> None:
    """A notice before the version and a suffix after it do not hide it."""
    noisy = rule("--version", stdout="npm notice update\ncodex-cli 0.172.0-alpha.3 (linux)\n")
    place(world, "codex", noisy, *PROBES["codex"])
    assert "ready (0.172.0-alpha.3, authed)" in detect(world, "codex").out


def test_both_targets_without_a_name(world: World) -> None:
    """Both are reported and the exit says only that we looked."""
    ready(world, "codex")
    answer = run_runtime(world, "claude", "detect", "--json")
    targets = answer.json()["data"]["targets"]
    assert (answer.code, {name: found["status"] for name, found in targets.items()}) == (
        0,
        {"codex": "ready", "claude": "not-installed"},
    )


def test_unknown_target_is_a_usage_error(world: World) -> None:
    """A third target does not exist: exit 2, and the two that do are listed."""
    answer = run_runtime(world, "claude", "detect", "gemini")
    assert answer.code == 2
    assert "gemini" in answer.out
    assert "codex claude" in answer.out


def test_login_is_not_called_proven(world: World) -> None:
    """Field report 92: what a login check says is not what a call proves, and the words differ."""
    ready(world, "codex")
    data = detect(world, "codex", "--json").json()["data"]["targets"]["codex"]
    assert data["login"] == "logged in (not proven)"


def test_a_client_of_the_repository_is_not_run(world: World, tmp_path: Path) -> None:
    """A relative or empty entry of PATH would run a file of the repository; it is passed over."""
    trap = tmp_path / "project" / "codex"
    trap.parent.mkdir()
    trap.write_text("#!/bin/sh\ntouch ran\necho codex-cli 9.9.9\n")
    trap.chmod(0o755)
    environ = world.environ(PATH=".::/usr/bin:/bin")
    answer = run_runtime(world, "claude", "detect", "codex", cwd=trap.parent, environ=environ)
    assert (answer.code, (trap.parent / "ran").exists()) == (3, False)


@pytest.mark.parametrize("installed", [True, False])
def test_existence_check_starts_nothing(world: World, installed: bool) -> None:
    """REQ DET-10: ordinary work asks only whether the program is there; no version, no login."""
    fake = ready(world, "codex")
    context = Context(
        package=Package(host="claude", version="0.1.0", call=("kc-relay",)),
        environ=world.environ() if installed else world.environ(PATH="/usr/bin:/bin"),
        cwd=world.root,
        clock=SystemClock(),
        read_stdin=bytes,
    )
    assert (exists("codex", context), fake.argvs) == (installed, [])
