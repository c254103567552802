"""`checkpoint`: commit exactly what the target may have changed, and nothing that is in doubt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from relay_runtime.adapters import LEGS
from relay_runtime.answer import Answer
from relay_runtime.context import Context
from relay_runtime.errors import Exit, RelayError
from relay_runtime.gitrepo.changes import Change, Kind, changes
from relay_runtime.gitrepo.commit import commit_paths
from relay_runtime.gitrepo.repository import inspect
from relay_runtime.gitrepo.run import Git, split_paths
from relay_runtime.gitrepo.snapshot import compare, take
from relay_runtime.readiness import hostbox
from relay_runtime.relay.current import current
from relay_runtime.relay.next_step import check_turn, next_step, verb
from relay_runtime.relay.report import report
from relay_runtime.relay.settle import settle_locked
from relay_runtime.relay.transition import advance, keep
from relay_runtime.state.outcome import Outcome
from relay_runtime.state.relay import Checkpoint, Relay
from relay_runtime.state.store import Stored, load, locked
from relay_runtime.state.values import State

_SHOWN = 20


def checkpoint(context: Context, wgid: str | None, *, wip: bool) -> Answer:
    """Commit the round's work as C{N+1}, or unfinished work as W{K}, and say what is to be reviewed."""
    files = current(context, wgid).files
    git = Git(files.project.root, context.environ)
    with locked(files, "checkpoint", context.clock):
        stored = settle_locked(load(files), context).stored
        _check_state(stored, context, wip=wip)
        box = hostbox.look(stored.relay.host, files.project, context.environ)
        boxed = box.stopped(verb(context, stored, "checkpoint", *(("--wip",) if wip else ())), lasting=False)
        if boxed is not None:
            return boxed
        inspect(git)
        made, residue = _made_before(stored, git), ()
        if made is None:
            _refuse_departures(stored, git)
            residue = _remove_residue(stored, git)
            found = _owned(stored, git)
            stored = keep(stored, context.clock, record=replace(stored.record, committing=_label(stored)))
            made = _commit(stored, git, found)
        stored = _record(stored, git, made, context)
    return report(stored, context, (*made.lines(stored.relay), *residue), data=made.as_data(stored.relay))


@dataclass(frozen=True)
class _Made:
    """The new checkpoint; `paths` are those of its commit, empty when there was nothing to commit."""

    checkpoint: Checkpoint
    base: str
    paths: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def unchanged(self) -> bool:
        return self.checkpoint.sha == self.base

    def lines(self, relay: Relay) -> tuple[str, ...]:
        """The checkpoint, its paths as far as they fit, and the range to review."""
        label, sha = self.checkpoint.label, self.checkpoint.sha
        names = ", ".join(self.paths[:_SHOWN])
        more = f" and {len(self.paths) - _SHOWN} more" if len(self.paths) > _SHOWN else ""
        what = (
            f"{len(self.paths)} path{'s' * (len(self.paths) > 1)}: {names}{more}"
            if self.paths
            else "nothing new to commit"
        )
        lines = [f"[RELAY-CHECKPOINT] {label} {sha[:12]}: {what}"]
        if relay.state is not State.TARGET_FAILED:
            lines.append(f"[RELAY-REVIEW] Review C{relay.round}..{label}: git diff {self.base}..{sha}")
        return (*lines, *(f"[RELAY-GIT] {note}" for note in self.notes))

    def as_data(self, relay: Relay) -> dict[str, object]:
        return {
            "paths": list(self.paths),
            "range": {
                "from": f"C{relay.round}",
                "to": self.checkpoint.label,
                "base": self.base,
                "head": self.checkpoint.sha,
            },
        }


def _check_state(stored: Stored, context: Context, *, wip: bool) -> None:
    relay = stored.relay
    wanted = State.TARGET_FAILED if wip else State.TARGET_DONE
    if relay.state is wanted and (wip or relay.checkpoint(relay.to_review) is None):
        return
    check_turn(stored, State.HOST_TAKEOVER if wip else State.REVIEWING, context)
    what = "keeps unfinished work of a failed leg" if wip else "follows a leg that is done"
    raise RelayError(
        "checkpoint.state",
        f"checkpoint{' --wip' if wip else ''} {what}; this relay is in {relay.state.value}.",
        exit=Exit.HALT,
        hint=next_step(stored, context).as_text(),
    )


def _refuse_departures(stored: Stored, git: Git) -> None:
    """What the target did against its orders is for a person to judge; we neither commit nor undo it."""
    found = compare(stored.record.baseline, take(git))
    if not found:
        return
    raise RelayError(
        "checkpoint.departures",
        " ".join(one.sentence for one in found),
        exit=Exit.HALT,
        hint="Nothing was undone or committed. To undo it yourself: "
        + "; ".join(one.recovery for one in found if one.recovery),
        data={"departures": [{"what": one.what, "recovery": one.recovery} for one in found]},
    )


