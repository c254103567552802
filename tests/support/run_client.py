"""Run a real client to its end, bounded, with nothing of it left behind."""

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event


@dataclass(frozen=True)
class Run:
    code: int
    out: str
    err: str


def run_client(
    argv: Sequence[str | Path],
    *,
    cwd: Path,
    environ: Mapping[str, str],
    logs: Path,
    stdin: str = "",
    seconds: float = 60,
    kill: Event | None = None,
) -> Run:
    """Run `argv` in a group of its own. Claude loses output on a pipe, so all three streams are files.

    Once `kill` is set, the group is killed, as when a machine or a terminal goes.
    """
    logs.mkdir(parents=True, exist_ok=True)
    number = len(list(logs.glob("*.out")))
    names = {stream: logs / f"{number}.{stream}" for stream in ("in", "out", "err")}
    names["in"].write_text(stdin)
    with names["in"].open("rb") as given, names["out"].open("wb") as out, names["err"].open("wb") as err:
        child = subprocess.Popen(
            [str(word) for word in argv],
            cwd=cwd,
            env=dict(environ),
            stdin=given,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
        try:
            if kill is not None and kill.wait(seconds):
                os.killpg(child.pid, signal.SIGKILL)
            code = child.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGTERM)
            child.wait(20)
            raise AssertionError(f"{argv[0]} ran longer than {seconds} s; logs in {logs}") from None
    return Run(code, names["out"].read_text("utf-8", "replace"), names["err"].read_text("utf-8", "replace"))
