"""The runtime as a user has it: a package folder with an index beside it, started as a program of its own."""

import hashlib
import json
import os
import py_compile
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from support.world import World

RUNTIME = Path(__file__).resolve().parents[2] / "runtime"
COMMANDS = {"claude": "kc-relay", "codex": ""}


@dataclass(frozen=True)
class Completed:
    """`code` is the exit code; both streams are UTF-8 or the test fails."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        """The one JSON object on stdout."""
        return json.loads(self.out)


def runtime_files() -> dict[str, bytes]:
    """The runtime's files as `runtime/…` -> bytes, without bytecode."""
    return {
        f"runtime/{path.relative_to(RUNTIME).as_posix()}": path.read_bytes()
        for path in sorted(RUNTIME.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def make_package(folder: Path, host: str) -> Path:
    """Write a package for `host` into `folder` and give `folder`, the package's root."""
    files = runtime_files()
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    index = {
        "schema": 1,
        "name": "knowzcode",
        "host": host,
        "version": "0.1.0",
        "command": COMMANDS[host],
        "files": {
            name: {"sha256": hashlib.sha256(data).hexdigest(), "mode": "644"} for name, data in files.items()
        },
    }
    (folder / "relay-package.json").write_text(json.dumps(index, indent=1))
    return folder


def package_of(world: World, host: str) -> Path:
    """This world's package for `host`, made at first use; its path has spaces and an `é`."""
    folder = world.root / f"installed é {host}"
    if not folder.is_dir():
        make_package(folder, host)
        _put_bytecode(world, folder)
    return folder


def _put_bytecode(world: World, package: Path) -> None:
    """Compile once per session instead of once per world, which was most of the time of a test.

    The bytecode lies where the launcher keeps it, and Python compares it with the source's hash.
    """
    prefix = world.root / "tmp" / f"knowzcode-relay-{os.getuid()}"
    prefix.mkdir(mode=0o700, exist_ok=True)
    for name, data in _bytecode().items():
        source = package / name
        path = prefix.joinpath(*source.parts[1:-1], f"{source.stem}.{sys.implementation.cache_tag}.pyc")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


@lru_cache
def _bytecode() -> dict[str, bytes]:
    compiled: dict[str, bytes] = {}
    with tempfile.TemporaryDirectory() as scratch:
        for name in runtime_files():
            if name.endswith(".py"):
                target = py_compile.compile(
                    str(RUNTIME.parent / name),
                    f"{scratch}/one.pyc",
                    doraise=True,
                    invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH,
                )
                compiled[name] = Path(str(target)).read_bytes()
    return compiled


def run_runtime(
    world: World,
    host: str,
    *words: str,
    stdin: bytes = b"",
    cwd: Path | None = None,
    environ: Mapping[str, str] | None = None,
    python: Path | str = sys.executable,
    flags: Sequence[str] = ("-I",),
    seconds: float = 60,
) -> Completed:
    """Run one verb in a process of its own, in the world's environment or exactly in `environ`.

    Without `cwd` it runs in the world's home. After `seconds` the process group ends and the test fails.
    """
    relay = package_of(world, host) / "runtime" / "relay.py"
    process = subprocess.Popen(
        [str(python), *flags, str(relay), *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=cwd or world.home,
        env=world.environ() if environ is None else environ,
        start_new_session=True,
    )
    try:
        out, err = process.communicate(stdin, timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise
    return Completed(process.returncode, out.decode("utf-8"), err.decode("utf-8"))
