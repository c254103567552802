"""A relay as a host drives it: a repository with approved specs, a fake target, and the runtime's verbs."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from relay_runtime.config import load
from relay_runtime.paths import Project
from relay_runtime.resolve import encode_token, resolve
from relay_runtime.state.files import RelayFiles
from relay_runtime.state.relay import Relay
from relay_runtime.state.store import read_relay
from support.dialects import DIALECTS, SESSION, Dialect, Step
from support.fake_client import PROBES, FakeClient, Rule, ready, rule
from support.plans import a_plan
from support.repo import Repo, make_repo
from support.runtime_package import Completed, run_runtime
from support.world import World, build_tree

TARGET_OF = {"claude": "codex", "codex": "claude"}

SPEC = "# {}\n\nVERIFY: greets by name.\n"
FILES: dict[str, str | bytes] = {
    "README.md": "hello\n",
    "src/greet.py": "print('Hello')\n",
    "knowzcode/.gitignore": "/workgroups/\n",
    "knowzcode/specs/Greeter.md": SPEC.format("Greeter"),
    "knowzcode/specs/Cli.md": SPEC.format("Cli"),
}


@dataclass
class Relaying:
    """One project on `main` with a clean tree, a host, and the other provider as a fake target."""

    world: World
    repo: Repo
    host: str
    client: FakeClient

    @property
    def target(self) -> str:
        return TARGET_OF[self.host]

    @property
    def dialect(self) -> Dialect:
        return DIALECTS[self.target]

    def run(self, *words: str, stdin: str = "", environ: dict[str, str] | None = None) -> Completed:
        """One verb, from the project's folder."""
        return run_runtime(
            self.world, self.host, *words, stdin=stdin.encode(), cwd=self.repo.root, environ=environ
        )

    def json(self, *words: str, stdin: str = "") -> dict[str, Any]:
        """The answer of one verb as JSON."""
        return self.run(*words, "--json", stdin=stdin).json()

    def follow(self, answer: dict[str, Any], stdin: str = "") -> dict[str, Any]:
        """Do what an answer's `next` says."""
        argv = answer["data"]["next"]["argv"]
        words = argv[1:] if argv[0] == "kc-relay" else argv[2:]
        return self.json(*words, stdin=stdin)

    def token(self, request: str = "--relay=other build it") -> str:
        """What resolve would print for the request; computed here, since every start needs one."""
        document = load(Project(self.repo.root))
        found = resolve(request, host=self.host, entry="work", load_document=lambda: document)
        return encode_token(found, self.host)

    def start(
        self, *more: str, plan: dict[str, Any] | None = None, token: str | None = None
    ) -> dict[str, Any]:
        """A start of the whole plan; `more` are further words."""
        words = ("start", "--tier", "3", "--gate2-approved", "--resolution", token or self.token(), *more)
        return self.json(*words, stdin=json.dumps(plan or a_plan()))

    def until_ended(self) -> dict[str, Any]:
        """Poll until the leg has an outcome."""
        answer = self.json("poll", "--wait", "10")
        for _ in range(10):
            if answer["data"]["outcome"] is not None:
                return answer
            answer = self.json("poll", "--wait", "10")
        raise AssertionError(f"no outcome after many polls: {answer}")

    def leg(self) -> dict[str, Any]:
        """Launch the leg that is due and wait for its outcome."""
        launched = self.json("launch")
        assert launched["ok"], launched
        return self.until_ended()

    def plays(self, *legs: list[Step]) -> None:
        """What the target does in its legs: a first one, then a resumed one if there are two."""
        self.client.plays(*leg_rules(self.dialect, *legs), *PROBES[self.target])

    def works(self, path: str = "src/greet.py", text: str = "print('Hello, Ada')\n") -> list[Step]:
        """The steps of a leg that writes one file and reports success."""
        return [
            *self.dialect.start(),
            ["write", path, text],
            *self.dialect.change(path),
            *self.dialect.finish(),
        ]

    def relay(self, wgid: str) -> Relay:
        """The state file of a relay, read strictly."""
        return read_relay(RelayFiles(Project(self.repo.root), wgid))

    def folder(self, wgid: str) -> Path:
        return self.repo.root / "knowzcode" / "workgroups" / f"{wgid}-relay"

    def legs(self) -> list[dict[str, Any]]:
        """The logged calls of the target that were legs, not probes."""
        probes = [probe["argv"] for probe in PROBES[self.target]]
        return [call for call in self.client.calls if call["argv"] not in probes]

    def everything(self) -> tuple[object, ...]:
        """What a refused start must leave alone: files but those of workgroups/, refs, stash, HEAD, index."""
        root = self.repo.root
        files = {
            path.relative_to(root).as_posix(): path.read_bytes()
            for path in sorted(root.rglob("*"))
            if path.is_file() and not path.is_symlink() and ".git" not in path.parts
            if "workgroups" not in path.parts
        }
        return (
            files,
            self.repo("for-each-ref"),
            (root / ".git/HEAD").read_text(),
            self.repo("ls-files", "-s"),
        )


def leg_rules(
    dialect: Dialect, first: list[Step], resumed: list[Step] | None = None, **more: Any
) -> list[Rule]:
    """The rules by which a fake client tells a resumed leg from a new one."""
    again = ("exec", "resume") if dialect.name == "codex" else ("-p", "--resume", SESSION)
    new = ("-a", "never", "exec") if dialect.name == "codex" else ("-p",)
    rules = [rule(*again, stdin=True, steps=resumed, **more)] if resumed is not None else []
    return [*rules, rule(*new, stdin=True, steps=first, **more)]


def make_relaying(world: World, host: str) -> Relaying:
    """The project, on a clean `main`."""
    repo = make_repo(world, "project é")
    repo.commit(FILES)
    client = ready(world, TARGET_OF[host])
    relaying = Relaying(world, repo, host, client)
    build_tree(repo.root, {"knowzcode/workgroups/.keep": ""})
    relaying.plays(relaying.works())
    return relaying
