"""A job of Codex: `codex exec` with the user's own configuration, unlike a relay leg."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Mapping

from relay_runtime.adapters import codex, codex_leg
from relay_runtime.adapters.job import JobRequest, Mode
from relay_runtime.adapters.leg import Invocation
from relay_runtime.adapters.version import dotted, find_version, numbers
from relay_runtime.attempts.events import Event, child, text
from relay_runtime.state.outcome import Outcome

CLIENT = codex.CLIENT
BRIEF: Mapping[bytes, Event] = codex_leg.BRIEF
KEEPS_LAST: bool = codex_leg.KEEPS_LAST

read = codex_leg.read
effective_exit = codex_leg.effective_exit
failure = codex_leg.failure

_SANDBOX = {Mode.READ_ONLY: "read-only", Mode.WRITE: "workspace-write"}
ADD_DIR_FLOOR = (0, 140, 0)  # 0.130 was seen to leave it out, 0.140 to keep it

_RECORD_LIMIT = 1024 * 1024
_SESSION = re.compile(r"[\w-]+")
_TABLE = re.compile(r"\s*\[(?P<name>[^\[\]]+)\]\s*(?:#.*)?$")
_NETWORK = re.compile(r"sandbox_workspace_write\.network_access\s*=\s*true\b")
_BYPASS = "--dangerously-bypass-approvals-and-sandbox"


_REMEDIES = {
    Outcome.MODEL: "State another model or effort in the header.",
    Outcome.SANDBOX: "Run the job outside any other sandbox, with a CODEX_HOME that can be written.",
    Outcome.PERMISSION: "Leave out of the task what its mode refuses, or state another mode or add-dir.",
}


def remedy(outcome: Outcome) -> str:
    return _REMEDIES.get(outcome) or codex_leg.remedy(outcome)


def job_invocation(job: JobRequest, session_id: str) -> Invocation:
    head = _resume(job) if session_id else _first(job)
    session = (session_id,) if session_id else ()
    # Codex leaves an old file as it is when the run fails.
    return Invocation(
        argv=(*head, *_common(job), "--json", "-o", str(job.last), *session, "-"),
        stdin=job.prompt,
        cwd=job.cwd,
        remove=(job.last,),
    )


def job_environment(job: JobRequest, environ: Mapping[str, str]) -> dict[str, str]:
    del job
    return dict(environ)


def job_notes(job: JobRequest, session_id: str, environ: Mapping[str, str]) -> tuple[str, ...]:
    notes: list[str] = []
    if job.network is None and job.mode is Mode.WRITE and _user_has_network(environ):
        notes.append("network was not stated; it is on, by the user's own configuration of Codex")
    release = _release(session_id, environ) if job.add_dirs and job.mode is Mode.WRITE else ""
    if release and numbers(release) < ADD_DIR_FLOOR:
        notes.append(
            f"Codex {release} leaves add-dir out where the user has writable_roots; "
            f"{dotted(ADD_DIR_FLOOR)} does not"
        )
    return tuple(notes)


def _first(job: JobRequest) -> tuple[str, ...]:
    where = ("-C", str(job.cwd))
    if job.mode is Mode.YOLO:
        return (job.binary, "exec", *where, _BYPASS)
    return (job.binary, "-a", "never", "exec", *where, *_folders(job), "-s", _SANDBOX[job.mode])


def _resume(job: JobRequest) -> tuple[str, ...]:
    """`exec resume` knows no -s, -a and --add-dir and forgets what the first call was given.

    Before `exec`, `--add-dir` is known, and adds to the user's writable_roots there too. The same list as an
    override by -c would replace them.
    """
    if job.mode is Mode.YOLO:
        return (job.binary, "exec", "resume", _BYPASS)
    overrides = ("-c", f"sandbox_mode={json.dumps(_SANDBOX[job.mode])}", "-c", 'approval_policy="never"')
    return (job.binary, *_folders(job), "exec", "resume", *overrides)


def _folders(job: JobRequest) -> tuple[str, ...]:
    return tuple(word for folder in job.add_dirs for word in ("--add-dir", folder))


def _common(job: JobRequest) -> tuple[str, ...]:
    words = ["--skip-git-repo-check"]
    if job.model:
        words += ["-m", job.model]
    if job.effort:
        words += ["-c", f"model_reasoning_effort={json.dumps(job.effort)}"]
    if job.network is not None and job.mode is Mode.WRITE:
        words += ["-c", f"sandbox_workspace_write.network_access={json.dumps(job.network)}"]
    if job.web_search is not None:
        words += ["-c", f'web_search="{"live" if job.web_search else "disabled"}"']
    return tuple(words)


def _user_has_network(environ: Mapping[str, str]) -> bool:
    """A look at one key of the user's file, for a note only: Codex itself decides by its own reading."""
    try:
        config = (codex.home(environ) / "config.toml").read_text("utf-8", "replace")
    except OSError:
        return False
    table = ""
    for line in config.splitlines():
        header = _TABLE.match(line)
        if header:
            table = header["name"].strip() + "."
        elif _NETWORK.match(table + line.strip()):
            return True
    return False


def _release(session_id: str, environ: Mapping[str, str]) -> str:
    """The release that began the session, from its first record; empty when that cannot be found.

    To ask the program beforehand would cost every job a start of it.
    """
    if _SESSION.fullmatch(session_id) is None:
        return ""
    for path in (codex.home(environ) / "sessions").glob(f"*/*/*/rollout-*-{session_id}.jsonl"):
        with contextlib.suppress(OSError, ValueError), path.open("rb") as handle:
            record: Event = json.loads(handle.readline(_RECORD_LIMIT))
            return find_version(text(child(record, "payload"), "cli_version"))
    return ""
