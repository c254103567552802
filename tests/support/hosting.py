"""A user's machine with real clients and our package, which the built program installed."""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

from knowzcode_relay.rehearsal import endpoints
from knowzcode_relay.rehearsal.model_server import ModelServer
from knowzcode_relay.rehearsal.request import Request
from knowzcode_relay.rehearsal.script import Delay, Step, Text, ToolCall
from support.clients import release
from support.obeying import Agent, Mind
from support.relaying import TARGET_OF
from support.repo import Repo, make_repo
from support.run_client import Run, run_client
from support.world import SYSTEM_PATH, World

NEWEST = {"claude": "2.1.332", "codex": "0.171.0"}
# Hosts of whole relays with the releases of both clients; docs/clients.md says the same.
DRILLED = (
    ("claude", NEWEST),
    ("codex", NEWEST),
    ("claude", {"claude": "2.1.197", "codex": "0.130.0"}),
    ("codex", {"claude": "2.1.197", "codex": "0.153.4"}),
)


@dataclass(frozen=True)
class Session:
    """One run of the host: what its model was told last, what it ran, what each side asked its model."""

    ended: str
    ran: tuple[str, ...]
    target: tuple[Request, ...]
    run: Run

    @property
    def shell(self) -> list[str]:
        """What the target's shell answered, oldest first."""
        return list(dict.fromkeys(result for each in self.target for result in each.tool_results))

    @property
    def verbs(self) -> list[str]:
        """The verbs that the host called, each once for several calls in a row."""
        called = [line.rpartition('relay.py"')[2] or line for line in self.ran]
        called = [line.rpartition("relay.py")[2] or line for line in called]
        words = [line.removeprefix("kc-relay").strip("' \"").split()[0] for line in called]
        return [word for before, word in zip(["", *words], words, strict=False) if word != before]


class Hosting:
    """`host` with our package in user scope; its target logged in, both clients at the given releases."""

    def __init__(self, world: World, program: Path, host: str, **releases: str) -> None:
        self.world, self.host, self.target = world, host, TARGET_OF[host]
        self._both = world.root / "clients"
        self._alone = world.root / "host-alone"
        for folder, names in ((self._both, ("claude", "codex")), (self._alone, (host,))):
            folder.mkdir()
            for name in names:
                (folder / name).symlink_to(release(name, releases.get(name, NEWEST[name])))
        self._program = program
        self._installed()
        self.log_in(world.home / ".codex")

    @property
    def skills(self) -> Path:
        """The installed skills."""
        if self.host == "codex":
            return self.world.home / ".codex" / "skills"
        (found,) = (self.world.home / ".local" / "share").rglob("skills/relay")
        return found.parent

    @property
    def runtime(self) -> Path:
        """The installed relay.py."""
        folder = self.skills / "knowzcode-relay" if self.host == "codex" else self.skills.parent
        return folder / "runtime" / "relay.py"

    def repo(self, name: str, files: dict[str, str | bytes] | None = None) -> Repo:
        """A repository of this user's."""
        repo = make_repo(self.world, name)
        if files:
            repo.commit(files)
        return repo

    def log_in(self, home: Path) -> None:
        """Store a made-up key for Codex in `home`."""
        home.mkdir(exist_ok=True)
        login = run_client(
            [self._both / "codex", "login", "--with-api-key"],
            cwd=self.world.root,
            environ=self.world.environ(CODEX_HOME=str(home)),
            logs=self.world.root / "logs",
            stdin="scripted\n",
        )
        assert login.code == 0, login.err

    @contextmanager
    def scene(self, repo: Repo, model: "Target | None" = None) -> Generator["Scene"]:
        """One model server for several runs of the host in `repo`, and for the target that they start."""
        scene = Scene(self, repo, model)
        with ModelServer(scene.script) as server:
            scene.server = server
            yield scene

    def session(
        self,
        repo: Repo,
        prompt: str,
        mind: Mind,
        *options: str,
        model: "Target | None" = None,
        installed: bool = True,
        logged_in: bool = True,
    ) -> Session:
        """One run of the host with a server of its own; see Scene.session."""
        with self.scene(repo, model) as scene:
            return scene.session(prompt, mind, *options, installed=installed, logged_in=logged_in)

    def agent(self, mind: Mind) -> Agent:
        """An agent that makes this host's tool calls."""
        if self.host == "claude":
            return Agent(mind, _bash, lambda name: ToolCall("Skill", {"skill": f"knowzcode:{name}"}))
        return Agent(
            mind,
            _exec,
            lambda name: _exec(
                f"cat {shlex.quote(str(self.skills / f'knowzcode-{name}' / 'SKILL.md'))}", 30_000
            ),
            str(self.skills / "knowzcode-relay"),
        )

    def argv(self, url: str, *options: str) -> list[str | Path]:
        """A run that reads its prompt from stdin. Without options it may do all that a user would approve."""
        if self.host == "claude":
            words = ("--output-format", "stream-json", "--verbose")
            return [self._both / "claude", "-p", *words, *(options or ("--permission-mode", "dontAsk"))]
        arguments = endpoints.codex(url).arguments
        sandbox = options or ("-s", "danger-full-access")
        return [self._both / "codex", "-a", "never", "exec", *arguments, "--json", *sandbox, "-"]

    def environ(self, url: str, *, installed: bool, logged_in: bool) -> dict[str, str]:
        """What the user's shell has; without `installed` no target, without `logged_in` no login of it."""
        search = os.pathsep.join((str(self._both if installed else self._alone), SYSTEM_PATH))
        # Codex runs commands in a login shell, which has the PATH of its profile.
        (self.world.home / ".bash_profile").write_text(f"export PATH={shlex.quote(search)}\n")
        known = {**endpoints.codex(url).environ, **endpoints.claude(url).environ}
        if not logged_in and self.target == "claude":
            del known["ANTHROPIC_API_KEY"]
        if not logged_in and self.target == "codex":
            (logged_out := self.world.root / "no-login").mkdir(exist_ok=True)
            known["CODEX_HOME"] = str(logged_out)
        return self.world.environ(**known, PATH=search, KNOWZCODE_RELAY_REHEARSAL=url)

    def _installed(self) -> None:
        path = os.pathsep.join((str(self._both), str(Path(sys.executable).parent), SYSTEM_PATH))
        subprocess.run(
            [self._program, "install", "--platforms", self.host],
            check=True,
            capture_output=True,
            cwd=self.world.home,
            env=self.world.environ(PATH=path),
            timeout=120,
        )


