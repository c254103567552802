"""`rehearse` of the built wheel: whole relays with the real clients, from a home that holds nothing."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from support.clients import client
from support.fake_client import place, ready, rule
from support.waiting import wait_for
from support.wheel import CHECKOUT
from support.world import SYSTEM_PATH, World, make_world, tree_digest

BOTH = pytest.mark.client("claude", "codex")


@dataclass(frozen=True)
class Rehearsed:
    code: int
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)


def environ(world: World, *folders: Path) -> dict[str, str]:
    """The world's, with `folders` on PATH and the Python that npm's wrappers and kc-relay find."""
    python = Path(sys.executable).parent
    path = os.pathsep.join(map(str, (world.bin, *folders, python, *SYSTEM_PATH.split(os.pathsep))))
    return world.environ(PATH=path)


# What a user, or an agent around the rehearsal, may have set. None of it reaches the target.
USERS = {
    "ANTHROPIC_API_KEY": "sk-of-the-user",
    "OPENAI_API_KEY": "sk-of-the-user",
    "HTTP_PROXY": "http://127.0.0.1:9",
    "CLAUDECODE": "1",
    "CODEX_SANDBOX_NETWORK_DISABLED": "1",
    "KNOWZCODE_RELAY_DEPTH": "1",
    "GIT_DIR": "/nowhere",
}


def rehearse(program: Path, world: World, *words: str, folders: tuple[Path, ...] = ()) -> Rehearsed:
    done = subprocess.run(
        [program, "rehearse", *words],
        cwd=world.home,
        env={**environ(world, *folders), **USERS},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=170,
        check=False,
    )
    return Rehearsed(done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="module")
def both(program: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[World, Rehearsed, Rehearsed]:
    """Both directions at the same time, in one world: to codex as text, to claude as JSON with --keep."""
    folders = (client("codex").parent, client("claude").parent)
    world = make_world(tmp_path_factory.mktemp("both"))
    with ThreadPoolExecutor() as pool:
        codex = pool.submit(rehearse, program, world, folders=folders)
        claude = pool.submit(
            rehearse, program, world, "--target", "claude", "--json", "--keep", folders=folders
        )
        return world, codex.result(), claude.result()


Both = tuple[World, Rehearsed, Rehearsed]


@BOTH
def test_two_at_once_end_done_and_do_not_disturb_each_other(both: Both) -> None:
    _, codex, claude = both
    assert (codex.code, codex.err) == (0, ""), codex.out
    assert codex.out.endswith("verdict: claude → codex: DONE, 8 checks held\n")
    assert (claude.code, claude.err) == (0, ""), claude.out
    assert claude.json()["message"] == "codex → claude: DONE, 8 checks held"


@BOTH
def test_nothing_is_left_but_what_was_asked_to_be_kept(both: Both) -> None:
    """The user's home stays as it was; of two folders only the kept one is there."""
    world, _, claude = both
    assert tree_digest(world.home) == {".codex": (0o755, b"")}
    kept = Path(claude.json()["data"]["folder"])
    assert list((world.root / "tmp").iterdir()) == [kept]
    assert not processes_naming(world.root / "tmp")


@BOTH
def test_no_login_of_the_user_reaches_it(both: Both) -> None:
    _, _, claude = both
    kept = Path(claude.json()["data"]["folder"])
    files = [path for path in kept.rglob("*") if path.is_file() and not path.is_symlink()]
    assert not [path for path in files if b"sk-of-the-user" in path.read_bytes()]


