"""Install made-up packages into a world, and kill an install wherever it touches the disk."""

import json
import os
import signal
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

from knowzcode_relay.hosts.surroundings import Surroundings
from knowzcode_relay.install.bring import Brought, bring
from knowzcode_relay.install.request import Request
from knowzcode_relay.install.uninstall import Removed, uninstall
from knowzcode_relay.package import PLAIN, PROGRAM, File, Package
from support.world import World, build_tree

_FAKE = Path(__file__).resolve().parents[1] / "fakes" / "claude_plugins.py"
_RUNTIME = b"""print('{"data": {"targets": {"codex": {"status": "ready", "version": "1.2.3"}}}}')\n"""


def skill(name: str, text: str = "Do it.") -> str:
    return f'---\nname: {name}\ndescription: "What {name} does."\n---\n{text}\n'


def codex_package(version: str = "1.0.0", **changes: str | None) -> Package:
    """A small package; `changes` set or remove files: a path, or a word where `__` is a slash."""
    return _package("codex", version, "knowzcode-relay/relay-package.json", _CODEX, changes)


def claude_package(version: str = "1.0.0", **changes: str | None) -> Package:
    return _package("claude", version, "relay-package.json", _CLAUDE, changes)


def jobs_package(version: str = "1.0.0", **changes: str | None) -> Package:
    """A small package of the job agent, which is added to Claude Code's."""
    return replace(_package("claude", version, "relay-package.json", _JOBS, changes), name="cc-agents")


_CODEX = {
    "knowzcode-relay/SKILL.md": skill("knowzcode-relay").encode(),
    "knowzcode-relay/runtime/relay.py": _RUNTIME,
    "knowzcode-work/SKILL.md": skill("knowzcode-work").encode(),
    "knowzcode-work/references/relay-execution.md": b"# The reference\n",
}
_CLAUDE = {
    ".claude-plugin/plugin.json": b'{"name": "knowzcode"}\n',
    "bin/kc-relay": b"#!/bin/sh\n",
    "runtime/relay.py": _RUNTIME,
    "skills/relay/SKILL.md": skill("relay").encode(),
    "skills/work/SKILL.md": skill("work").encode(),
    "skills/work/references/relay-execution.md": b"# The reference\n",
}


_JOBS = {
    ".claude-plugin/plugin.json": b'{"name": "cc-agents"}\n',
    "agents/job.md": b"---\nname: job\n---\n",
    "runtime/relay.py": _RUNTIME,
}


def _package(
    host: str, version: str, index: str, files: Mapping[str, bytes], changes: Mapping[str, str | None]
) -> Package:
    data: dict[str, bytes] = {**files, f"{_stem(host)}version.txt": version.encode()}
    for key, text in changes.items():
        path = key if "." in key else key.replace("__", "/").replace("SKILL", "SKILL.md").replace("_", "-")
        if text is None:
            del data[path]
        else:
            data[path] = text.encode()
    made = (File(path, each, PROGRAM if path.startswith("bin/") else PLAIN) for path, each in data.items())
    return Package("knowzcode", host, version, "", index, tuple(sorted(made)))


def _stem(host: str) -> str:
    return "knowzcode-relay/" if host == "codex" else ""


@dataclass(frozen=True)
class Machine:
    """One user's machine. `variables` go on top of the world's."""

    world: World
    variables: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def around(self) -> Surroundings:
        environ = {**self.world.environ(), **self.variables}
        return Surroundings(environ=environ, home=self.world.home, cwd=self.project, data=self.data)

    @property
    def data(self) -> Path:
        return self.world.home / ".local/share/knowzcode-relay"

    @property
    def project(self) -> Path:
        folder = self.world.root / "project"
        (folder / ".git").mkdir(parents=True, exist_ok=True)
        return folder

    @property
    def codex(self) -> Path:
        return self.world.home / ".codex/skills"

    @property
    def plugin(self) -> Path:
        return self.data / "knowzcode-relay/knowzcode"

    @property
    def drop_in(self) -> Path:
        return self.world.home / ".claude/skills/knowzcode"

    def manifest(self) -> dict[str, Any]:
        return json.loads((self.data / "manifest.json").read_text())

    def install(self, *packages: Package, verb: str = "install", **options: Any) -> Brought:
        named = {each.host if each.name == "knowzcode" else each.name: each for each in packages}
        return bring(self._request(verb, tuple(named), options), named, self.around)

    def change(self, verb: str, packages: Mapping[str, Package], names: tuple[str, ...]) -> Brought:
        """Install or upgrade with these packages at hand, asking only for those named."""
        return bring(self._request(verb, names, {}), packages, self.around)

    def upgrade(self, *packages: Package, **options: Any) -> Brought:
        return self.install(*packages, verb="upgrade", **options)

    def uninstall(self, *names: str, **options: Any) -> Removed:
        return uninstall(self._request("uninstall", names or ("claude", "codex"), options), self.around)

    def _request(self, verb: str, names: tuple[str, ...], options: dict[str, Any]) -> Request:
        given: dict[str, Any] = {"scope": "user", "project": self.project, **options}
        return Request(verb=verb, platforms=names, **given)

    def with_claude(self, **scenario: list[str]) -> "Machine":
        """Put the stand-in for Claude Code's plugin commands on PATH, with what it shall do wrong."""
        path = self.world.bin / "claude"
        path.write_text(f"#!{sys.executable} -I\n{_FAKE.read_text()}")
        path.chmod(0o755)
        path.with_suffix(".json").write_text(json.dumps(scenario))
        return self

    def without_claude(self) -> "Machine":
        (self.world.bin / "claude").unlink(missing_ok=True)
        return self


def register(machine: Machine, marketplace: str, *plugins: str) -> None:
    """Make Claude Code know a marketplace with these plugins; one that begins with `other` is off."""
    folder = machine.world.root / f"market-{marketplace}"
    build_tree(folder, {".claude-plugin/marketplace.json": json.dumps({"name": marketplace})})
    config = machine.world.home / ".claude"
    source = {"source": "directory", "path": str(folder)}
    entries = {each: [{"scope": "user", "version": "1"}] for each in plugins}
    build_tree(
        config,
        {
            "plugins/known_marketplaces.json": json.dumps({marketplace: {"source": source}}),
            "plugins/installed_plugins.json": json.dumps({"plugins": entries}),
            "settings.json": json.dumps(
                {
                    "enabledPlugins": {each: not each.startswith("other") for each in plugins},
                    "extraKnownMarketplaces": {marketplace: {"source": source}},
                }
            ),
        },
    )


def killed_at(step: int, act: Callable[[], object]) -> bool:
    """Run `act` in a child that is killed at its `step`-th touch of the disk or start of a process.

    False when it ended before that. Nothing of the child's own clean-up runs, as with kill -9.
    """
    child = os.fork()
    if child == 0:
        _kill_self_at(step)
        try:
            act()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


def kill_when(act: Callable[[], object], reached: Callable[[], bool]) -> None:
    """Kill `act` at one touch after another, each run going on from the last, until `reached` holds."""
    for step in count(1):
        assert killed_at(step, act), "it ended before that"
        if reached():
            return


_TOUCHES = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.symlink", "os.chmod", "subprocess.Popen"}


def _kill_self_at(step: int) -> None:
    left = step

    def count(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal left
        writes = (
            event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)
        )
        if event in _TOUCHES or writes:
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count)
