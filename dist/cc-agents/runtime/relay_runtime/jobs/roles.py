"""What a Workflow's roles are: a place in a run, and the prompt that stood there.

A resumed run asks for an unfinished role again under a new agent id, and an edited script may put another
prompt at the same place. So a role is (run, index, hash of the prompt), and leads to the job that was first.
"""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from relay_runtime.clock import Clock
from relay_runtime.errors import Exit, RelayError
from relay_runtime.fields import Fields
from relay_runtime.fsio import write_atomic
from relay_runtime.inputs import schema
from relay_runtime.jobs.folder import JobFolders, plain
from relay_runtime.lock import patient

SCHEMA = 1
_PATIENCE = 30.0


@dataclass(frozen=True)
class Role:
    run: str
    index: int
    prompt_sha256: str


def path_of(folders: JobFolders, role: Role) -> Path:
    """`workflows/<run id>/<index>.json`."""
    return folders.workflows / plain("run id", role.run) / f"{role.index}.json"


@contextmanager
def held(folders: JobFolders, role: Role, clock: Clock) -> Generator[None, None, None]:
    """Be the only one who asks for this place of this run."""
    path = path_of(folders, role)
    with patient(path.with_name(f".{path.name}.lock"), "job role", clock, _PATIENCE):
        yield


def job_of(folders: JobFolders, role: Role) -> str:
    """The id of the role's job; empty when it has none, or none that is still kept."""
    job = read(path_of(folders, role)).get(role.prompt_sha256, "")
    return job if job and folders.job(job).record.is_file() else ""


def remember(folders: JobFolders, role: Role, job: str) -> None:
    path = path_of(folders, role)
    jobs = {**read(path), role.prompt_sha256: job}
    value = {"schema": SCHEMA, "run": role.run, "index": role.index, "jobs": jobs}
    write_atomic(path, (json.dumps(value, indent=1) + "\n").encode(), mode=0o600)


def read(path: Path) -> dict[str, str]:
    """Hash of the prompt -> job id. A missing file has none, a damaged one is RelayError."""
    try:
        fields = Fields(schema.parse(path.read_text("utf-8")), path.name)
        if fields.number("schema") != SCHEMA:
            raise ValueError(f"it has schema {fields.number('schema')}")
        return fields.text_map("jobs")
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise RelayError("job.damaged", f"{path} is damaged: {error}.", exit=Exit.HALT) from error
