"""Any order of verbs, crashes and outcomes: the files say a legal state, and nothing of the user is lost."""

import contextlib
import json
import os
import signal
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from relay_runtime.attempts.process import Identity, alive, identify
from relay_runtime.paths import Project
from relay_runtime.relay.decide import WORDS
from relay_runtime.relay.machine import followers
from relay_runtime.state.files import RelayFiles
from relay_runtime.state.store import Stored, load
from relay_runtime.state.values import State
from support.dialects import Step
from support.fake_client import PROBES
from support.following import started
from support.plans import a_feedback, a_gap
from support.relaying import Relaying, leg_rules, make_relaying
from support.waiting import wait_for
from support.window import Window
from support.world import build_tree, make_world

LEGS = ("works", "changes nothing", "server", "auth", "quota", "model", "hangs", "dies", "babbles")
REVIEWS = (
    a_feedback(),
    a_feedback(a_gap(line=1)),
    a_feedback(a_gap(line=2)),
    a_feedback(a_gap(node="Cli")),
)
PRIVATE = b"the user's own\xff"


def reachable(old: State, new: State) -> bool:
    """Whether drawn transitions lead from `old` to `new`, as one verb may take several."""
    seen, edge = {old}, {old}
    while edge:
        edge = {after for state in edge for after in followers(state)} - seen
        seen |= edge
    return new in seen