def _remove_residue(stored: Stored, git: Git) -> tuple[str, ...]:
    """Delete the empty read-only files that a killed client is known to leave."""
    known = LEGS[stored.relay.target].RESIDUE
    removed: list[str] = []
    for change in changes(git):
        path = Path(git.folder, change.path)
        if (
            change.kind is Kind.UNTRACKED
            and change.path in known
            and change.path not in stored.record.baseline.untracked
            and _is_empty_and_read_only(path)
        ):
            path.unlink()
            removed.append(change.path)
    return (f"[RELAY-GIT] Removed residue of a killed client: {', '.join(removed)}",) if removed else ()


def _is_empty_and_read_only(path: Path) -> bool:
    if path.is_symlink() or not path.is_file():
        return False
    status = path.stat()
    return status.st_size == 0 and not status.st_mode & 0o222


def _owned(stored: Stored, git: Git) -> tuple[Change, ...]:
    """All changed paths, if every one of them belongs to the plan."""
    plan = stored.record.plan
    found = changes(git)
    foreign = [
        one for one in found if one.kind in (Kind.SUBMODULE, Kind.REPOSITORY) or not plan.owns(one.path)
    ]
    if foreign:
        raise RelayError(
            "checkpoint.unowned",
            f"{len(foreign)} changed paths are not owned by the plan: "
            f"{', '.join(one.shown() for one in foreign[:50])}.",
            exit=Exit.HALT,
            hint="Move or undo them yourself, then run checkpoint again; nothing was staged. A submodule or "
            "a repository of its own cannot be part of a checkpoint.",
            data={"paths": [one.path for one in foreign]},
        )
    return found


def _label(stored: Stored) -> str:
    """C{N+1}, or the next W{K} for unfinished work."""
    relay = stored.relay
    if relay.state is not State.TARGET_FAILED:
        return relay.to_review
    return f"W{1 + sum(row.label.startswith('W') for row in relay.checkpoints)}"


def _message(stored: Stored) -> str:
    relay = stored.relay
    unfinished = " (unfinished)" if relay.state is State.TARGET_FAILED else ""
    return f"KnowzCode relay: {relay.target.capitalize()} round {relay.round} for {relay.wgid}{unfinished}"


def _made_before(stored: Stored, git: Git) -> _Made | None:
    """The commit of a checkpoint that was cut off before it was noted, proven to be ours."""
    head = git.line("rev-parse", "HEAD") or ""
    known = (
        stored.record.committing == _label(stored),
        git.line("rev-parse", "--quiet", "--verify", "HEAD^") == stored.record.baseline.head,
        git.line("log", "-1", "--format=%s") == _message(stored),
        take(git).branch == stored.relay.branch,
    )
    if not all(known):
        return None
    base = stored.relay.checkpoint(f"C{stored.relay.round}") or ""
    return _Made(Checkpoint(_label(stored), head, _meaning(stored)), base, _paths_of(git, head), ())


def _commit(stored: Stored, git: Git, found: tuple[Change, ...]) -> _Made:
    relay = stored.relay
    base = relay.checkpoint(f"C{relay.round}") or ""
    paths = tuple(one.path for one in found)
    if not paths:
        head = stored.record.baseline.head
        meaning = f"{relay.target.capitalize()} round {relay.round}" + (
            " changed nothing" if head == base else ""
        )
        return _Made(Checkpoint(_label(stored), head, meaning), base, (), ())
    sha = commit_paths(git, paths, _message(stored))
    return _Made(Checkpoint(_label(stored), sha, _meaning(stored)), base, paths, _notes(git, sha, paths))


def _meaning(stored: Stored) -> str:
    number = stored.relay.round
    wip = stored.relay.state is State.TARGET_FAILED
    return f"Target round {number} {'unfinished work' if wip else _kind(number)}"


def _kind(number: int) -> str:
    return "fixes" if number else "implementation"


def _notes(git: Git, sha: str, paths: tuple[str, ...]) -> tuple[str, ...]:
    """What commit hooks did besides."""
    added = [path for path in _paths_of(git, sha) if path not in paths]
    left = [one.path for one in changes(git)]
    notes: list[str] = []
    if added:
        notes.append(f"A commit hook added other paths: {', '.join(added[:_SHOWN])}")
    if left:
        notes.append(f"After the commit, by a hook, these files differ again: {', '.join(left[:_SHOWN])}")
    return tuple(notes)


def _paths_of(git: Git, sha: str) -> tuple[str, ...]:
    return split_paths(git.ask("diff-tree", "--no-commit-id", "--name-only", "-r", "-z", "--no-renames", sha))


def _record(stored: Stored, git: Git, made: _Made, context: Context) -> Stored:
    """C{N+1} and REVIEWING; unfinished work leaves the state as it is."""
    record = replace(stored.record, baseline=take(git), committing=None)
    checkpoints = (*stored.relay.checkpoints, made.checkpoint)
    if stored.relay.state is State.TARGET_FAILED:
        return keep(stored, context.clock, record=record, checkpoints=checkpoints)
    if made.unchanged:
        last = replace(record.attempts[-1], outcome=Outcome.DONE_NO_CHANGE.value)
        record = replace(record, attempts=(*record.attempts[:-1], last))
    return advance(stored, State.REVIEWING, context.clock, record=record, checkpoints=checkpoints)
