"""The stage of a rehearsal for tests that play a leg of their own with a real client."""

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from knowzcode_relay.install.request import bundled
from knowzcode_relay.rehearsal import processes, scene, stage
from knowzcode_relay.rehearsal.clients import other
from knowzcode_relay.rehearsal.host import Host, Step
from knowzcode_relay.rehearsal.model_server import ModelServer
from knowzcode_relay.rehearsal.stage import Stage
from support.clients import client
from support.world import SYSTEM_PATH, World


@dataclass(frozen=True)
class Staged:
    """A repository that is set up, with its specification, and the scripted host in it."""

    stage: Stage
    host: Host

    @property
    def relay_folder(self) -> Path:
        (found,) = self.stage.repository.glob("knowzcode/workgroups/*-relay")
        return found

    def verb(self, step: Step) -> str:
        return step.argv[len(self.stage.call)]

    def until(self, verb: str) -> dict[str, Step]:
        """Follow `next:` from the request to the first answer of `verb`; the last step of each verb."""
        return self._follow(self.host.follow("resolve", "--entry", "relay", limit=20), verb)

    def go_on(self, after: Step, verb: str) -> dict[str, Step]:
        """The same from the command that an earlier answer named."""
        words = after.following(self.stage.call)[len(self.stage.call) :]
        return self._follow(self.host.follow(*words, limit=20), verb)

    def _follow(self, steps: Generator[Step], verb: str) -> dict[str, Step]:
        seen: dict[str, Step] = {}
        for step in steps:
            seen[self.verb(step)] = step
            if self.verb(step) == verb:
                break
        return seen


@contextmanager
def staged(world: World, target: str, server: ModelServer) -> Generator[Staged]:
    """A stage below the world for the real `target`; whatever it started ends with the block."""
    path = os.pathsep.join((str(client(target).parent), str(Path(sys.executable).parent), SYSTEM_PATH))
    host, root = other(target), world.root / "stage"
    root.mkdir()
    made = stage.build(root, host, target, bundled((host,))[host], world.environ(PATH=path))
    stage.populate(made)
    stage.log_in(made, client(target))
    inputs = {"resolve": scene.request(target), "start": scene.PLAN}
    scripted = Host(made.call, made.environ(server.url), made.repository, lambda verb: inputs.get(verb, ""))
    scripted.run((*made.call, "setup"))
    (made.repository / scene.SPEC).write_text(scene.SPEC_TEXT)
    try:
        yield Staged(made, scripted)
    finally:
        assert not processes.end(made.root)
