"""Jobs as a caller sees them: through the runtime as it is installed, in a closed world."""

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.runtime_package import Completed, package_of, run_runtime
from support.waiting import wait_for
from support.world import World

HOST = "claude"
LINES = ["state", "job", "backend", "model", "effort", "mode", "duration", "report", "dir"]
HEADER = "mode: write\n---\n"


def block_of(answer: str) -> dict[str, str]:
    """A parser for the listed lines: it skips what stands before `state:` and stops at the dashes."""
    lines = answer.split("\n")
    start = next(number for number, line in enumerate(lines) if line.startswith("state: "))
    found: dict[str, str] = {}
    for line in lines[start:]:
        if line == "---" or not line:
            break
        key, _, value = line.partition(": ")
        found[key] = f"{found[key]}\n{value}" if key in found else value
    return found


def keys_of(answer: str) -> list[str]:
    """The keys of the block in their order."""
    return [line.partition(": ")[0] for line in answer.partition("\n---\n")[0].splitlines()]


@dataclass(frozen=True)
class Jobs:
    """Every call of the verb `job` in one world."""

    world: World

    @property
    def state(self) -> Path:
        return self.world.home / ".local" / "state" / "knowzcode-relay"

    def folder(self, job: str) -> Path:
        return self.state / "jobs" / job

    @property
    def repo(self) -> Path:
        folder = self.world.root / "repo"
        folder.mkdir(exist_ok=True)
        return folder.resolve()

    def call(
        self, *words: str, stdin: str = "", environ: Mapping[str, str] | None = None, cwd: Path | None = None
    ) -> Completed:
        return run_runtime(
            self.world, HOST, "job", *words, stdin=stdin.encode(), environ=environ, cwd=cwd or self.repo
        )

    def run(self, prompt: str, *words: str, environ: Mapping[str, str] | None = None) -> Completed:
        return self.call("run", *words, stdin=prompt, environ=environ)

    def start(self, job: str, prompt: str, **more: Any) -> Completed:
        """`start` as the mod calls it; `more` are fields of its stdin."""
        request = {"prompt": prompt, "cwd": str(self.repo), **more}
        return self.call("start", "--id", job, "--json", stdin=json.dumps(request))

    def wait(self, job: str, *words: str) -> Completed:
        return self.call("wait", job, *words)

    def spawn(
        self, *words: str, stdin: bytes = b"", environ: Mapping[str, str] | None = None
    ) -> "subprocess.Popen[bytes]":
        """A call that the test does not wait for."""
        relay = package_of(self.world, HOST) / "runtime" / "relay.py"
        process = subprocess.Popen(
            [sys.executable, "-I", str(relay), "job", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.repo,
            env=dict(environ or self.world.environ()),
            start_new_session=True,
        )
        assert process.stdin is not None
        process.stdin.write(stdin)
        process.stdin.close()
        process.stdin = None
        return process

    def end_all(self) -> None:
        """Leave no worker behind, whatever a test has come to."""
        for folder in sorted((self.state / "jobs").iterdir()) if self.state.exists() else []:
            if (folder / "job.json").exists() and not (folder / "block").exists():
                self.call("cancel", folder.name)

    def session_of(self, job: str) -> str:
        """Wait until the job's target has told its session, and give it."""
        wait_for(lambda: self.told_session(job), 60, f"the session of {job}")
        return self.told_session(job)

    def told_session(self, job: str) -> str:
        """The session that the job's target has told, empty before."""
        record = self.folder(job) / "attempt.json"
        return str(json.loads(record.read_text())["facts"]["session_id"]) if record.exists() else ""

    def worker(self, job: str) -> int:
        return int(json.loads((self.folder(job) / "worker.json").read_text())["pid"])
