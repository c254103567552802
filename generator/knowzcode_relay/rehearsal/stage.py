"""The disposable folder of one rehearsal: home, package, repository, and an environment that ends there."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from knowzcode_relay.errors import Exit, RelayError
from knowzcode_relay.hosts import HOSTS
from knowzcode_relay.hosts.client import Completed, run
from knowzcode_relay.package import Package
from knowzcode_relay.rehearsal.clients import CLIENTS
from knowzcode_relay.rehearsal.scene import FILES

# Of the user's environment only what finds and runs programs: no home, no login, no proxy, no setting.
_KEPT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "SYSTEMROOT", "COMSPEC", "PATHEXT")
_PACKAGE = "package"
_REHEARSAL = "KNOWZCODE_RELAY_REHEARSAL"
_GIT = "[user]\n\tname = Rehearsal\n\temail = rehearsal@localhost\n[init]\n\tdefaultBranch = main\n"


@dataclass(frozen=True)
class Stage:
    """`call` starts a command of the runtime. Every folder that a client or git asks for is below `root`."""

    root: Path
    host: str
    target: str
    call: tuple[str, ...]
    user_environ: Mapping[str, str]

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def temporary(self) -> Path:
        """Apart from the home: Codex cannot sandbox when its home lies in the temporary folder."""
        return self.root / "tmp"

    @property
    def package(self) -> Path:
        return self.root / _PACKAGE

    @property
    def repository(self) -> Path:
        return self.root / "repository"

    def environ(self, url: str = "") -> dict[str, str]:
        """The whole environment of a command; `url` is the scripted model's address."""
        kept = {name: self.user_environ[name] for name in _KEPT if name in self.user_environ}
        path = os.pathsep.join((str(self.package / "bin"), kept.get("PATH", os.defpath)))
        home = str(self.home)
        return {
            **kept,
            "PATH": path,
            "HOME": home,
            "USERPROFILE": home,
            "CODEX_HOME": f"{home}/.codex",
            "CLAUDE_CONFIG_DIR": f"{home}/.claude",
            "XDG_CONFIG_HOME": f"{home}/.config",
            "XDG_DATA_HOME": f"{home}/.local/share",
            "XDG_STATE_HOME": f"{home}/.local/state",
            "XDG_CACHE_HOME": f"{home}/.cache",
            "TMPDIR": str(self.temporary),
            "CLAUDE_CODE_TMPDIR": str(self.temporary),
            "GIT_CONFIG_NOSYSTEM": "1",
            **CLIENTS[self.target].environ,
            **({_REHEARSAL: url} if url else {}),
        }

    def git(self, *words: str) -> str:
        """What git prints in the repository, without the last newline; a failure is RelayError."""
        done = run(["git", *words], env=self.environ(), cwd=self.repository)
        if done.code != 0:
            raise RelayError("rehearsal.git", f"git {words[0]} failed: {done.last_words}", exit=Exit.HALT)
        return done.out.rstrip("\n")


def build(root: Path, host: str, target: str, package: Package, environ: Mapping[str, str]) -> Stage:
    """A stage in the empty folder `root`: its folders, and the package as it is installed."""
    relay = root / _PACKAGE / HOSTS[host].RUNTIME / "relay.py"
    call = (package.command,) if package.command else ("python3", str(relay))
    stage = Stage(root, host, target, call, environ)
    for folder in (stage.home / ".codex", stage.temporary, stage.package, stage.repository):
        folder.mkdir(parents=True)
    for file in package.all_files:
        place = stage.package / file.path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(file.data)
        place.chmod(file.mode)
    return stage


def populate(stage: Stage) -> None:
    """Give the stage its repository, with one commit."""
    (stage.home / ".gitconfig").write_text(_GIT, encoding="utf-8")
    for name, text in FILES.items():
        (stage.repository / name).write_text(text, encoding="utf-8")
    stage.git("init", "-q")
    stage.git("add", "-A")
    stage.git("commit", "-q", "-m", "Begin")


def log_in(stage: Stage, program: Path) -> Completed | None:
    """Store the made-up key where the client wants one stored; None where a variable is enough."""
    client = CLIENTS[stage.target]
    if not client.login:
        return None
    return run(
        [program, *client.login],
        env=stage.environ(),
        cwd=stage.repository,
        stdin=client.login_input.encode(),
    )
