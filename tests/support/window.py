"""The runtime's verbs called in this process: the same modules, files and child processes, no start-up."""

import argparse
import importlib
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from relay_runtime.answer import Answer
from relay_runtime.cli import VERBS
from relay_runtime.clock import Clock, SystemClock
from relay_runtime.context import Context
from relay_runtime.errors import RelayError
from relay_runtime.package import Package

CALL = "kc-relay"


@dataclass
class Window:
    """One window of a host. `runtime` watches the legs.

    `said` are the answers so far, the newest last; `text` is the newest as an agent reads it.
    """

    host: str
    cwd: Path
    runtime: Path
    environ: Mapping[str, str]
    clock: Clock = field(default_factory=SystemClock)
    said: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    text: str = ""

    def __call__(self, *words: str, stdin: str = "") -> dict[str, Any]:
        """Run one verb and give its JSON answer; whatever is no refusal of ours fails the test."""
        verb, *rest = words
        given = self._answer(verb, rest, stdin)
        self.text = given.as_text()
        answer = json.loads(given.as_json(verb))
        self.said.append(answer)
        return answer

    def follow(self, answer: dict[str, Any], stdin: str = "") -> dict[str, Any]:
        """Do what an answer's `next` says."""
        argv = answer["data"]["next"]["argv"]
        assert argv, answer
        assert argv[0] == CALL
        return self(*argv[1:], stdin=stdin)

    def elsewhere(self, **changes: Any) -> "Window":
        """Another window: another host, folder or environment."""
        return replace(self, said=[], **changes)

    def _answer(self, verb: str, rest: list[str], stdin: str) -> Answer:
        module = importlib.import_module(VERBS[verb][0])
        parser = argparse.ArgumentParser(prog=verb, exit_on_error=False)
        parser.add_argument("--project")
        module.add_arguments(parser)
        args = parser.parse_args(rest)
        context = Context(
            package=Package(self.host, "0.1.0", (CALL,), self.runtime),
            environ=self.environ,
            cwd=self.cwd,
            clock=self.clock,
            read_stdin=io.BytesIO(stdin.encode()).read,
            project_named=args.project,
        )
        try:
            return module.run(args, context)
        except RelayError as error:
            return Answer(
                message=error.message,
                exit=error.exit,
                lines=(error.as_line(),),
                hint=error.hint,
                data={"problem": error.problem, **error.data},
            )
