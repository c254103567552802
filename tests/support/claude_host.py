"""The real Claude Code as host, with the rendered plugin and a scripted model."""

import json
import os
from dataclasses import dataclass
from typing import Any

from knowzcode_relay.rehearsal import endpoints
from knowzcode_relay.rehearsal.model_server import ModelServer
from knowzcode_relay.rehearsal.request import Request
from knowzcode_relay.rehearsal.script import Script
from support import observed
from support.clients import client
from support.observed import Observed
from support.rendered import rendered
from support.repo import make_repo
from support.run_client import run_client
from support.world import World


@dataclass(frozen=True)
class Decision:
    """Whether the client let a tool call run (`accept`, `reject`), and who said so (`hook`, `config`)."""

    answer: str
    source: str


@dataclass(frozen=True)
class Played:
    """`decisions` by the tool call's id, `requests` what the model was told, `calls` what our command got."""

    decisions: dict[str, Decision]
    requests: tuple[Request, ...]
    calls: tuple[Observed, ...]


class ClaudeHost:
    """A repository and the rendered plugin below a path with a space.

    Unless it is `real`, the plugin's command is replaced by one that records how it was called. A real one's
    legs ask the same scripted model.
    """

    def __init__(self, world: World, *, real: bool = False) -> None:
        self._world = world
        self._real = real
        self.repo = make_repo(world)
        self.repository = self.repo.root
        self.plugin = rendered("claude", world.root / "my plugins é" / "knowzcode")
        if not real:
            observed.place(self.plugin / "bin")
        self._log = world.root / "observed"

    def play(self, prompt: str, script: Script, *words: str, **environ: str) -> Played:
        """One `claude -p` with `prompt` on stdin, more options in `words`, more variables in `environ`."""
        if self._real:
            environ["PATH"] = os.pathsep.join((self._world.environ()["PATH"], str(client("codex").parent)))
        before = len(observed.calls(self._log))
        with ModelServer(script) as server:
            endpoint = endpoints.claude(server.url)
            run = run_client(
                [
                    *(client("claude"), "-p", "--plugin-dir", self.plugin),
                    *("--output-format", "stream-json", "--verbose", *words),
                ],
                cwd=self.repository,
                environ=self._world.environ(
                    **endpoint.environ,
                    **environ,
                    **({"KNOWZCODE_RELAY_REHEARSAL": server.url} if self._real else {}),
                    OBSERVED=str(self._log),
                    # Where a quoted < stands in a line, the client leaves the call an input that never ends.
                    OBSERVED_INPUT_OF="resolve review start",
                ),
                logs=self._world.root / "logs",
                stdin=prompt,
                seconds=120,
            )
        assert run.code == 0, run.err
        return Played(_decisions(run.out), server.requests, tuple(observed.calls(self._log)[before:]))


def _decisions(stream: str) -> dict[str, Decision]:
    events: list[dict[str, Any]] = [json.loads(line) for line in stream.splitlines()]
    metas = [meta for event in events for meta in event.get("tool_result_meta", [])]
    return {
        meta["id"]: Decision(meta["permission_decision"]["decision"], meta["permission_decision"]["source"])
        for meta in metas
        if "permission_decision" in meta
    }
