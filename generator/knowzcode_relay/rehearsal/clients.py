"""What a rehearsal needs to know of each client that can be a target."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from knowzcode_relay.rehearsal.script import ToolCall

_KEY = "sk-rehearsal"  # made up: the scripted model asks for none, but a login check wants to see one


@dataclass(frozen=True)
class Client:
    """`command` is the tool call that runs a shell command in the client.

    `session_file` is a pattern below the home for the client's own record of a session. `login` are the words
    after the program that store the key, read from stdin; none where a variable is enough.
    """

    title: str
    command: Callable[[str], ToolCall]
    session_file: str
    environ: Mapping[str, str] = field(default_factory=dict[str, str])
    login: tuple[str, ...] = ()
    login_input: str = ""


CLIENTS: dict[str, Client] = {
    "claude": Client(
        title="Claude Code",
        command=lambda text: ToolCall("Bash", {"command": text, "description": "work"}),
        session_file=".claude/projects/*/{session}.jsonl",
        environ={"ANTHROPIC_API_KEY": _KEY, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"},
    ),
    "codex": Client(
        title="Codex",
        command=lambda text: ToolCall("exec_command", {"cmd": text}),
        session_file=".codex/sessions/*/*/*/rollout-*{session}.jsonl",
        login=("login", "--with-api-key"),
        login_input=f"{_KEY}\n",
    ),
}


def other(name: str) -> str:
    """The client that is not `name`."""
    return next(each for each in CLIENTS if each != name)
