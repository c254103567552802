"""The job agent: a second plugin of Claude Code, beside the relay in the same marketplace folder."""

import sys
from pathlib import Path

from knowzcode_relay.errors import Exit, RelayError
from knowzcode_relay.hosts import base, claude, claude_leftovers
from knowzcode_relay.hosts.base import Obstacle, Site
from knowzcode_relay.hosts.claude_registry import JOBS, Registry, command
from knowzcode_relay.hosts.client import run
from knowzcode_relay.hosts.settings import read_json
from knowzcode_relay.hosts.surroundings import Surroundings
from knowzcode_relay.package import Package

NAME: str = JOBS
PLATFORM: str = claude.NAME
PACKAGE: str = JOBS
DIST: str = JOBS
INDEX: str = claude.INDEX
RUNTIME: str = claude.RUNTIME
USE: str = "start the agent cc-agents:job with a header and a task, from a conversation or a Workflow script"
VARIABLE: str = claude.VARIABLE

# The first release whose code hooks are told of a Workflow's agents.
FLOOR = (2, 1, 294)

settings_folder = claude.settings_folder
refusal = claude.refusal
choose = claude.choose
extra_files = base.no_extra_files
check = claude.check
registration = claude.registration
register = claude.register
displace = claude.displace
give_back = claude.give_back
neutral = claude.neutral


def sites(scope: str, project: Path, around: Surroundings) -> tuple[Site, ...]:  # noqa: ARG001  user scope only
    return claude.sites_of(NAME, JOBS, around)


def obstacles(site: Site, package: Package, around: Surroundings) -> tuple[Obstacle, ...]:  # noqa: ARG001  the same whatever the site
    """The marketplace is the relay's to look at."""
    return claude.namesakes(package, around)


def notices(site: Site, project: Path, around: Surroundings) -> tuple[str, ...]:
    return tuple(claude.switched_off(site, project, around))


def unregister(site: Site, around: Surroundings) -> None:
    registry, own = Registry.of(around), claude.identity_of(site)
    if site.kind == claude.MARKETPLACE_KIND and registry.installed(own):
        said = command(around, "uninstall", own).last_words
        if Registry.of(around).installed(own):
            raise RelayError(
                "claude.still-registered", f"Claude Code did not forget {own}: {said}", exit=Exit.FAILED
            )
    claude_leftovers.sweep(registry, JOBS)
    _forget_sessions(site, around)


def _forget_sessions(site: Site, around: Surroundings) -> None:
    """The runtime knows where its hooks noted sessions. Jobs and their reports stay: they are the user's."""
    runtime = site.root / RUNTIME / "relay.py"
    if runtime.is_file():
        run(
            [sys.executable, "-I", "-S", runtime, "job", "seen", "--forget"],
            env=around.environ,
            cwd=around.home,
        )


def hooks_off(project: Path, around: Surroundings) -> str:
    """The settings file of the user or the project that switches every hook off, or nothing."""
    own = project / ".claude"
    for path in (
        settings_folder(around) / "settings.json",
        own / "settings.json",
        own / "settings.local.json",
    ):
        if read_json(path).get("disableAllHooks") is True:
            return str(path)
    return ""


def too_old(version: str) -> bool:
    """Whether a release of the client, such as `2.1.197`, runs no code hooks that are of use here."""
    numbers = version.split(".")
    known = len(numbers) >= len(FLOOR) and all(part.isdigit() for part in numbers[: len(FLOOR)])
    return known and tuple(int(part) for part in numbers[: len(FLOOR)]) < FLOOR
