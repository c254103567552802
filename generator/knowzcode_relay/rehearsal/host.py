"""A host without a mind: it runs the command that the last answer's `next:` line names, and nothing else."""

import shlex
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path

from knowzcode_relay.hosts.client import run

_PREFIX = "next: "
_QUESTION = "ask: "
_COMMAND_SECONDS = 180.0  # above the longest wait of a poll


@dataclass(frozen=True)
class Step:
    """One command of the runtime and its answer. `argv` is complete; `lines` are all that it printed."""

    argv: tuple[str, ...]
    exit: int | None
    lines: tuple[str, ...]

    @property
    def next(self) -> str:
        """What the answer says to do next; empty when it says nothing."""
        last = self.lines[-1] if self.lines else ""
        return last.removeprefix(_PREFIX) if last.startswith(_PREFIX) else ""

    def following(self, call: tuple[str, ...]) -> tuple[str, ...]:
        """The command to run next; empty when there is none, or a question comes first."""
        if self.next.startswith(_QUESTION):
            return ()
        try:
            words = tuple(shlex.split(self.next))
        except ValueError:  # an apostrophe in a sentence: no command
            return ()
        return words if words[: len(call)] == call else ()


@dataclass(frozen=True)
class Host:
    """`answer` gives the stdin of a verb: the request, the plan, the review that is due."""

    call: tuple[str, ...]
    environ: dict[str, str]
    folder: Path
    answer: Callable[[str], str]

    def follow(self, *words: str, limit: int) -> Generator[Step]:
        """Run `words`, then whatever each answer names, until none is named or `limit` commands have run."""
        argv = (*self.call, *words)
        for _ in range(limit):
            step = self.run(argv)
            yield step
            argv = step.following(self.call)
            if not argv:
                return

    def run(self, argv: tuple[str, ...]) -> Step:
        verb = argv[len(self.call)]
        done = run(
            argv,
            env=self.environ,
            cwd=self.folder,
            stdin=self.answer(verb).encode(),
            seconds=_COMMAND_SECONDS,
        )
        return Step(argv, done.code, tuple(f"{done.out}{done.err}".splitlines()))
