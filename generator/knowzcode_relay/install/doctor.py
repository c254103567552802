"""doctor: what on this machine would keep a relay from working, each finding with its remedy."""

import platform
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from knowzcode_relay.hosts.client import run
from knowzcode_relay.hosts.surroundings import Surroundings
from knowzcode_relay.install.readiness import Readiness
from knowzcode_relay.install.status import Status

_RUNTIME_PYTHON = (3, 9)
_SECONDS = 10.0
_READY = "ready"


class Level(StrEnum):
    FINE = "ok"
    NOTICE = "note"
    PROBLEM = "problem"


@dataclass(frozen=True)
class Finding:
    subject: str
    level: Level
    text: str
    remedy: str = ""


def diagnose(status: Status, around: Surroundings) -> tuple[Finding, ...]:
    """Every finding, the good ones too. Values of variables are never shown."""
    return (
        *_python(around),
        *_git(around),
        *_targets(status.readiness),
        *_sandbox(around),
        *_nesting(around),
        *_installs(status),
    )


def _python(around: Surroundings) -> Iterator[Finding]:
    yield Finding("python", Level.FINE, f"this program runs on Python {platform.python_version()}")
    needed = ".".join(str(part) for part in _RUNTIME_PYTHON)
    found = around.which("python3")
    if found is None:
        remedy = f"Install Python {needed} or newer so that python3 is on PATH."
        yield Finding(
            "python3", Level.PROBLEM, "python3, which runs the bundled runtime, is not on PATH", remedy
        )
        return
    answer = run([found, "--version"], env=around.environ, cwd=around.cwd, seconds=_SECONDS)
    words = answer.out.split()
    numbers = words[1].split(".") if len(words) > 1 else []
    if answer.code != 0 or len(numbers) < 2 or not all(part.isdigit() for part in numbers[:2]):
        yield Finding(
            "python3", Level.PROBLEM, f"{found} does not start: {answer.last_words}", "Reinstall it."
        )
    elif (int(numbers[0]), int(numbers[1])) < _RUNTIME_PYTHON:
        remedy = f"Put Python {needed} or newer first on PATH."
        yield Finding("python3", Level.PROBLEM, f"{found} is Python {words[1]}, too old", remedy)
    else:
        yield Finding("python3", Level.FINE, f"{found} is Python {words[1]}")


def _git(around: Surroundings) -> Iterator[Finding]:
    found = around.which("git")
    if found is None:
        yield Finding("git", Level.PROBLEM, "git is not on PATH", "Install git.")
        return
    answer = run([found, "--version"], env=around.environ, cwd=around.cwd, seconds=_SECONDS)
    if answer.code == 0:
        yield Finding("git", Level.FINE, answer.out.strip())
    else:
        yield Finding("git", Level.PROBLEM, f"{found} does not start: {answer.last_words}", "Reinstall git.")


def _targets(readiness: Readiness) -> Iterator[Finding]:
    if readiness.problem:
        remedy = "Run: knowzcode-relay verify"
        yield Finding("readiness", Level.PROBLEM, f"unknown; {readiness.problem}", remedy)
    for name, target in readiness.targets.items():
        level = Level.FINE if target.status == _READY else Level.PROBLEM
        yield Finding(name, level, f"{target.status} {target.version}".strip(), target.remedy)
        for note in target.notes:
            yield Finding(name, Level.NOTICE, note)


def _sandbox(around: Surroundings) -> Iterator[Finding]:
    if sys.platform != "linux":
        return
    for program in ("bwrap", "socat"):
        if found := around.which(program):
            yield Finding("sandbox", Level.FINE, f"{program} is {found}")
        else:
            package = {"bwrap": "bubblewrap"}.get(program, program)
            text = f"{program}, which sandboxes a leg, is not on PATH"
            yield Finding("sandbox", Level.PROBLEM, text, f"Install the system package {package}.")


def _nesting(around: Surroundings) -> Iterator[Finding]:
    if around.environ.get("KNOWZCODE_RELAY_DEPTH"):
        remedy = "Run doctor and relays from a shell of your own."
        yield Finding("nesting", Level.PROBLEM, "this shell belongs to a leg, which starts no relay", remedy)
    if around.environ.get("CODEX_SANDBOX_NETWORK_DISABLED"):
        remedy = "Approve the command to run outside the sandbox."
        yield Finding("nesting", Level.PROBLEM, "this shell is in Codex's sandbox without network", remedy)
    elif around.environ.get("CODEX_THREAD_ID") or around.environ.get("CLAUDECODE"):
        yield Finding("nesting", Level.NOTICE, "this shell belongs to a coding agent")


def _installs(status: Status) -> Iterator[Finding]:
    again = "Run: knowzcode-relay upgrade"
    if status.interrupted:
        yield Finding(
            "install", Level.PROBLEM, f"an interrupted {status.interrupted} waits to be ended", again
        )
    if not status.standings:
        remedy = "Run: knowzcode-relay install --platforms all"
        yield Finding("install", Level.NOTICE, "nothing is installed", remedy)
    for each in status.standings:
        name, root = each.install.site.platform, each.install.site.root
        level = Level.FINE if each.state == "current" else Level.NOTICE
        text = f"{name} loads {root}, version {each.install.version}, {each.state}"
        yield Finding("install", level, text, "" if level is Level.FINE else "See: knowzcode-relay status")
    for each in status.exactness:
        level = Level.PROBLEM if each.exact is False else Level.FINE if each.exact else Level.NOTICE
        yield Finding("jobs", level, each.text, each.remedy)
    for sentence in status.shadows:
        yield Finding("shadow", Level.NOTICE, sentence)
