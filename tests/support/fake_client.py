"""Put tests/fakes/client.py on a world's PATH under a client's name, with what it shall do."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.world import World

SOURCE = Path(__file__).resolve().parents[1] / "fakes" / "client.py"

Rule = dict[str, Any]


@dataclass(frozen=True)
class FakeClient:
    """`calls` are the logged ones so far, oldest first."""

    path: Path
    log: Path

    @property
    def calls(self) -> list[dict[str, Any]]:
        return (
            [json.loads(line) for line in self.log.read_text("utf-8").splitlines()]
            if self.log.exists()
            else []
        )

    @property
    def argvs(self) -> list[list[str]]:
        return [call["argv"] for call in self.calls]

    def plays(self, *rules: Rule) -> "FakeClient":
        """Replace the scenario: the first rule whose `argv` is a prefix of the arguments is played."""
        scenario = {"log": str(self.log), "rules": list(rules)}
        self.path.with_name(self.path.name + ".json").write_text(json.dumps(scenario), "utf-8")
        return self


def place(world: World, name: str, *rules: Rule) -> FakeClient:
    """A fake client called `name`, first on the world's PATH."""
    path = world.bin / name
    path.write_text(f"#!{sys.executable} -I\n{SOURCE.read_text('utf-8')}", "utf-8")
    path.chmod(0o755)
    return FakeClient(path, world.root / f"{name}-calls.jsonl").plays(*rules)


def rule(*argv: str, **what: Any) -> Rule:
    """One rule of a scenario; what it may say is listed in tests/fakes/client.py."""
    return {"argv": list(argv), **what}


def ready(world: World, name: str, *more: Rule) -> FakeClient:
    """A fake client that is installed and logged in; `more` rules go before."""
    return place(world, name, *more, *PROBES[name])


PROBES: dict[str, tuple[Rule, ...]] = {
    "codex": (
        rule("--version", stdout="codex-cli 0.171.0\n"),
        rule("login", "status", stderr="Logged in using ChatGPT\n"),
    ),
    "claude": (
        rule("--version", stdout="2.1.332 (Claude Code)\n"),
        rule("auth", "status", "--json", stdout='{"loggedIn": true, "authMethod": "claude.ai"}\n'),
    ),
}
