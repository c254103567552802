"""The host of a rehearsal does what `next:` says, and nothing that it was not told."""

import sys
from pathlib import Path

import pytest

from knowzcode_relay.rehearsal.host import Host, Step
from support.world import World, build_tree

# A runtime whose answer to each verb is a file of that name; it notes its words and its stdin.
RUNTIME = """\
import pathlib, sys
here = pathlib.Path(__file__).parent
with (here / "asked").open("a") as log:
    log.write(repr((sys.argv[1:], sys.stdin.read())) + "\\n")
print((here / sys.argv[1]).read_text(), end="")
sys.exit(4 if sys.argv[1] == "fails" else 0)
"""


def follow(world: World, limit: int = 9, **answers: str) -> tuple[list[Step], list[str]]:
    """The steps from `begin` on, and what the runtime was asked."""
    folder = build_tree(world.root / "runtime", {"relay.py": RUNTIME, **answers})
    call = (sys.executable, str(folder / "relay.py"))
    for name, text in answers.items():
        (folder / name).write_text(text.replace("CALL", " ".join(call)))
    host = Host(call, world.environ(), world.home, lambda verb: f"<{verb}>")
    steps = list(host.follow("begin", "--entry", "relay", limit=limit))
    return steps, (folder / "asked").read_text().splitlines()


def test_each_answer_names_the_next_command(world: World) -> None:
    """Words in quotes stay one word, every verb gets its stdin, and a sentence is the end."""
    steps, asked = follow(
        world,
        begin="[RELAY-A] a line\nnext: CALL middle --wgid 'a b'\n",
        middle="next: CALL end\n",
        end="next: nothing; this relay has ended\n",
    )
    assert asked == [
        "(['begin', '--entry', 'relay'], '<begin>')",
        "(['middle', '--wgid', 'a b'], '<middle>')",
        "(['end'], '<end>')",
    ]
    assert [step.exit for step in steps] == [0, 0, 0]
    assert steps[0].lines[0] == "[RELAY-A] a line"


@pytest.mark.parametrize(
    "last",
    [
        "next: rm -rf /",
        "next: it's the host's turn",
        "next: ask: Go on? If yes: CALL middle",
        "next: ask: CALL middle",
        "said: next: CALL middle",
        "nothing",
        "next: CALL middle\nmore",
    ],
)
def test_a_question_a_foreign_command_or_no_last_line_ends_it(world: World, last: str) -> None:
    steps, asked = follow(world, begin=f"{last}\n", middle="")
    assert len(steps) == len(asked) == 1


def test_a_circle_ends_at_the_limit(world: World) -> None:
    steps, _ = follow(world, limit=3, begin="next: CALL begin\n")
    assert len(steps) == 3


def test_a_failure_is_a_step_like_any_other(world: World) -> None:
    """The exit code is kept; whether to go on is said by `next:` alone."""
    steps, _ = follow(world, begin="next: CALL fails\n", fails="next: CALL end\n", end="done\n")
    assert [step.exit for step in steps] == [0, 4, 0]


def test_a_program_that_is_not_there_is_a_step_without_an_exit(world: World) -> None:
    missing = Host((str(Path("/nowhere/kc-relay")),), world.environ(), world.home, lambda _: "")
    (step,) = missing.follow("begin", limit=9)
    assert step.exit is None
    assert "/nowhere/kc-relay cannot be started" in step.lines[0]
