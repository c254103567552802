"""A scripted agent as host. It runs only what a skill or a `next:` line told it, and brings the judgement."""

import json
import re
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from threading import Event
from typing import Any

from knowzcode_relay.rehearsal.request import Request
from knowzcode_relay.rehearsal.script import Hang, Step, Text, ToolCall
from support.call_forms import call_forms, fill
from support.plans import a_feedback, a_gap, a_plan

# Quotes, a substitution and backticks, on their way through skill, shell and runtime.
GOAL = "Greet the user by name; don't `touch` $(anything)."

_CODE = re.compile(r"(?:Exit code|Process exited with code) (\d+)")
_HEREDOC = re.compile(r" <<'\w+'$")
_WORDS = re.compile(r"(?: [a-z-]+)+$")
_SKILL = "`RELAY_HOST = "


@dataclass(frozen=True)
class Told:
    """The answer to one command: its exit code, and the command that its last `next:` line names."""

    text: str

    @property
    def code(self) -> int:
        found = _CODE.search(self.text)
        return int(found[1]) if found else 0

    @property
    def next(self) -> str:
        """Empty where a question, or work without a command, comes next."""
        commands = [
            line.removeprefix("next: ") for line in self.text.splitlines() if line.startswith("next: ")
        ]
        return commands[-1] if commands and commands[-1].startswith(("kc-relay ", "python3 ")) else ""


@dataclass(frozen=True)
class Run:
    """Run `command`."""

    command: str


@dataclass(frozen=True)
class Open:
    """Go on with the skill of this name."""

    skill: str


@dataclass(frozen=True)
class Think:
    """Say nothing for as long as the client waits."""


Do = Run | Open | Think
Mind = Callable[["Agent"], Generator[Do, Told, None]]


@dataclass
class Agent:
    """`mind` decides; a command that nothing told it to run fails the test.

    `shell` and `skill` make the client's tool calls, `folder` is what a skill's text calls <dir>. `ran` are
    the commands so far.
    """

    mind: Mind
    shell: Callable[[str, int], ToolCall]
    skill: Callable[[str], ToolCall]
    folder: str = ""
    ran: list[str] = field(default_factory=list[str])
    _texts: dict[str, None] = field(default_factory=dict[str, None])
    _named: set[str] = field(default_factory=set[str])
    _going: Generator[Do, Told, None] | None = None

    def step(self, request: Request) -> Step:
        """What the agent does after everything that it has been told."""
        told = Told(request.last_result)
        for text in (*request.prompts, *request.tool_results):
            if _SKILL in text:
                self._texts[text.replace("<dir>", self.folder)] = None
        if told.next:
            self._named.add(told.next)
        try:
            if self._going is None:
                self._going = self.mind(self)
                do = next(self._going)
            else:
                do = self._going.send(told)
        except StopIteration:
            return Text(f"ended: {request.last_result}")
        if isinstance(do, Think):
            return Hang()
        return self.skill(do.skill) if isinstance(do, Open) else self._run(do.command)

    @property
    def forms(self) -> list[str]:
        """The commands that the skills read so far show as blocks."""
        return [form for text in self._texts for form in call_forms(text)]

    def form(self, verb: str) -> str:
        """The newest block that calls `verb`."""
        return [form for form in self.forms if f" {verb}" in form.splitlines()[0]][-1]

    def named(self, words: str) -> str:
        """A call that the text names in a sentence, as `words` between backticks."""
        text = [text for text in self._texts if f"`{words}`" in text][-1]
        call = _WORDS.sub("", _HEREDOC.sub("", call_forms(text)[0].splitlines()[0]))
        return f"{call} {words}"

    def _run(self, command: str) -> ToolCall:
        line = _HEREDOC.sub("", command.splitlines()[0])
        assert line in self._named or self._shown(line), f"nothing told the host to run: {line}"
        self.ran.append(line)
        limits = [int(found) for text in self._texts for found in re.findall(r" at (\d+),", text)[:1]]
        return self.shell(command, limits[-1] if limits else 30_000)

    def _shown(self, line: str) -> bool:
        shown = [_HEREDOC.sub("", form.splitlines()[0]) for form in self.forms]
        words = [word for text in self._texts for word in re.findall(r"`([a-z]+(?: [a-z]+)?)`", text)]
        patterns = [re.escape(form).replace("TOKEN", r"\S+") for form in shown]
        return any(re.fullmatch(pattern, line) for pattern in patterns) or any(
            line == self.named(word) for word in words if line.endswith(f" {word}")
        )


def relay(request: str, *reviews: dict[str, Any], plan: dict[str, Any] | None = None) -> Mind:
    """Resolve, read the work skill, start, and follow `next:`; the review finds one gap first, then none."""

    def mind(agent: Agent) -> Generator[Do, Told, None]:
        told = yield Run(fill(agent.form("resolve"), request))
        if told.code not in (0, 5):
            return
        begun = told.next
        if not any(form for form in agent.forms if " start " in form):
            yield Open("work")
        if begun:
            line, *_, end = agent.form("start").splitlines()
            call, heredoc = line.replace("TOKEN", begun.rpartition(" ")[2]).split(" <<")
            assert call.partition(" start ")[2] == begun.partition(" start ")[2]
            told = yield Run("\n".join((f"{begun} <<{heredoc}", json.dumps(plan or a_plan()), end)))
            yield from follow(told, *reviews)

    return mind


def follow(told: Told, *reviews: dict[str, Any]) -> Generator[Do, Told, None]:
    """Do what each answer says, until one stops or names no command."""
    waiting = list(reviews or (a_feedback(a_gap()), a_feedback()))
    while told.code in (0, 1) and told.next:
        command = told.next
        if " review " in command:
            command += f" <<'KC_FEEDBACK'\n{json.dumps(waiting.pop(0))}\nKC_FEEDBACK"
        told = yield Run(command)


def go_on(*reviews: dict[str, Any]) -> Mind:
    """After a cleared context: resume, read the work skill, follow."""

    def mind(agent: Agent) -> Generator[Do, Told, None]:
        told = yield Run(agent.form("resume"))
        yield Open("work")
        yield from follow(told, *reviews)

    return mind


def cut_off(mind: Mind, verb: str, reached: Event) -> Mind:
    """`mind` until it wants to call `verb`: then `reached` is set, and nothing more is said."""

    def cut(agent: Agent) -> Generator[Do, Told, None]:
        going = mind(agent)
        do = next(going)
        while not (isinstance(do, Run) and f" {verb} " in do.command):
            do = going.send((yield do))
        reached.set()
        yield Think()

    return cut


def look(*words: str) -> Mind:
    """The block of the skill, then each call that it names."""

    def mind(agent: Agent) -> Generator[Do, Told, None]:
        yield Run(agent.forms[0])
        for each in words:
            yield Run(agent.named(each))

    return mind
