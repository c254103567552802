"""`start`, `launch` and `checkpoint` inside of a host's sandbox, whose `.git` is read-only."""

import json
import shutil
import sys

import pytest

from support.plans import a_plan
from support.relaying import Relaying, make_relaying
from support.runtime_package import Completed, run_runtime
from support.world import World, tree_digest

pytestmark = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bwrap makes the read-only mount")


def boxed(relaying: Relaying, *words: str, stdin: str = "") -> Completed:
    """One verb where the repository's `.git` cannot be written."""
    git, python = relaying.repo.root / ".git", relaying.world.bin / "boxed-python"
    python.write_text(
        f"#!/bin/sh\nexec bwrap --bind / / --ro-bind '{git}' '{git}' --dev /dev '{sys.executable}' \"$@\"\n"
    )
    python.chmod(0o755)
    return run_runtime(
        relaying.world,
        relaying.host,
        *words,
        stdin=stdin.encode(),
        cwd=relaying.repo.root,
        python=python,
    )


def escalated(answer: Completed) -> list[str]:
    """The words after the runtime's path in the call that `next:` tells."""
    following = answer.out.splitlines()[-1]
    assert (answer.code, following.startswith("next: Outside the sandbox")) == (3, True), answer.out
    call = json.loads(following[following.index("{") :])
    assert call["sandbox_permissions"] == "require_escalated"
    return call["cmd"].partition("relay.py")[2].lstrip("'").split()


def test_each_verb_that_writes_git_names_itself_outside(world: World) -> None:
    """Field report 30, REQ RES-26: found by trying, before a target is started or a state changes."""
    relaying = make_relaying(world, "codex")
    token = relaying.token()
    words = ["start", "--tier", "3", "--gate2-approved", "--resolution", token]
    before = tree_digest(relaying.repo.root)
    assert escalated(boxed(relaying, *words, stdin=json.dumps(a_plan()))) == words
    assert tree_digest(relaying.repo.root) == before
    assert not relaying.client.calls

    wgid = relaying.start(token=token)["data"]["wgid"]
    assert escalated(boxed(relaying, "launch")) == ["launch", "--wgid", wgid]
    assert relaying.json("session")["data"]["state"] == "PLANNED"

    relaying.leg()
    head = relaying.repo("rev-parse", "HEAD")
    assert escalated(boxed(relaying, "checkpoint")) == ["checkpoint", "--wgid", wgid]
    assert relaying.repo("rev-parse", "HEAD") == head
    assert relaying.json("checkpoint")["data"]["state"] == "REVIEWING"


def test_a_poll_inside_sees_how_the_leg_ended(world: World) -> None:
    """What needs neither git nor network goes on in the sandbox."""
    relaying = make_relaying(world, "codex")
    relaying.start()
    relaying.json("launch")
    polls = (boxed(relaying, "poll", "--wait", "5", "--json").json() for _ in range(10))
    outcomes = (answer["data"]["outcome"] for answer in polls)
    assert next(outcome for outcome in outcomes if outcome) == "done"
