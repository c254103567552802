"""The relays of a repository, in all worktrees and of both hosts: list, show, prune. Heals none of them."""

from __future__ import annotations

import shutil
from dataclasses import dataclass

from relay_runtime.answer import Answer
from relay_runtime.attempts.attempt import Life, life
from relay_runtime.clock import Clock
from relay_runtime.context import Context
from relay_runtime.errors import RelayError, UsageError
from relay_runtime.gitrepo.run import Git
from relay_runtime.paths import Project
from relay_runtime.relay.elsewhere import worktrees
from relay_runtime.relay.leg_files import attempt_files
from relay_runtime.state.files import RelayFiles, list_wgids
from relay_runtime.state.relay import Relay
from relay_runtime.state.store import load, read_relay
from relay_runtime.state.values import State
from relay_runtime.workgroup import check_id

TAG = "[RELAY-RUNS]"
KEEP = 20

_LEGS = {
    Life.ENDED: "its leg ended and nobody was told",
    Life.LOST: "its leg is gone without a result",
    Life.UNSEEN: "its leg runs where nobody here can see it",
}


@dataclass(frozen=True)
class Run:
    """One relay folder. `relay` is None when its state cannot be read; `trouble` then says why."""

    files: RelayFiles
    relay: Relay | None
    leg: str
    news: bool
    trouble: str

    @property
    def line(self) -> str:
        """One line for a person or an agent."""
        where = f"in {self.files.project.root}"
        if self.relay is None:
            return f"{TAG} {self.files.wgid}: damaged, {where}: {self.trouble}"
        relay = self.relay
        leg = f", {self.leg}" if self.leg else ""
        return (
            f"{TAG} {self.files.wgid}: {relay.state.value}, round {relay.round}, {relay.host} → "
            f"{relay.target}{leg}, {where}"
        )

    def as_data(self) -> dict[str, object]:
        return {
            "wgid": self.files.wgid,
            "project": str(self.files.project.root),
            "state": self.relay.state.value if self.relay else None,
            "round": self.relay.round if self.relay else None,
            "host": self.relay.host if self.relay else None,
            "target": self.relay.target if self.relay else None,
            "leg": self.leg or None,
            "unread": self.news,
            "problem": self.trouble or None,
        }


def list_runs(context: Context) -> Answer:
    """All of them: first what ended unread, then by age."""
    found = _runs(context)
    lines = tuple(run.line for run in found) or (f"{TAG} There is no relay in {context.project().root}.",)
    return Answer(
        message=f"{len(found)} relays.", lines=lines, data={"runs": [run.as_data() for run in found]}
    )


def show_run(context: Context, wgid: str) -> Answer:
    """One relay with its checkpoints, its round log and the files of its evidence."""
    run = next((one for one in _runs(context) if one.files.wgid == check_id(wgid)), None)
    if run is None:
        raise UsageError(
            "runs.unknown", f"There is no relay {wgid} in this repository.", hint="See: runs list"
        )
    folder, relay = run.files.folder, run.relay
    lines = [run.line, f"{TAG} folder: {folder}"]
    if relay is not None:
        lines.append(f"{TAG} branch {relay.branch}, session {'present' if relay.session_id else 'pending'}")
        lines += [f"{TAG} {row.label} {row.sha} {row.meaning}" for row in relay.checkpoints]
        lines += [
            f"{TAG} round {row.round} {row.leg}: {row.started} to {row.ended}, exit {row.exit}, {row.result}"
            for row in relay.rounds
        ]
    names = sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))
    lines.append(f"{TAG} files: {', '.join(names)}")
    return Answer(message=run.line.partition("] ")[2], lines=tuple(lines), data=run.as_data())


def prune_runs(context: Context, keep: int, *, preview: bool) -> Answer:
    """Delete the folders of finished relays but the newest `keep`. WorkGroup files and branches stay."""
    if keep < 0:
        raise UsageError("runs.keep", "--keep must not be negative.")
    old = [run for run in _runs(context) if _may_go(run, context.clock)][keep:]
    if not preview:
        for run in old:
            # The state goes first: what is left of an interrupted deletion is no relay any more.
            run.files.state.unlink()
            shutil.rmtree(run.files.folder)
    what = "would be deleted" if preview else "deleted"
    lines = tuple(f"{TAG} {what}: {run.files.folder}" for run in old) or (f"{TAG} Nothing to delete.",)
    return Answer(
        message=f"{len(old)} relays {what}.", lines=lines, data={"deleted": [run.files.wgid for run in old]}
    )


def _may_go(run: Run, clock: Clock) -> bool:
    """Finished, with nothing alive, and a folder of its own. What cannot be read is left to a person."""
    if run.relay is None or not run.relay.state.final or run.files.folder.is_symlink():
        return False
    files = attempt_files(run.files, run.relay.target, run.relay.round)
    try:
        return life(files, clock) in (Life.ENDED, Life.LOST)
    except RelayError:
        return False


def _runs(context: Context) -> list[Run]:
    here = context.project()
    others = (Project(root) for root in worktrees(Git(here.root, context.environ)) if root != here.root)
    found = [
        _look(RelayFiles(project, wgid), context.clock)
        for project in (here, *others)
        for wgid in list_wgids(project)
    ]
    return sorted(found, key=lambda run: (run.news, run.files.wgid[-15:]), reverse=True)


def _look(files: RelayFiles, clock: Clock) -> Run:
    try:
        relay = read_relay(files)
        leg = _leg(files, relay, clock)
        news = leg in (_LEGS[Life.ENDED], _LEGS[Life.LOST]) or load(files).record.unread
        return Run(files, relay, leg, news, "")
    except RelayError as error:
        return Run(files, None, "", False, error.message)


def _leg(files: RelayFiles, relay: Relay, clock: Clock) -> str:
    if relay.state is not State.TARGET_IMPLEMENTING:
        return ""
    return _LEGS.get(life(attempt_files(files, relay.target, relay.round), clock), "its leg is alive")