@BOTH
def test_text_shows_each_step_with_its_evidence(both: Both) -> None:
    """Command, exit, marked lines, state with session and commits; `next:` stays a plain command."""
    _, codex, _ = both
    lines = codex.out.splitlines()
    commands = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
    verbs = [command.split()[1] for command in commands]
    assert list(dict.fromkeys(verbs)) == [
        *("setup", "resolve", "start", "launch", "poll", "checkpoint", "review", "finish"),
    ]
    assert verbs.count("launch") == verbs.count("checkpoint") == verbs.count("review") == 2
    assert lines.count("  exit 0") == len(commands)
    tagged = [line for line in lines if "[RELAY-" in line]
    assert tagged
    assert all(line.startswith("  [RELAY-REHEARSAL] [RELAY-") for line in tagged)
    said = [line.removeprefix("  next: ") for line in lines if line.startswith("  next: ")]
    assert commands[2:] == said[1:-1]  # after setup and resolve, each command is the one said before
    (last,) = [line for line in lines if line.startswith("  = DONE, round 1, session ")]
    assert [word.partition("=")[0] for word in last.split()[-3:]] == ["C0", "C1", "C2"]


@BOTH
def test_the_recording_in_the_readme_is_what_a_rehearsal_prints(both: Both) -> None:
    """After a change: knowzcode-relay rehearse | python tests/record_rehearsal.py > docs/rehearsal.svg"""
    _, codex, _ = both
    drawn = subprocess.run(
        [sys.executable, CHECKOUT / "tests" / "record_rehearsal.py"],
        input=codex.out,
        capture_output=True,
        text=True,
        check=True,
    )
    assert (CHECKOUT / "docs" / "rehearsal.svg").read_text(encoding="utf-8") == drawn.stdout


@BOTH
def test_json_is_one_object_with_the_same_evidence(both: Both) -> None:
    _, _, claude = both
    answer = claude.json()
    assert {key: answer[key] for key in ("schema", "verb", "ok", "code")} == {
        "schema": 1,
        "verb": "rehearse",
        "ok": True,
        "code": 0,
    }
    data = answer["data"]
    assert (data["host"], data["target"]) == ("codex", "claude")
    assert data["relay"]["state"] == "DONE"
    assert all(check["held"] for check in data["checks"])
    assert all(step["exit"] == 0 and step["lines"] for step in data["steps"])


@BOTH
def test_the_kept_repository_holds_what_the_protocol_says(both: Both) -> None:
    """REQ STA-01, CON-01, SNP-01: commits, state file and artifacts, looked at without our own checks."""
    _, _, claude = both
    data = claude.json()["data"]
    repository = Path(data["folder"]) / "repository"
    wgid, session = data["relay"]["wgid"], data["relay"]["session_id"]

    def git(*words: str) -> str:
        plain = {"PATH": SYSTEM_PATH, "HOME": str(repository.parent / "home")}
        return subprocess.check_output(["git", *words], cwd=repository, env=plain, text=True).rstrip("\n")

    commits = data["relay"]["checkpoints"]
    assert git("branch", "--show-current") == f"kc-relay/{wgid}"
    assert git("rev-list", "--reverse", "main..HEAD").splitlines() == [commits[f"C{n}"] for n in range(3)]
    assert [git("show", f"{commits[label]}:greeting/hello.txt") for label in ("C1", "C2")] == [
        "Hello",
        "Hello, Ada",
    ]
    folder = repository / "knowzcode" / "workgroups" / f"{wgid}-relay"
    state = (folder / "state.md").read_text()
    assert f"**State:** DONE\n**Round:** 1\n**Max Fix Rounds:** 2\n**Session ID:** {session}\n" in state
    assert [(folder / f"exit-r{number}").read_text() for number in (0, 1)] == ["0\n", "0\n"]
    assert session in (folder / "claude-log-r1.jsonl").read_text()
    assert (folder / "feedback-r1.md").is_file()
    assert (
        f"**State:** DONE | **Round:** 1 | **Session:** {session}"
        in folder.with_name(f"{wgid}.md").read_text()
    )


