"""The workflow reference draws what the runtime does."""

import re

from relay_runtime.cli import VERBS
from relay_runtime.relay.machine import followers
from relay_runtime.state.outcome import CONSEQUENCES, Follow, Spends
from relay_runtime.state.values import State
from support.checkout import ROOT

PAGE = (ROOT / "docs" / "workflow.md").read_text(encoding="utf-8")

FOLLOWING = {
    Follow.CHECKPOINT: "`checkpoint`",
    Follow.REVIEW: "`review`; accepted only after `decide accept-no-change`",
    Follow.ASK: "you: `decide retry` or `decide native`",
    Follow.RESUME: "the one resume, then takeover",
    Follow.FRESH: "a fresh session with the same task",
    Follow.WAIT: "wait for the other process, or a fresh session",
    Follow.AS_DECIDED: "as decided in the time dialogue",
    Follow.REPAIR: "one repair, then takeover",
    Follow.CHANGE: "you change the named setting or helper, then `decide retry`",
}


def block(name: str) -> str:
    found = re.search(rf"<!-- {name}:begin -->\n(.*?)<!-- {name}:end -->", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


def states() -> str:
    """The state machine; leaving what is unfinished by an abort is one arrow."""
    lines = ["stateDiagram-v2", "  [*] --> INIT", "  state unfinished {"]
    ends: list[str] = []
    for state in State:
        for following in followers(state):
            if following is not State.ABORTED:
                arrow = f"{state.value} --> {following.value}"
                if following.final:
                    ends.append(f"  {arrow}")
                else:
                    lines.append(f"    {arrow}")
    lines += ["  }", *ends, "  unfinished --> ABORTED: abort", "  DONE --> [*]", "  ABORTED --> [*]"]
    return "```mermaid\n" + "\n".join(lines) + "\n```\n"


def outcomes() -> str:
    spends = {Spends.NO: "no", Spends.YES: "yes", Spends.SAME: "the same one"}
    rows = [
        f"| `{outcome.value}` | `{what.state.value}` | {int(what.exit)} | {spends[what.spends]} | "
        f"{FOLLOWING[what.follow]} |\n"
        for outcome, what in CONSEQUENCES.items()
    ]
    head = "| Outcome | State | Exit | Attempt spent | Next |\n|---|---|---|---|---|\n"
    return head + "".join(rows)


def test_the_state_diagram_is_the_machines_table() -> None:
    assert block("states") == states(), f"put this between the marks:\n{states()}"


def test_every_unfinished_state_can_be_aborted() -> None:
    """What the one arrow out of `unfinished` claims."""
    assert all((State.ABORTED in followers(state)) is not state.final for state in State)


def test_the_outcomes_are_the_runtimes() -> None:
    assert block("outcomes") == outcomes(), f"put this between the marks:\n{outcomes()}"


def test_every_state_has_a_turn() -> None:
    table = PAGE[PAGE.index("| State | Whose turn") : PAGE.index("## How a leg can end")]
    assert set(re.findall(r"`([A-Z_]+)`(?=[^|]*\| )", table)) == {state.value for state in State}


def test_the_diagram_of_roles_names_verbs_in_the_order_of_a_relay() -> None:
    """The same order that the drills of real hosts see."""
    diagram = PAGE[PAGE.index("sequenceDiagram") :].partition("```")[0]
    called = [word.split(",")[0] for word in re.findall(r"Host->>Runtime: (.+)", diagram)]
    assert [word for word in called if word not in VERBS] == []
    assert called == ["resolve", "start", "launch", "poll", "checkpoint", "review", "launch", "finish"]
