"""A hundred jobs at once: every report exact, none lost, and little memory for each worker."""

import json
import os
import re
import statistics
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from measure import Row

from support.jobs import Jobs, block_of
from support.waiting import wait_for
from support.world import World, make_world

MANY = 100
MEMORY_LIMIT = 12.0  # MB, private to each worker

# A client that needs next to nothing itself: it tells its thread, waits for the gate, and repeats its task.
_STUB = """#!/bin/sh
task=$(cat)
printf '{"type":"thread.started","thread_id":"%s"}\\n{"type":"turn.started"}\\n' "$task"
while [ "$1" != -o ]; do shift; done
read -r _ < "GATE"
printf 'report of %s\\n' "$task" > "$2"
echo '{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}'
"""


def rows(world: World) -> Iterator[Row]:
    one, one_seconds = _play(make_world(world.root / "one"), 1)
    many, many_seconds = _play(make_world(world.root / "many"), MANY)
    typical = statistics.median(many)
    yield Row(
        f"memory of a job's worker, {MANY} at once",
        "one alone",
        typical,
        statistics.median(one),
        "MB",
        max(many),
        MEMORY_LIMIT,
        f"at most {max(many):.1f} MB private, goal {MEMORY_LIMIT:.0f} MB",
    )
    yield Row(
        f"{MANY} jobs from start to the last answer",
        "one job",
        many_seconds,
        one_seconds,
        "s",
        many_seconds / MANY,
        one_seconds,
        f"{many_seconds / MANY:.2f} s for each, at most that of one alone",
    )


def _play(world: World, count: int) -> tuple[list[float], float]:
    """The workers' private memory in MB while all of them run, and the seconds apart from that look."""
    jobs = Jobs(world)
    gate = world.root / "gate"
    os.mkfifo(gate)
    stub = world.bin / "codex"
    stub.write_text(_STUB.replace("GATE", str(gate)))
    stub.chmod(0o755)
    names = [f"job-{number}" for number in range(count)]
    jobs.call("list")  # makes the package and its bytecode
    began = time.perf_counter()
    _all(jobs.spawn("start", "--id", name, stdin=_request(name)) for name in names)
    for name in names:
        wait_for(lambda name=name: jobs.told_session(name), 120, f"the thread of {name}")
    seconds = time.perf_counter() - began
    memory = [_private(jobs.worker(name)) for name in names]
    began = time.perf_counter()
    with gate.open("w"):  # each stub that waits reads the end of this
        pass
    waits = [jobs.spawn("wait", name) for name in names]
    for name, out in zip(names, _all(waits), strict=True):
        assert block_of(out)["state"] == "completed", out
        assert out.partition("\n---\n")[2] == f"report of {name}\n", out
        assert (jobs.folder(name) / "report.md").read_text() == f"report of {name}\n"
    return memory, seconds + time.perf_counter() - began


def _request(name: str) -> bytes:
    return json.dumps({"prompt": f"mode: write\n---\n{name}", "cwd": "/"}).encode()


def _all(calls: "Iterator[subprocess.Popen[bytes]] | Sequence[subprocess.Popen[bytes]]") -> list[str]:
    """What each of these calls says, which run side by side."""
    running = list(calls)
    return [call.communicate(timeout=300)[0].decode() for call in running]


def _private(pid: int) -> float:
    """Linux only: the memory that would be free without this process."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return sum(int(kilobytes) for kilobytes in re.findall(r"^Private_\w+:\s+(\d+) kB", text, re.M)) / 1024
