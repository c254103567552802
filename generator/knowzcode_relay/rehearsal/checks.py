"""What a relay must have left behind, looked at from outside: repository, relay folder, client."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from knowzcode_relay.errors import RelayError
from knowzcode_relay.rehearsal import processes, relayfile, scene
from knowzcode_relay.rehearsal.clients import CLIENTS
from knowzcode_relay.rehearsal.host import Step
from knowzcode_relay.rehearsal.relayfile import RelayFile
from knowzcode_relay.rehearsal.request import Request
from knowzcode_relay.rehearsal.stage import Stage

_END_SECONDS = 10.0


@dataclass(frozen=True)
class Check:
    """`problem` is empty where what `name` says holds."""

    name: str
    problem: str = ""

    @property
    def held(self) -> bool:
        return not self.problem


@dataclass(frozen=True)
class Traces:
    """All that a rehearsal left: the host's steps, the first round's session, the model's requests."""

    stage: Stage
    steps: Sequence[Step]
    first_session: str
    requests: Sequence[Request]

    @property
    def relay(self) -> RelayFile:
        return relayfile.read(self.stage.repository)


def check(traces: Traces) -> tuple[Check, ...]:
    """Every check, in the order of a relay's life."""
    return tuple(Check(name, _problem(look, traces)) for name, look in _CHECKS.items())


def _problem(look: Callable[[Traces], Iterator[str]], traces: Traces) -> str:
    try:
        return next(look(traces), "")
    except (OSError, RelayError) as error:
        return str(error)


def _commands(traces: Traces) -> Iterator[str]:
    yield from (f"{' '.join(step.argv)} ended with {step.exit}" for step in traces.steps if step.exit != 0)


def _state(traces: Traces) -> Iterator[str]:
    stage, relay = traces.stage, traces.relay
    expected = {
        "Schema": "2",
        "Host": stage.host,
        "Target": stage.target,
        "Selector": stage.target,
        "Intent Source": "flag-named",
        "State": "DONE",
        "Round": "1",
        "Session ID": traces.first_session,
        "Branch": f"kc-relay/{relay.wgid}",
        "CWD": str(stage.repository),
        "PID": "none",
    }
    for label, value in expected.items():
        if relay[label] != value:
            yield f"{label} is {relay[label] or 'missing'}, not {value}"


def _snapshot(traces: Traces) -> Iterator[str]:
    stage, relay = traces.stage, traces.relay
    name = f"knowzcode/workgroups/{relay.wgid}"
    section = (
        f"## Relay\n\n**Schema:** 2 | **Host:** {stage.host} | **Target:** {stage.target} | "
        f"**State:** DONE | **Round:** 1 | **Session:** {traces.first_session}\n"
        f"**State File:** {name}-relay/state.md\n"
    )
    if (stage.repository / f"{name}.md").read_text("utf-8").count(section) != 1:
        yield f"{name}.md has no section of its own that says: DONE, round 1, session {traces.first_session}"


def _commits(traces: Traces) -> Iterator[str]:
    stage, relay = traces.stage, traces.relay
    if tuple(relay.checkpoints) != ("C0", "C1", "C2"):
        yield f"the checkpoints are {', '.join(relay.checkpoints) or 'none'}, not C0, C1, C2"
        return
    made = tuple(relay.checkpoints.values())
    branch = stage.git("rev-list", "--reverse", f"kc-relay/{relay.wgid}").split()
    if tuple(branch[-3:]) != made:
        yield f"the branch kc-relay/{relay.wgid} does not end with {', '.join(made)}"
    if stage.git("rev-list", "--count", "main") != "1":
        yield "main moved"
    for commit, text in zip(made[1:], (scene.FIRST, scene.FIXED), strict=True):
        if stage.git("show", f"{commit}:{scene.RESULT}") != text.strip():
            yield f"{scene.RESULT} in {commit} is not what the round wrote"
    if left := stage.git("status", "--porcelain"):
        yield f"not committed: {left}"


def _artifacts(traces: Traces) -> Iterator[str]:
    stage, folder = traces.stage, traces.relay.folder
    names = [
        "state.md",
        "relay.json",
        "brief-r0.md",
        "feedback-r1.md",
        "delta-prompt-r1.md",
        "fix-prompt-r1.md",
    ]
    for number in (0, 1):
        target = stage.target
        names += [
            f"{target}-log-r{number}.jsonl",
            f"{target}-err-r{number}.log",
            f"{target}-last-r{number}.md",
        ]
        if (folder / f"exit-r{number}").read_text("ascii").strip() != "0":
            yield f"exit-r{number} is not 0"
    yield from (f"{name} is missing" for name in names if not (folder / name).is_file())


def _session(traces: Traces) -> Iterator[str]:
    session, folder = traces.first_session, traces.relay.folder
    if session in ("", "pending"):
        yield "no session id is known after the first round"
    for number in (0, 1):
        log = folder / f"{traces.stage.target}-log-r{number}.jsonl"
        if session not in log.read_text("utf-8", "replace"):
            yield f"{log.name} does not name {session}"
    if len(traces.requests) != len(scene.model(CLIENTS[traces.stage.target])):
        yield f"the model was asked {len(traces.requests)} times"
        return
    told = traces.requests[2]
    if not told.tool_results or not any("Relay Brief" in prompt for prompt in told.prompts):
        yield "the second round's model did not know the first round"


def _inside(traces: Traces) -> Iterator[str]:
    pattern = CLIENTS[traces.stage.target].session_file.format(session=traces.first_session)
    if not list(traces.stage.home.glob(pattern)):
        yield f"the client kept no session in {traces.stage.home}/{pattern}"


def _ended(traces: Traces) -> Iterator[str]:
    if not processes.gone(traces.stage.root, _END_SECONDS):
        yield f"still running: {', '.join(map(str, processes.living(traces.stage.root)))}"


_CHECKS: dict[str, Callable[[Traces], Iterator[str]]] = {
    "every command of the runtime ended with 0": _commands,
    "state.md says DONE after one fix round": _state,
    "the WorkGroup's snapshot says the same": _snapshot,
    "C0, C1 and C2 are on the relay's branch, main did not move, nothing is uncommitted": _commits,
    "the relay's folder holds prompts, feedback, logs, messages and exit markers": _artifacts,
    "the fix round went on in the session of the first one": _session,
    "the client kept its session in the disposable home": _inside,
    "no process is left": _ended,
}
