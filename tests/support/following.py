"""A scripted agent as host: it does what the skill and each `next:` line say, and brings the judgement."""

import json
import re
from collections.abc import Callable
from typing import Any

from knowzcode_relay.rehearsal.request import Request
from knowzcode_relay.rehearsal.script import Step, Text, ToolCall
from support.call_forms import fill, request_form
from support.plans import a_feedback, a_gap, a_plan

# Quotes, a substitution and backticks, on their way through skill, shell and runtime.
GOAL = "Greet the user by name; don't `touch` $(anything)."


# How the clients tell an exit code; by the skills, 0 and 1 go on.
_STOPPED = re.compile(r"(?:Exit code|Process exited with code) [2-9]")


class Following:
    """Relays `request`; its review finds one gap first and none then.

    `call` makes a tool call of a shell command, and `folder` is what the skill's text calls <dir>.
    """

    def __init__(self, request: str, call: Callable[[str], ToolCall], folder: str = "") -> None:
        self._request = request
        self._call = call
        self._folder = folder
        self._inputs: dict[str, list[dict[str, Any]]] = {
            "start": [a_plan()],
            "review": [a_feedback(a_gap()), a_feedback()],
        }

    def step(self, request: Request) -> Step:
        if not request.tool_results:
            skill = next(prompt for prompt in request.prompts if "`RELAY_HOST = " in prompt)
            form = request_form(skill).replace("<dir>", self._folder)
            return self._call(fill(form, self._request))
        told = request.last_result.splitlines()
        commands = [
            line.removeprefix("next: ")
            for line in told
            if line.startswith(("next: kc-relay ", "next: python3 "))
        ]
        if _STOPPED.search(request.last_result) or not commands:
            return Text(f"ended: {request.last_result}")
        return self._call(commands[-1] + self._input(commands[-1]))

    def _input(self, command: str) -> str:
        """The heredoc for a verb that reads a plan or feedback."""
        for verb, waiting in self._inputs.items():
            if f" {verb} " in f"{command} " and waiting:
                return f" <<'KC_JSON'\n{json.dumps(waiting.pop(0))}\nKC_JSON"
        return ""
