"""A host that knows nothing of relays and does what each answer's `next` says."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from support.dialects import Step
from support.fake_client import PROBES
from support.plans import a_feedback, a_plan
from support.relaying import Relaying, leg_rules
from support.runtime_package import package_of
from support.window import Window

Answer = dict[str, Any]
Reply = Callable[[Answer], list[str]]

_STEPS = 60


@dataclass
class Follower:
    """`legs` are what the target plays at each launch, `reviews` what the host finds, `replies` its answers.

    A question without a reply left gets a yes: the command that stands with it. A review without findings
    left is clean. `before` is called with the verb that comes next. A takeover is worked off before its
    question gets its yes.
    """

    relaying: Relaying
    window: Window
    legs: list[list[Step]] = field(default_factory=list[list[Step]])
    reviews: list[Answer] = field(default_factory=list[Answer])
    replies: list[str] = field(default_factory=list[str])
    before: Callable[[str], None] = lambda _: None
    states: list[str] = field(default_factory=list[str])

    def until(self, *wanted: str, answer: Answer) -> Answer:
        """Follow until the relay is in one of the `wanted` states."""
        for _ in range(_STEPS):
            if answer["data"].get("state") in wanted:
                return answer
            answer = self.step(answer)
        raise AssertionError(f"not one of {wanted} after {_STEPS} steps: {self.states}, {answer}")

    def step(self, answer: Answer) -> Answer:
        """One more command."""
        following = answer["data"]["next"]
        argv: list[str] = following["argv"]
        assert argv, answer
        if following["question"] and self.replies:
            reply = self.replies.pop(0)
            argv = [argv[0], "decide", reply, *argv[3:]]
        if answer["data"].get("state") == "HOST_TAKEOVER":
            assert following["question"], answer
            self._work_natively()
        if argv[1] == "launch":
            self._script()
        self.before(argv[1])
        answer = self.window(*argv[1:], stdin=self._input(following["input_schema"]))
        self.states.append(str(answer["data"].get("state")))
        return answer

    def path(self) -> list[str]:
        """The states in the order in which they were seen, each once in a row."""
        seen = self.states
        return [state for state, before in zip(seen, ["", *seen], strict=False) if state != before]

    def _script(self) -> None:
        """The next leg of the target, whether it is asked for a new session or an old one."""
        steps = self.legs.pop(0) if self.legs else self.relaying.works()
        rules = leg_rules(self.relaying.dialect, steps, steps)
        self.relaying.client.plays(*rules, *PROBES[self.relaying.target])

    def _work_natively(self) -> None:
        """Close what is left, as the host's own work."""
        path = self.relaying.repo.root / "src/greet.py"
        path.write_text(path.read_text("utf-8") + "# completed by the host\n", "utf-8")

    def _input(self, schema: str) -> str:
        if schema != "feedback":
            return ""
        return json.dumps(self.reviews.pop(0) if self.reviews else a_feedback())


def window_of(relaying: Relaying) -> Window:
    runtime = package_of(relaying.world, relaying.host) / "runtime" / "relay.py"
    return Window(relaying.host, relaying.repo.root, runtime, relaying.world.environ())


def started(relaying: Relaying, request: str = "--relay=other build it") -> tuple[Window, Answer]:
    """A relay that is ready to launch, and the answer that says so."""
    window = window_of(relaying)
    token = window("resolve", "--entry", "work", stdin=request)["data"]["token"]
    words = ("start", "--tier", "3", "--gate2-approved", "--resolution", token)
    answer = window(*words, stdin=json.dumps(a_plan()))
    assert answer["ok"], answer
    return window, answer
