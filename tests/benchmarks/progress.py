"""What a look at a living leg costs when its log is large and its news are small."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from measure import Row, process, ratio

from relay_runtime.attempts.attempt import Record, write_record
from relay_runtime.attempts.facts import Facts
from relay_runtime.attempts.process import Identity
from relay_runtime.attempts.timebudget import Budget
from support.world import World

RUNTIME = Path(__file__).resolve().parents[2] / "runtime"
MEGABYTE = 1024 * 1024
LOOK = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from relay_runtime.attempts import progress
from relay_runtime.adapters import LEGS
from relay_runtime.attempts.attempt import Files, read_record
folder = Path(sys.argv[2])
files = Files(folder / "log.jsonl", folder / "err", folder / "last", folder / "exit", folder / "attempt")
facts = progress.latest(read_record(files.record), files, LEGS["codex"])
print(*progress.lines(facts), sep="\\n")
"""
PEAK = """
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM:")))
"""  # in kB, of this program alone
# What a progress command of shell tools has to do, with jq where there is one.
SHELL = 'wc -l < "$0"; tail -n 240 "$0" | if command -v jq; then jq -R "fromjson? | .item" | jq -s length; fi'


def rows(world: World) -> Iterator[Row]:
    small, large = (_log(world.root / name, size) for name, size in (("small", 1), ("large", 1024)))
    look = [sys.executable, "-I", "-c", LOOK, str(RUNTIME)]
    on_large = process([*look, str(large)], world.environ())
    on_small = process([*look, str(small)], world.environ())
    shell = process(["/bin/sh", "-c", SHELL, str(large / "log.jsonl")], world.environ())
    yield ratio("progress, 1 GB log", "1 MB log", on_large, on_small, limit=1.1)
    yield ratio("progress, 1 GB log", "`wc -l`, `tail` and `jq` on 1 GB", on_large, shell, limit=0.5)
    memory, least = (_megabytes(folder, world) for folder in (large, small))
    goal = f"{memory / least:.2f} x, at most 1.1 x"
    yield Row("progress's memory, 1 GB log", "1 MB log", memory, least, "MB", memory / least, 1.1, goal)


def _megabytes(folder: Path, world: World) -> float:
    """The most that one look needed."""
    look = [sys.executable, "-I", "-c", LOOK + PEAK, str(RUNTIME), str(folder)]
    said = subprocess.check_output(look, env=world.environ(), text=True)
    return int(said.splitlines()[-1]) / 1024


def _log(folder: Path, megabytes: int) -> Path:
    """A log of that size and the record of a supervisor that has read all but the last kilobyte."""
    folder.mkdir()
    item = {"id": "item_1", "type": "agent_message", "text": "x" * 900}
    line = json.dumps({"type": "item.completed", "item": item}).encode() + b"\n"
    block = line * (MEGABYTE // len(line))
    with (folder / "log.jsonl").open("wb") as handle:
        for _ in range(megabytes):
            handle.write(block)
    read = megabytes * len(block) - len(line)
    record = Record(
        id="bench",
        supervisor=Identity(1, "x"),
        started="2026-11-30T10:00:00Z",
        output_at="2026-11-30T10:00:00Z",
        budget=Budget(90),
        offset=read,
        facts=Facts(events=read // len(line)),
    )
    write_record(folder / "attempt.json", record)
    return folder