class RelayMachine(RuleBasedStateMachine):
    """One relay in a repository of its own, driven by everything that can happen to it."""

    @initialize(host=st.sampled_from(["claude", "codex"]))
    def start(self, host: str) -> None:
        self.scratch = tempfile.TemporaryDirectory()
        self.world = make_world(Path(self.scratch.name) / "world")
        self.relaying: Relaying = make_relaying(self.world, host)
        repo = self.relaying.repo
        (repo.root / ".git" / "info" / "exclude").write_text("private.txt\n")
        build_tree(repo.root, {"private.txt": PRIVATE, "README.md": "changed and stashed\n"})
        repo("stash")
        self.kept = (repo("rev-parse", "main"), repo("rev-parse", "stash@{0}"))
        self.window, answer = started(self.relaying)
        self.files = RelayFiles(Project(repo.root), answer["data"]["wgid"])
        self.written = 0
        self.seen: Stored = self.now()

    def now(self) -> Stored:
        return load(self.files)

    def living(self) -> list[int]:
        """The legs of the fake target that run."""
        legs = [leg["pid"] for leg in self.relaying.legs()]
        return [pid for pid in legs if identify(pid) is not None and self.is_ours(pid)]

    def is_ours(self, pid: int) -> bool:
        with contextlib.suppress(OSError):
            return str(self.world.bin).encode() in Path(f"/proc/{pid}/cmdline").read_bytes()
        return False

    def call(self, *words: str, stdin: str = "", window: Window | None = None) -> dict[str, Any]:
        answer = (window or self.window)(*words, "--wgid", self.files.wgid, stdin=stdin)
        if answer["code"] not in (0, 5):
            assert answer["message"], answer
        return answer

    def steps(self, kind: str) -> list[Step]:
        dialect = self.relaying.dialect
        self.written += 1
        edit: list[Step] = [["write", "src/greet.py", f"print({self.written})\n"]]
        told = [*dialect.start(), *edit]
        return {
            "works": [*told, *dialect.change("src/greet.py"), *dialect.finish()],
            "changes nothing": [*dialect.start(), *dialect.finish()],
            "hangs": [*told, ["await", str(self.world.root / "never")]],
            "dies": [*told, ["kill", "self"]],
            "babbles": [["raw", "no json\n"], *edit],
        }.get(kind) or [*told, *dialect.fail(kind)]

    @rule(kind=st.sampled_from(LEGS))
    def launch(self, kind: str) -> None:
        steps = self.steps(kind)
        self.relaying.client.plays(
            *leg_rules(self.relaying.dialect, steps, steps), *PROBES[self.relaying.target]
        )
        before, old = len(self.now().record.attempts), self.now().relay
        self.call("launch")
        after = self.now()
        made = len(after.record.attempts) - before
        assert made in (0, 1)
        if made:
            grown = old.state is State.FIX_ROUND
            assert after.relay.round == old.round + grown
            self.settle_down(kind)

    def settle_down(self, kind: str) -> None:
        """Wait until the leg hangs or has ended, so that every run of an example is the same."""
        relay = self.now().relay
        if kind == "hangs":
            reached = self.files.log(relay.target, relay.round)
            wait_for(lambda: reached.exists() and b"c0de" in reached.read_bytes(), what="a leg that hangs")
        else:
            wait_for(self.files.exit_marker(relay.round).exists, what="the end of the leg")

    @rule(verb=st.sampled_from(["poll", "resume", "status"]))
    def look(self, verb: str) -> None:
        window = self.window.elsewhere()
        if verb == "status":
            window("status")
        else:
            self.call(verb, *(("--wait", "0") if verb == "poll" else ()), window=window)

    @rule(word=st.sampled_from(WORDS))
    def decide(self, word: str) -> None:
        self.call("decide", word)

    @rule()
    def decide_what_is_on_offer(self) -> None:
        pending = self.now().record.pending
        if pending is not None:
            self.call("decide", pending.offers[0])

    @rule(kind=st.sampled_from(LEGS), feedback=st.sampled_from(REVIEWS))
    def go_on(self, kind: str, feedback: dict[str, Any]) -> None:
        """What the relay itself names as next, so that runs get deep."""
        argv = self.call("resume")["data"]["next"]["argv"]
        if argv[1:2] == ["launch"]:
            self.launch(kind)
        elif argv[1:2] == ["review"]:
            self.review(feedback)
        elif argv[1:2] == ["poll"]:
            self.look("poll")
        elif argv:
            self.call(*(word for word in argv[1:] if word not in ("--wgid", self.files.wgid)))

    @rule(wip=st.booleans())
    def checkpoint(self, wip: bool) -> None:
        self.call("checkpoint", *(("--wip",) if wip else ()))

    @rule(feedback=st.sampled_from(REVIEWS))
    def review(self, feedback: dict[str, Any]) -> None:
        old = self.now().relay
        answer = self.call("review", stdin=json.dumps(feedback))
        if answer["code"] == 0 and feedback["gaps"]:
            capped = old.round >= old.max_fix_rounds
            assert not (capped and answer["data"]["state"] == "FIX_ROUND")

    @rule()
    def finish(self) -> None:
        self.call("finish")

    @rule(really=st.integers(0, 30))
    def abort(self, really: int) -> None:
        if really == 17:  # seldom, since it ends the run
            self.call("abort")

    @rule(who=st.sampled_from(["supervisor", "target", "both"]))
    def kill(self, who: str) -> None:
        if not self.living():
            return
        path = self.files.folder / f"attempt-r{self.now().relay.round}.json"
        record = json.loads(path.read_text())
        for name in ("supervisor", "target"):
            if record[name] is not None and who in (name, "both") and alive(Identity(**record[name])):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(record[name]["pid"], signal.SIGKILL)
                wait_for(lambda name=name: not alive(Identity(**record[name])), what="the end of a process")

    @invariant()
    def the_files_are_legal(self) -> None:
        if not hasattr(self, "files"):
            return
        before, after = self.seen, self.now()
        self.seen = after
        relay, record = after.relay, after.record
        assert reachable(before.relay.state, relay.state)
        assert before.relay.round <= relay.round <= relay.max_fix_rounds
        for number in range(relay.round + 1):
            attempts = record.of_round(number)
            assert [one.number for one in attempts] == list(range(1, len(attempts) + 1))
            assert sum(one.spent for one in attempts) <= 2
        assert len(relay.checkpoints) >= len(before.relay.checkpoints)
        assert (relay.pid is None) or relay.state is State.TARGET_IMPLEMENTING

    @invariant()
    def at_most_one_leg_lives(self) -> None:
        if hasattr(self, "files"):
            living = self.living()
            assert len(living) <= 1
            if living:
                assert self.now().relay.state is State.TARGET_IMPLEMENTING

    @invariant()
    def nothing_of_the_user_is_lost(self) -> None:
        if not hasattr(self, "files"):
            return
        repo = self.relaying.repo
        assert (repo.root / "private.txt").read_bytes() == PRIVATE
        assert (repo("rev-parse", "main"), repo("rev-parse", "stash@{0}")) == self.kept
        for row in self.now().relay.checkpoints:
            repo("cat-file", "-e", row.sha)

    def teardown(self) -> None:
        if not hasattr(self, "files"):
            return
        if not self.now().relay.state.final:
            self.call("abort")
        assert self.living() == []
        self.scratch.cleanup()


TestRelayMachine = RelayMachine.TestCase
TestRelayMachine.settings = settings(
    max_examples=8,
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
