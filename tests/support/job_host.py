"""The real Claude Code with the job plugin, a scripted model, and a fake Codex that does the jobs."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

from knowzcode_relay.rehearsal import endpoints
from knowzcode_relay.rehearsal.model_server import ModelServer
from knowzcode_relay.rehearsal.request import Request
from knowzcode_relay.rehearsal.script import HttpError, Step, Text, ToolCall
from support.clients import release
from support.dialects import Codex
from support.fake_client import FakeClient, place, rule
from support.jobs import Jobs
from support.rendered import rendered
from support.run_client import run_client
from support.world import World

FLOOR = "2.1.294"
NEWEST = "2.1.332"
TYPE = "cc-agents:job"
MODEL_WORDS = "The model speaks."
OURS = (
    "The code hook of this plugin answers in your place"  # stands in the agent file, so in its model's prompt
)

Told = Step | Callable[[Request], Step]


@dataclass(frozen=True)
class Played:
    """What came of one `claude -p`: `agent` and `plain` are the model requests made for agents."""

    events: list[dict[str, Any]]
    main: tuple[Request, ...]
    agent: tuple[Request, ...]
    plain: tuple[Request, ...]
    err: str

    @property
    def records(self) -> list[dict[str, Any]]:
        """The client's own records of what its tools gave, oldest first."""
        found = [event.get("tool_use_result") for event in self.events if event["type"] == "user"]
        return [record for record in found if isinstance(record, dict)]

    @property
    def reports(self) -> list[str]:
        """What agents in the foreground gave, byte for byte."""
        return [
            record["content"][0]["text"] for record in self.records if record.get("status") == "completed"
        ]

    @property
    def notices(self) -> list[dict[str, Any]]:
        return [event for event in self.events if event.get("subtype") == "task_notification"]

    @property
    def values(self) -> list[Any]:
        """What Workflow scripts returned. One that was cut off by the client's end has no output file."""
        ended = [
            notice for notice in self.notices if "orkflow" in notice["summary"] and notice["output_file"]
        ]
        return [json.loads(Path(notice["output_file"]).read_text())["result"] for notice in ended]

    @property
    def session(self) -> str:
        return str(self.events[0]["session_id"])


class JobHost:
    """One release of the client, the plugin below a path with a space, a repository, a state folder."""

    def __init__(self, world: World, version: str) -> None:
        self.world = world
        self.version = version
        self.program = release("claude", version)
        self.plugin = rendered("cc-agents", world.root / "my plugins é" / "cc-agents")
        self.jobs = Jobs(world)
        self.repo = self.jobs.repo

    def codex(self, *steps: list[Any], report: str = "done\n") -> FakeClient:
        """A Codex that takes `steps` after its thread has started, then reports."""
        talk = Codex()
        return place(
            self.world, "codex", rule(stdin=True, steps=[*talk.start(), *steps, *talk.finish(report)])
        )

    def play(
        self,
        *steps: Told,
        words: Sequence[str | Path] = (),
        plugin: bool = True,
        kill: Event | None = None,
        stdin: str = "go",
        **environ: str,
    ) -> Played:
        """One `claude -p`: the main conversation takes `steps`, agents that ask a model hear MODEL_WORDS."""
        script = _Script(steps)
        loaded = ("--plugin-dir", self.plugin) if plugin else ()
        with ModelServer(script) as server:
            run = run_client(
                [
                    *(self.program, "-p", *loaded, "--output-format", "stream-json", "--verbose"),
                    *(
                        "--permission-mode",
                        "acceptEdits",
                        "--allowedTools",
                        "Agent,Workflow,SendMessage,Bash",
                    ),
                    *words,
                ],
                cwd=self.repo,
                environ=self.world.environ(**endpoints.claude(server.url).environ, **environ),
                logs=self.world.root / "logs",
                stdin=stdin,
                seconds=90,
                kill=kill,
            )
        events = [json.loads(line) for line in run.out.splitlines() if line.startswith("{")]
        return Played(events, tuple(script.main), tuple(script.agent), tuple(script.plain), run.err)


class _Script:
    def __init__(self, steps: Sequence[Told]) -> None:
        self.steps = list(steps)
        self.main: list[Request] = []
        self.agent: list[Request] = []
        self.plain: list[Request] = []

    def __call__(self, request: Request) -> Step:
        if OURS in json.dumps(request.body.get("system")):
            self.agent.append(request)
            return Text(MODEL_WORDS)
        if "plain task" in request.prompts[-1]:
            self.plain.append(request)
            return Text(MODEL_WORDS)
        self.main.append(request)
        if len(self.main) > len(self.steps):
            return HttpError(400, "The script has ended.", kind="invalid_request_error")
        step = self.steps[len(self.main) - 1]
        return step(request) if callable(step) else step


def agent(prompt: str, *, background: bool = False, kind: str = TYPE, name: str = "") -> ToolCall:
    named = {"name": name} if name else {}
    return ToolCall(
        "Agent",
        {
            "description": "a job",
            "prompt": prompt,
            "subagent_type": kind,
            "run_in_background": background,
            **named,
        },
    )


def workflow(body: str, **more: object) -> ToolCall:
    """A Workflow whose script is `body`; `job(prompt)` in it is an agent of ours."""
    script = (
        "export const meta = { name: 'jobs', description: 'jobs' }\n"
        f"const job = prompt => agent(prompt, {{ agentType: '{TYPE}' }})\n{body}\n"
    )
    return ToolCall("Workflow", {"script": script, **more})


def agent_id(request: Request) -> str:
    """The id that the client gave the agent that was started last."""
    found = re.findall(r"agentId: (\w+)", "\n".join(request.tool_results))
    return str(found[-1])
