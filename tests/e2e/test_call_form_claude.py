"""The call form of the Claude package in the real client: no permission question, and the text unchanged."""

import json

import pytest

from knowzcode_relay.rehearsal.request import Request
from knowzcode_relay.rehearsal.script import Step, Text, ToolCall
from support.approvals import BIG, HOSTILE, REPORT_3
from support.call_forms import fill, request_form
from support.claude_host import ClaudeHost, Played
from support.observed import Observed
from support.world import World

pytestmark = pytest.mark.client("claude")

MODES = ("default", "dontAsk")
TEXTS = (REPORT_3, HOSTILE, BIG)
SENT = tuple(Observed("kc-relay", ("resolve", "--entry", "relay"), text + "\n") for text in TEXTS)


def told(request: Request) -> str:
    """The skill's text as the client gave it to the model."""
    return next(prompt for prompt in request.prompts if "RELAY_HOST = claude" in prompt)


def resolving(request: Request, done: int) -> Step:
    """What an agent does that follows the skill: resolve each text by the form shown, then stop."""
    if done == len(TEXTS):
        return Text("done")
    return ToolCall("Bash", {"command": fill(request_form(told(request)), TEXTS[done])})


def assert_unasked(played: Played, world: World) -> None:
    assert {decision.answer for decision in played.decisions.values()} == {"accept"}
    assert played.calls == SENT
    assert not list(world.root.rglob("PWNED*"))


@pytest.mark.parametrize("mode", MODES)
def test_the_typed_command(world: World, mode: str) -> None:
    """REQ NL-13, Field report 3: the user types the request after the skill's name."""
    host = ClaudeHost(world)
    played = host.play(
        f"/knowzcode:relay {REPORT_3}",
        lambda request: resolving(request, request.number - 1),
        "--permission-mode",
        mode,
    )
    assert REPORT_3 in told(played.requests[0])
    assert_unasked(played, world)


@pytest.mark.parametrize("mode", MODES)
def test_the_skill_chosen_by_the_model_and_a_later_prompt(world: World, mode: str) -> None:
    """REQ NL-13, Field report 3: the approval is not tied to the prompt that launched the skill."""

    def choosing(request: Request) -> Step:
        if request.number == 1:
            return ToolCall("Skill", {"skill": "knowzcode:relay", "args": REPORT_3})
        return resolving(request, request.number - 2)

    host = ClaudeHost(world)
    played = host.play("please relay this", choosing, "--permission-mode", mode)
    assert REPORT_3 in told(played.requests[1])
    assert_unasked(played, world)

    later = host.play(
        "and again",
        lambda request: resolving(request, request.number - 1),
        *("--continue", "--permission-mode", mode),
    )
    assert_unasked(later, world)


def test_with_hooks_switched_off_a_file_carries_the_text(world: World) -> None:
    """The skill's own permission covers simple calls; JSON in a heredoc is refused, --file is not."""
    host = ClaudeHost(world)
    script = [
        ToolCall("Bash", {"command": f"kc-relay review <<'EOF'\n{BIG[:500]}\nEOF"}),
        ToolCall("Bash", {"command": "kc-relay review --file 'knowzcode/workgroups/feedback.json'"}),
        Text("done"),
    ]
    settings = json.dumps({"disableAllHooks": True})
    played = host.play("/knowzcode:relay add a page", script, "--settings", settings)
    assert [decision.answer for decision in played.decisions.values()] == ["reject", "accept"]
    assert [decision.source for decision in played.decisions.values()] == ["config", "config"]
