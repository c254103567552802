"""Every command of ours in skills, references, README and docs runs, in the order of a user's first relay."""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.checkout import ROOT
from support.plans import a_feedback, a_gap, a_plan
from support.relaying import Relaying, make_relaying
from support.shown import program_commands, runtime_commands
from support.world import World

HOSTS = ("claude", "codex")
DOCS = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))

# Named in a text without being a command to run: two are the host's own, the others stand for several.
NO_COMMANDS = {"approve", "supervise", "config", "config …", "decide", "job", "job …"}
# tests/e2e and tests/runtime run the calls of jobs, each with its whole header.
JOBS = "job "


def texts(host: str) -> list[str]:
    package = ROOT / "dist" / host
    pages = (path for path in package.rglob("*.md") if "runtime" not in path.relative_to(package).parts)
    return [path.read_text(encoding="utf-8") for path in (*sorted(pages), *DOCS)]


def shown(host: str) -> set[str]:
    found = {command for text in texts(host) for command in runtime_commands(text)}
    return {command for command in found - NO_COMMANDS if not command.startswith(JOBS)}


@dataclass(frozen=True)
class Command:
    """A command as the texts show it. `words` are what is typed, where that differs."""

    shown: str
    exit: int = 0
    words: str = ""
    stdin: str = ""


PLAN = json.dumps(a_plan())
GAPS, CLEAN = json.dumps(a_feedback(a_gap())), json.dumps(a_feedback())
START = Command("start --tier 3 --gate2-approved --resolution TOKEN", stdin=PLAN)
RESOLVE = Command("resolve --entry work", stdin="--relay=other build it")

Act = Command | Callable[[Relaying], object]


def commit(relaying: Relaying) -> None:
    relaying.repo.commit({}, "settings")


def plays(*legs: str) -> Callable[[Relaying], None]:
    """The next legs write these texts; `-` changes nothing, `!` is refused for its login, `…` never ends."""

    def act(relaying: Relaying) -> None:
        dialect = relaying.dialect
        never = ["await", str(relaying.world.root / "never")]
        works = {
            "-": [*dialect.start(), *dialect.finish()],
            "!": [*dialect.start(), *dialect.fail("auth")],
            "…": [*dialect.start(), never],
        }
        relaying.plays(*(works.get(text) or relaying.works(text=text) for text in legs))

    return act


def story(host: str) -> list[Act]:
    """A first relay with a fix round, one that is aborted, one whose login is gone, one without a change."""
    poll = Command(f"poll --wait {({'claude': 110, 'codex': 25})[host]}")
    failed = Command(poll.shown, 4)
    target = {"claude": "codex", "codex": "claude"}[host]
    begin: list[Act] = [RESOLVE, START, Command("launch")]
    return [
        Command("setup"),
        Command("status"),
        *(
            Command(f"config {words}")
            for words in ("show", "explain", "show --defaults", "persist", "persist none")
        ),
        Command("config show codex"),
        commit,
        Command("detect"),
        Command("detect TARGET", words=f"detect {target}"),
        Command("resolve --entry relay", stdin="build it"),
        RESOLVE,
        Command("start --tier N --resolution TOKEN", 5, "start --tier 2 --resolution TOKEN"),
        plays("print('Hello')\n# 1\n", "print('Hello, Ada')\n"),
        START,
        Command("packet"),
        Command("launch"),
        Command("resume"),
        poll,
        Command("result"),
        Command("session"),
        Command("checkpoint"),
        Command("review", stdin=GAPS),
        Command("launch"),
        poll,
        Command("checkpoint"),
        Command("review", stdin=CLEAN),
        Command("finish"),
        *begin,
        Command("poll", words="poll --wait 20"),
        Command("abort"),
        commit,
        plays("…", "…"),
        *begin,
        Command("progress"),
        Command("poll --wait 20", words="poll --wait 0"),
        Command("decide continue-live"),
        Command("decide interrupt-and-resume", 1),
        Command("launch"),
        Command("decide stop", 1),
        Command("abort"),
        plays("!", "!"),
        *begin,
        failed,
        Command("decide retry"),
        Command("launch"),
        failed,
        Command("decide native", 5),
        Command("finish"),
        Command("finish"),
        plays("-"),
        *begin,
        poll,
        Command("decide accept-no-change"),
        Command("review", stdin=CLEAN),
        Command("finish"),
        Command(
            "start --approve-branch",
            words="start --tier 3 --gate2-approved --resolution TOKEN --approve-branch BRANCH",
            stdin=PLAN,
        ),
        Command(
            "start --accept-project-settings",
            words="start --tier 3 --gate2-approved --resolution TOKEN --accept-project-settings 0",
            stdin=PLAN,
        ),
    ]


@pytest.mark.parametrize("host", HOSTS)
def test_every_command_is_in_the_story(host: str) -> None:
    told = {act.shown for act in story(host) if isinstance(act, Command)}
    verbs = {each.split()[0] for each in told}
    assert {each for each in shown(host) - told if each not in verbs} == set()


@pytest.mark.parametrize("host", HOSTS)
def test_every_command_runs(world: World, host: str) -> None:
    """What a text shows can be typed, in this order, and ends as the table of exit codes says."""
    relaying = make_relaying(world, host)
    token = ""
    for act in story(host):
        if not isinstance(act, Command):
            act(relaying)
            continue
        typed = (act.words or act.shown).replace("TOKEN", token)
        typed = typed.replace("BRANCH", relaying.repo("branch", "--show-current"))
        done = relaying.run(*typed.split(), stdin=act.stdin)
        assert done.code == act.exit, f"{typed}: {done.out}{done.err}"
        if act is RESOLVE:
            token = done.out.rsplit("--resolution ", 1)[1].split()[0]


def test_the_commands_of_the_program_run(world: World, program: Path) -> None:
    """README and docs, in a user's order; `generate`, `rehearse` and jobs have tests of their own."""
    order = ["install --platforms codex", "install --platforms codex,claude", "status", "verify", "upgrade"]
    order += ["completion fish", "uninstall", "uninstall --platforms all"]
    elsewhere = ("generate", "rehearse", "job ", "runs ", "install --platforms claude --with jobs")
    found = {command for page in DOCS for command in program_commands(page.read_text(encoding="utf-8"))}
    assert {command for command in found if not command.startswith(elsewhere)} == set(order)
    environ = world.environ(PATH=f"{Path(sys.executable).parent}:{world.environ()['PATH']}")
    for command in order:
        done = subprocess.run(
            [program, *command.split()],
            cwd=world.home,
            env=environ,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"


def test_the_readmes_benchmarks_print_their_table() -> None:
    """One of them; whether it meets its goal depends on what else this machine does."""
    assert "`python tests/benchmarks/run.py`" in (ROOT / "README.md").read_text(encoding="utf-8")
    done = subprocess.run(
        [sys.executable, ROOT / "tests" / "benchmarks" / "run.py", "generate"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    assert "generate" in done.stdout