@pytest.mark.parametrize(("words", "title"), [((), "Codex"), (("--host", "codex"), "Claude Code")])
def test_without_the_client_it_says_what_to_install(
    program: Path, world: World, words: tuple[str, ...], title: str
) -> None:
    """Exit 3 with the remedy, and nothing is changed."""
    before = tree_digest(world.root)
    done = rehearse(program, world, *words)
    assert done.code == 3
    assert done.out.startswith(
        f"error: A rehearsal needs {title}, which is not-installed.\nhint: Install {title}"
    )
    assert tree_digest(world.root) == before


@pytest.mark.parametrize(
    ("version", "login", "told"),
    [
        ("0.100.0", 1, "A rehearsal needs Codex, which is too-old."),
        ("0.171.0", 1, "Codex did not store a made-up key: no such option"),
    ],
)
def test_a_client_that_cannot_be_used_is_named(
    program: Path, world: World, version: str, login: int, told: str
) -> None:
    """Exit 3; an old release is called old, although it does not know our way to log in either."""
    place(
        world,
        "codex",
        rule("--version", stdout=f"codex-cli {version}\n"),
        rule("login", "status", exit=1),
        rule("login", "--with-api-key", stderr="no such option\n", exit=login),
    )
    done = rehearse(program, world)
    assert (done.code, done.out.splitlines()[0]) == (3, f"error: {told}")
    assert not list((world.root / "tmp").iterdir())


@pytest.mark.parametrize("words", [("--host", "codex", "--target", "codex"), ("--target", "gemini")])
def test_words_that_name_no_pair_are_refused(program: Path, world: World, words: tuple[str, ...]) -> None:
    assert rehearse(program, world, *words).code == 2


def test_a_takeover_is_no_success(program: Path, world: World) -> None:
    """A relay may end DONE without its target; a rehearsal that never saw it work does not."""
    fails = rule("-a", stdin=True, stderr="Error: out of order\n", exit=1)
    ready(world, "codex", rule("login", "--with-api-key"), fails)
    done = rehearse(program, world, "--json")
    assert done.code == 1
    answer = done.json()
    assert "FAILED" in answer["message"]
    assert answer["hint"] == "Look at what it left: rehearse again with --keep."
    held = {check["name"]: check["held"] for check in answer["data"]["checks"]}
    assert not held["every command of the runtime ended with 0"]
    assert not held["the fix round went on in the session of the first one"]
    assert held["no process is left"]
    assert not list((world.root / "tmp").iterdir())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["ctrl-c", "terminated"])
def test_an_interrupt_ends_all_that_was_started(program: Path, world: World, number: signal.Signals) -> None:
    """Also a target that is deaf to every polite signal, and the shell that it left in another session."""
    reached, shell = world.root / "reached", world.root / "shell"
    leg = rule("-a", stdin=True, ignore=["SIGINT", "SIGTERM"], grandchild=str(shell), session=True)
    leg["steps"] = [["write", str(reached), "x"], ["await", str(world.root / "never")]]
    place(
        world,
        "codex",
        rule("--version", stdout="codex-cli 0.171.0\n"),
        rule("login", "status", stderr="Logged in\n"),
        rule("login", "--with-api-key"),
        leg,
    )
    with started(program, world) as running:
        wait_for(reached.exists, 60, "the leg")
        running.send_signal(number)
        assert running.wait(60) == 130
    assert not processes_naming(world.root / "tmp")
    assert not list((world.root / "tmp").iterdir())
    assert shell.exists()


@contextmanager
def started(program: Path, world: World) -> Generator[subprocess.Popen[bytes]]:
    running = subprocess.Popen(
        [program, "rehearse"],
        cwd=world.home,
        env=environ(world),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield running
    finally:
        running.kill()
        running.wait()


def processes_naming(folder: Path) -> list[str]:
    """The command lines of all processes that have `folder` in their words or their environment."""
    found: list[str] = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                words, variables = ((process / name).read_bytes() for name in ("cmdline", "environ"))
            except OSError:
                continue
            if str(folder).encode() + b"/" in words + variables:
                found.append(words.replace(b"\0", b" ").decode())
    return found
