"""A leg of Codex: `codex exec` and `codex exec resume`."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime, timedelta, timezone
from pathlib import Path

from relay_runtime.adapters import codex, codex_failure, codex_stream
from relay_runtime.adapters.leg import Invocation, LegRequest, Widening
from relay_runtime.attempts.events import Event
from relay_runtime.attempts.facts import Facts

BRIEF: Mapping[bytes, Event] = {}
KEEPS_LAST: bool = True
USAGE_OF_SESSION: bool = True
OVER_MCP: bool = True
RESIDUE: frozenset[str] = frozenset()

_META_LIMIT = 1024 * 1024

read = codex_stream.read
failure = codex_failure.failure
remedy = codex_failure.remedy


def files() -> Mapping[str, bytes]:
    return {}


def widenings(project: Path, version: str, environ: Mapping[str, str]) -> tuple[Widening, ...]:
    """None: a leg ignores the user's configuration, and Codex the one of an untrusted project."""
    del project, version, environ
    return ()


def invocation(leg: LegRequest) -> Invocation:
    """`-` reads the prompt from stdin: any size, not in the process list, and a leading dash is text."""
    return _invocation(
        leg,
        (leg.binary, "-a", "never", "exec", "-C", str(leg.cwd), *_common(leg), "-s", leg.sandbox),
        (),
    )


def resume_invocation(leg: LegRequest, session_id: str) -> Invocation:
    """`exec resume` knows no -C, -s or -a, and forgets the model, effort, sandbox and approval."""
    overrides = ("-c", f"sandbox_mode={json.dumps(leg.sandbox)}", "-c", 'approval_policy="never"')
    return _invocation(leg, (leg.binary, "exec", "resume", *_common(leg), *overrides), (session_id,))


def effective_exit(exit: int, facts: Facts) -> int:
    del facts
    return exit


def session_fallback(cwd: Path, since: datetime, environ: Mapping[str, str], known: Collection[str]) -> str:
    """The newest rollout that began in `cwd` during the leg and belongs to no other."""
    found: list[tuple[datetime, str]] = []
    for path in _rollouts(codex.home(environ) / "sessions", since):
        meta = _meta(path)
        if meta is None:
            continue
        begun, session, where = meta
        if begun >= since and Path(where) == cwd and session not in known:
            found.append((begun, session))
    return max(found)[1] if found else ""


def attach(session_id: str) -> tuple[str, ...]:
    return ("codex", "resume", session_id)


def _common(leg: LegRequest) -> tuple[str, ...]:
    return (
        "--skip-git-repo-check",
        "--ignore-user-config",
        *_rehearsed(leg.endpoint),
        "-m",
        leg.model,
        "-c",
        f"model_reasoning_effort={json.dumps(leg.effort)}",
    )


def _rehearsed(url: str) -> tuple[str, ...]:
    """A provider of our own by arguments, since a leg reads no configuration of the user."""
    if not url:
        return ()
    provider = f'{{name="rehearsal", base_url="{url}/v1", wire_api="responses"}}'
    return ("-c", "model_provider=rehearsal", "-c", f"model_providers.rehearsal={provider}")


def _invocation(leg: LegRequest, head: tuple[str, ...], session: tuple[str, ...]) -> Invocation:
    # Codex leaves an old file as it is when the run fails.
    return Invocation(
        argv=(*head, "--json", "-o", str(leg.last), *session, "-"),
        stdin=leg.prompt,
        cwd=leg.cwd,
        remove=(leg.last,),
    )


def _rollouts(sessions: Path, since: datetime) -> Iterator[Path]:
    """Files are filed by local day; a day on either side covers every time zone and a leg over midnight."""
    day = since.astimezone().date() - timedelta(days=1)
    while day <= datetime.now().astimezone().date() + timedelta(days=1):
        yield from sessions.joinpath(f"{day:%Y/%m/%d}").glob("rollout-*.jsonl")
        day += timedelta(days=1)


def _meta(path: Path) -> tuple[datetime, str, str] | None:
    try:
        with path.open("rb") as handle:
            payload = json.loads(handle.readline(_META_LIMIT))["payload"]
        begun = datetime.fromisoformat(str(payload["timestamp"]).replace("Z", "+00:00"))
        return begun.astimezone(timezone.utc), str(payload["id"]), str(payload["cwd"])
    except (OSError, ValueError, KeyError, TypeError):
        return None  # not a session's first record, so not ours