@dataclass
class Scene:
    """What happens in one repository."""

    hosting: Hosting
    repo: Repo
    model: "Target | None"
    _told: str = ""
    _agent: Agent | None = None
    server: ModelServer = field(init=False)

    def script(self, request: Request) -> Step:
        """The host's model, or the target's."""
        if _client_of(request) == self.hosting.host:
            assert self._agent is not None
            self._told = request.last_result
            return self._agent.step(request)
        assert self.model is not None, "the target was started"
        return self.model.step(request)

    def session(
        self,
        prompt: str,
        mind: Mind,
        *options: str,
        installed: bool = True,
        logged_in: bool = True,
        kill: Event | None = None,
    ) -> Session:
        """One non-interactive run of the host, to its end or until `kill` is set."""
        hosting, url = self.hosting, self.server.url
        self._agent = hosting.agent(mind)
        run = run_client(
            hosting.argv(url, *options),
            cwd=self.repo.root,
            environ=hosting.environ(url, installed=installed, logged_in=logged_in),
            logs=hosting.world.root / "logs",
            stdin=prompt,
            seconds=150,
            kill=kill,
        )
        assert kill is not None or run.code == 0, run.err + run.out[-2000:]
        asked = tuple(each for each in self.server.requests if _client_of(each) == hosting.target)
        return Session(self._told, tuple(self._agent.ran), asked, run)


@dataclass
class Target:
    """An agent that writes one file per leg, each time something else, and reports it.

    In its first leg it also runs `first`; with `slow` it takes that many seconds before it begins.
    """

    target: str
    first: str = ""
    slow: float = 0
    _legs: int = 0
    _results: int = 0
    _called: bool = False

    def step(self, request: Request) -> Step:
        # The newest message does not tell: a loaded machine may lose a session's last words, and its resume
        # then sends the old result together with the new prompt.
        results = len(request.tool_results)
        if self._called and results > self._results:
            self._called = False
            return Text("### Files Changed\nsrc/greet.py")
        self._legs += not self._called
        self._called, self._results = True, results
        write = f"echo \"print('Hello, Ada {self._legs}')\" > src/greet.py"
        command = "\n".join((self.first, write)) if self.first and self._legs == 1 else write
        call = _exec(command, 30_000) if self.target == "codex" else _bash(command, 60_000)
        return Delay(self.slow, call) if self.slow else call


def _bash(command: str, limit: int) -> ToolCall:
    return ToolCall("Bash", {"command": command, "timeout": limit, "description": "relay"})


def _exec(command: str, limit: int) -> ToolCall:
    return ToolCall("exec_command", {"cmd": command, "yield_time_ms": limit})


def _client_of(request: Request) -> str:
    return "codex" if request.path.endswith("/responses") else "claude"


def events(run: Run) -> Iterator[dict[str, Any]]:
    """The lines of a client's event stream."""
    return (json.loads(line) for line in run.out.splitlines() if line.startswith("{"))
