"""Play a whole relay: real client, real runtime, scripted model, scripted host, disposable repository."""

import json
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from knowzcode_relay.errors import Exit, RelayError
from knowzcode_relay.hosts.client import Completed
from knowzcode_relay.hosts.surroundings import Surroundings
from knowzcode_relay.package import Package
from knowzcode_relay.rehearsal import checks, processes, relayfile, scene, stage
from knowzcode_relay.rehearsal.checks import Check, Traces
from knowzcode_relay.rehearsal.clients import CLIENTS
from knowzcode_relay.rehearsal.host import Host, Step
from knowzcode_relay.rehearsal.interrupts import deaf, interruptible
from knowzcode_relay.rehearsal.model_server import ModelServer
from knowzcode_relay.rehearsal.stage import Stage

COMMANDS = 60
SECONDS = 600.0  # after which no further command is run

Tell = Callable[[Step, str], None]
"""What is called after each step, with the state of the relay in one line."""


@dataclass(frozen=True)
class Played:
    """`folder` is where it lies when it was kept."""

    host: str
    target: str
    steps: tuple[Step, ...]
    relay: relayfile.RelayFile
    checks: tuple[Check, ...]
    folder: Path | None

    @property
    def done(self) -> bool:
        return all(check.held for check in self.checks)


def play(host: str, target: str, package: Package, around: Surroundings, *, keep: bool, tell: Tell) -> Played:
    """The whole round. A target that is not ready is RelayError (3) with the remedy, and nothing is left."""
    with interruptible():
        root = Path(tempfile.mkdtemp(prefix="knowzcode-rehearsal-")).resolve()
        kept = False
        try:
            made = stage.build(root, host, target, package, around.environ)
            played = _on(made, around, keep=keep, tell=tell)
            kept = keep
            return played
        finally:
            _clear(root, keep=kept)


def _on(made: Stage, around: Surroundings, *, keep: bool, tell: Tell) -> Played:
    program = around.which(made.target)
    stage.populate(made)
    login = stage.log_in(made, program) if program is not None else None
    _check_ready(made, login)
    steps: list[Step] = []
    sessions: list[str] = []
    with ModelServer(scene.model(CLIENTS[made.target])) as server:
        for step in _steps(made, server.url):
            steps.append(step)
            relay = relayfile.read(made.repository)
            tell(step, relay.summary())
            if relay["Session ID"] not in ("", "pending"):
                sessions.append(relay["Session ID"])
        traces = Traces(made, steps, sessions[0] if sessions else "", server.requests)
        held = checks.check(traces)
    return Played(made.host, made.target, tuple(steps), traces.relay, held, made.root if keep else None)


def _steps(made: Stage, url: str) -> Iterator[Step]:
    """Setup and the request are the host's own doing, the specification too; the rest is said by `next:`."""
    reviews = iter(scene.REVIEWS)
    inputs = {
        "resolve": lambda: scene.request(made.target),
        "start": lambda: scene.PLAN,
        "review": lambda: next(reviews, ""),
    }
    host = Host(made.call, made.environ(url), made.repository, lambda verb: inputs.get(verb, str)())
    yield host.run((*made.call, "setup"))
    spec = made.repository / scene.SPEC
    spec.parent.mkdir(parents=True, exist_ok=True)
    spec.write_text(scene.SPEC_TEXT, encoding="utf-8")
    until = time.monotonic() + SECONDS
    for step in host.follow("resolve", "--entry", "relay", limit=COMMANDS):
        yield step
        if time.monotonic() >= until:
            return


def _check_ready(made: Stage, login: Completed | None) -> None:
    """Ask the runtime, as `start` will; what it says about a target that is not ready is what we say."""
    host = Host(made.call, made.environ(), made.repository, lambda _: "")
    answer = host.run((*made.call, "detect", made.target, "--json"))
    try:
        found = json.loads("\n".join(answer.lines))["data"]["targets"][made.target]
        status, remedy = str(found["status"]), str(found["remediation"])
        blockers = [
            str(note["text"]) for note in cast("list[dict[str, object]]", found["notes"]) if note["blocks"]
        ]
    except (ValueError, KeyError, TypeError) as error:
        raise RelayError(
            "rehearsal.detect",
            f"detect did not say whether {made.target} is ready: {answer.lines}",
            exit=Exit.HALT,
        ) from error
    title = CLIENTS[made.target].title
    if status == "installed-unauthed" and login is not None:
        raise RelayError(
            "rehearsal.login", f"{title} did not store a made-up key: {login.last_words}", exit=Exit.HALT
        )
    if status != "ready":
        raise RelayError(
            "rehearsal.target", f"A rehearsal needs {title}, which is {status}.", exit=Exit.HALT, hint=remedy
        )
    if blockers:
        raise RelayError("rehearsal.target", blockers[0], exit=Exit.HALT, hint=remedy)


def _clear(root: Path, *, keep: bool) -> None:
    """End what is left of the rehearsal and delete its folder, whatever else is asked of us meanwhile."""
    with deaf():
        left = processes.end(root)
        if not keep:
            shutil.rmtree(root, ignore_errors=True)
        if left:
            raise RelayError("rehearsal.left", f"These processes would not end: {', '.join(map(str, left))}.")
