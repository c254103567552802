"""Gemini CLI: nothing is installed for it, and this looks in every place it reads for a relay skill."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from knowzcode_relay.hosts.client import SECONDS, run
from knowzcode_relay.hosts.skilltext import declared_name, skill_files, text_of
from knowzcode_relay.hosts.surroundings import Surroundings, repository

NAME = "gemini"
REFUSAL = (
    "Gemini CLI is no relay host: a relay skill there could not keep the review apart from the work, "
    "so nothing is installed for gemini."
)

# Text that calls our runtime makes any skill or command a relay skill, whatever its name.
_CALLS = ("kc-relay", "relay_runtime", "runtime/relay.py", "relay-execution.md", "RELAY_HOST")
_OURS = ("knowzcode-", "knowzcode:")


def user_folder(around: Surroundings) -> Path:
    """The folder that stands for the home in everything Gemini reads."""
    return around.folder("GEMINI_CLI_HOME", around.home)


def relay_texts(project: Path, around: Surroundings) -> tuple[Path, ...]:
    """The files in places that Gemini reads which are a relay skill or command, or call our runtime."""
    return tuple(dict.fromkeys(path for path in _candidates(project, around) if _is_relay(path)))


def _candidates(project: Path, around: Surroundings) -> Iterator[Path]:
    user = user_folder(around)
    extensions = sorted((user / ".gemini" / "extensions").glob("*"))
    for top in dict.fromkeys((user, around.home, project, repository(project))):
        yield from skill_files(top / ".gemini" / "skills")
        yield from skill_files(top / ".agents" / "skills")
        yield from _commands(top / ".gemini" / "commands")
    for extension in extensions:
        yield from skill_files(extension / "skills")
        yield from _commands(extension / "commands")


def _commands(folder: Path) -> Iterator[Path]:
    for at, _, names in os.walk(folder, followlinks=False):
        yield from (Path(at) / name for name in sorted(names) if name.endswith(".toml"))


def _is_relay(path: Path) -> bool:
    text = text_of(path)
    name = path.parent.name if path.name == "SKILL.md" else path.stem
    names = (name, declared_name(text))
    return any(each.startswith(_OURS) for each in names) or any(call in text for call in _CALLS)


def listed(project: Path, around: Surroundings) -> tuple[str, ...] | None:
    """The relay skills that the client itself lists; None where it is not on PATH or gives no list.

    The client writes into its home, so it gets a temporary one that only links to what it reads.
    """
    client = around.which("gemini")
    if client is None:
        return None
    user = user_folder(around)
    with tempfile.TemporaryDirectory(prefix="knowzcode-relay-gemini-") as folder:
        stand_in = Path(folder)
        (stand_in / ".gemini").mkdir()
        for name in ("skills", "extensions", "commands", "settings.json"):
            if (user / ".gemini" / name).exists():
                (stand_in / ".gemini" / name).symlink_to((user / ".gemini" / name).resolve())
        if (around.home / ".agents").exists():
            (stand_in / ".agents").symlink_to((around.home / ".agents").resolve())
        env = {
            **around.environ,
            "HOME": folder,
            "GEMINI_CLI_HOME": folder,
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        }
        answer = run([client, "skills", "list", "--all"], env=env, cwd=repository(project), seconds=SECONDS)
    # Its exit code is 0 whatever it found, and it is not 0 for reasons of its own; the list is what counts.
    if not any(mark in answer.out for mark in ("Discovered Agent Skills", "No skills discovered")):
        return None
    names = (line.split()[0] for line in answer.out.splitlines() if line[:1].strip() and " [" in line)
    return tuple(name for name in names if name.replace(":", "-").startswith("knowzcode-"))
