"""Which tool calls of the host may run unasked. Pure: the hook's payload in, an approval or nothing out.

Installing the package is the consent to what the verbs of a relay do in the project at hand. It is no
consent to what a verb itself asks a person for, nor to runs outside the relay:

- `job` starts an agent from a header that may name any folder and a backend without a sandbox, and the
  runtime's internal verbs do what other verbs have checked before they call them;
- `start --approve-branch` and `--accept-project-settings` record a person's yes;
- `config persist` makes the project relay by default from then on;
- a call that asks the host to leave its own sandbox.

For these, and for anything not fully understood, the host asks as if there were no hook.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import cast

from relay_runtime.approval.shellcall import Call, parse

# Named one by one, so that a new verb runs unasked only when somebody has thought of it.
UNASKED_VERBS = frozenset(
    {
        "resolve",
        "detect",
        "config",
        "setup",
        "start",
        "launch",
        "poll",
        "decide",
        "checkpoint",
        "review",
        "finish",
        "abort",
        "status",
        "resume",
        "packet",
        "progress",
        "complete",
        "session",
        "result",
    }
)
_ASKED_ACTIONS = frozenset({("config", "persist")})
_ASKED_OPTIONS = frozenset({"--approve-branch", "--accept-project-settings", "--model", "--effort"})
# Arguments of the Bash tool that change neither what runs nor with which rights.
_HARMLESS = frozenset({"command", "description", "timeout", "run_in_background"})


@dataclass(frozen=True)
class Own:
    """What is ours: the command, the plugin's name and its skills."""

    command: str
    plugin: str
    skills: Collection[str]


@dataclass(frozen=True)
class Approval:
    """`cwd` is where the tool would run. Both fields that follow are still to be compared with the disk:
    `projects` names folders to work on, `skill` a skill that a file of the project may stand in for."""

    reason: str
    cwd: str
    projects: tuple[str, ...] = ()
    skill: str = ""

    def as_hook_output(self) -> str:
        decision = {
            "hookEventName": "PreToolUse",
            "permissionDecision": "allow",
            "permissionDecisionReason": self.reason,
        }
        return json.dumps({"hookSpecificOutput": decision})


def approval(payload: bytes, own: Own) -> Approval | None:
    """The approval for the tool call in `payload`, or None for silence."""
    try:
        event = _record(json.loads(payload))
    except (ValueError, RecursionError):
        return None
    cwd, arguments = event.get("cwd"), _record(event.get("tool_input"))
    if event.get("hook_event_name") != "PreToolUse" or not isinstance(cwd, str):
        return None
    if event.get("tool_name") == "Bash":
        return _of_command(arguments, cwd, own)
    if event.get("tool_name") == "Skill":
        return _of_skill(arguments, cwd, own)
    return None


def _of_command(arguments: Mapping[str, object], cwd: str, own: Own) -> Approval | None:
    command = arguments.get("command")
    if not isinstance(command, str) or not _HARMLESS.issuperset(arguments):
        return None
    call = parse(command, own.command)
    if call is None or _asks_a_person(call.words):
        return None
    return Approval(f"One call of {own.command} {call.words[0]}.", cwd, projects=_projects(call))


def _asks_a_person(words: tuple[str, ...]) -> bool:
    verb = words[0]
    return (
        verb not in UNASKED_VERBS
        or any((verb, word) in _ASKED_ACTIONS for word in words)
        or any(word.partition("=")[0] in _ASKED_OPTIONS for word in words)
    )


def _of_skill(arguments: Mapping[str, object], cwd: str, own: Own) -> Approval | None:
    """Only by its full name: a bare one may be anybody's skill."""
    skill = arguments.get("skill")
    if not isinstance(skill, str) or skill not in own.skills:
        return None
    return Approval(f"A skill of the plugin {own.plugin}.", cwd, skill=skill)


def _projects(call: Call) -> tuple[str, ...]:
    found: list[str] = []
    for word, following in zip(call.words, (*call.words[1:], "")):
        if word == "--project":
            found.append(following)
        elif word.startswith("--project="):
            found.append(word.partition("=")[2])
    return tuple(found)


def _record(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}
