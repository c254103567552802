"""One leg of a fake or a real client in a world: what to start, and how to look at what became of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from relay_runtime.adapters import JOB_TARGETS, LEGS, TARGETS
from relay_runtime.adapters.job import JobRequest, Mode
from relay_runtime.adapters.leg import Evidence, Invocation, LegRequest, verdict
from relay_runtime.attempts.attempt import Files, Record, Spec, read_exit, read_record
from relay_runtime.attempts.environment import leg_environment
from relay_runtime.attempts.launch import new_id
from relay_runtime.attempts.supervise import supervise
from relay_runtime.attempts.wake import SignalWake
from relay_runtime.clock import SystemClock
from relay_runtime.state.outcome import Verdict
from support.clocks import FastClock
from support.dialects import Step
from support.world import World

PROMPT = "# Brief\nDo it.\n"


@dataclass(frozen=True)
class Bench:
    """A repository and a relay folder for one leg of `target`."""

    world: World
    target: str

    @property
    def repo(self) -> Path:
        return self.world.root / "repo"

    @property
    def folder(self) -> Path:
        return self.world.root / "relay"

    @property
    def files(self) -> Files:
        folder, target = self.folder, self.target
        return Files(
            log=folder / f"{target}-log-r0.jsonl",
            err=folder / f"{target}-err-r0.log",
            last=folder / f"{target}-last-r0.md",
            exit=folder / "exit-r0",
            base=folder / "attempt-r0",
        )

    def request(self, text: str = PROMPT, **more: object) -> LegRequest:
        """A leg with this prompt; the target's own files are written."""
        for folder in (self.repo, self.folder):
            folder.mkdir(exist_ok=True)
        for name, data in LEGS[self.target].files().items():
            (self.folder / name).write_bytes(data)
        leg = LegRequest(
            binary=str(self.world.bin / self.target),
            cwd=self.repo,
            prompt=self._prompt(text),
            last=self.files.last,
            folder=self.folder,
            model="gpt-5.6-sol" if self.target == "codex" else "opus",
            effort="high",
            sandbox="workspace-write",
            permission_mode="dontAsk",
        )
        return replace(leg, **more)  # type: ignore[arg-type]

    def job(self, text: str = PROMPT, **more: object) -> JobRequest:
        """A job with this prompt."""
        for folder in (self.repo, self.folder):
            folder.mkdir(exist_ok=True)
        job = JobRequest(
            id=new_id(),
            binary=str(self.world.bin / self.target),
            cwd=self.repo,
            prompt=self._prompt(text),
            last=self.files.last,
            mode=Mode.WRITE,
        )
        return replace(job, **more)  # type: ignore[arg-type]

    def invocation(self) -> Invocation:
        """How the target is started: as a leg where it can run one, else as a job."""
        if self.target in LEGS:
            return LEGS[self.target].invocation(self.request())
        return JOB_TARGETS[self.target].job_invocation(self.job(), "")

    def spec(self, invocation: Invocation | None = None, **more: object) -> Spec:
        call = invocation or self.invocation()
        spec = Spec(
            id=new_id(),
            target=self.target,
            argv=call.argv,
            cwd=call.cwd,
            stdin=call.stdin,
            files=self.files,
            environ=dict(call.environ),
            remove=call.remove,
            minutes=90,
        )
        return replace(spec, **more)  # type: ignore[arg-type]

    def timed(self, clock: FastClock, steps: Sequence[Step]) -> list[Step]:
        """The steps with a mark in them: when the target has said its part, the clock's time begins."""
        said = self.world.root / "said"
        said.unlink(missing_ok=True)
        clock.begins = said.exists
        ends = (place for place, step in enumerate(steps) if step[0] in ("forever", "await"))
        endless = next(ends, len(steps))
        return [*steps[:endless], ["write", str(said), ""], *steps[endless:]]

    def environ(self, **more: str) -> dict[str, str]:
        return leg_environment(self.world.environ(**more))

    def run(self, spec: Spec | None = None, environ: Mapping[str, str] | None = None) -> int:
        """Supervise in this process, with the real clock."""
        spec = spec or self.spec()
        with SignalWake() as wake:
            return supervise(
                spec,
                TARGETS[self.target],
                self.environ() if environ is None else environ,
                SystemClock(),
                wake,
            )

    def record(self) -> Record:
        record = read_record(self.files.record)
        assert record is not None
        return record

    def verdict(self, *, tree_changed: bool | None = True, asked_session: str = "") -> Verdict:
        """The outcome from what lies on the disk, as a verb would judge it."""
        record, files = self.record(), self.files
        assert read_exit(files) is not None
        last = files.last.read_text("utf-8", "replace") if files.last.exists() else ""
        stderr = files.err.read_text("utf-8", "replace") if files.err.exists() else ""
        evidence = Evidence(
            record.facts, record.exit, stderr, last, record.cause, asked_session, tree_changed
        )
        return verdict(TARGETS[self.target], evidence)

    def _prompt(self, text: str) -> Path:
        path = self.folder / "brief-r0.md"
        path.write_bytes(text.encode())
        return path
