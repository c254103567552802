"""The part of `start` that changes things. Whatever fails, branch and state are as they were before."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from relay_runtime import workgroup
from relay_runtime.clock import Clock
from relay_runtime.errors import Exit, RelayError
from relay_runtime.fsio import write_atomic
from relay_runtime.gitrepo import branch, snapshot
from relay_runtime.gitrepo.changes import changes
from relay_runtime.gitrepo.commit import commit_paths
from relay_runtime.gitrepo.run import Git
from relay_runtime.inputs.plan import Plan
from relay_runtime.prompts.brief import brief
from relay_runtime.relay.preflight import Prepared
from relay_runtime.relay.target_files import write_target_files
from relay_runtime.relay.transition import advance
from relay_runtime.state.files import RelayFiles
from relay_runtime.state.record import Record
from relay_runtime.state.relay import Checkpoint, Relay
from relay_runtime.state.store import Stored, save
from relay_runtime.state.values import State

BASELINE = "Specs approved — pre-relay baseline"


@dataclass(frozen=True)
class Making:
    """One relay to be made."""

    git: Git
    files: RelayFiles
    plan: Plan
    prepared: Prepared
    clock: Clock

    def run(self, relay: Relay, record: Record) -> Stored:
        """State INIT first, then branch, Gate #2 checkpoint, prompt and the target's files, then PLANNED."""
        note = workgroup.path(self.files.project, self.files.wgid)
        before = note.read_bytes() if note.exists() else None
        ids = tuple(change.id for change in self.plan.change_set)
        workgroup.create(self.files.project, self.files.wgid, self.plan.goal, ids, relay.updated)
        stored = Stored(self.files, relay, record)
        save(stored)
        try:
            if self.prepared.new_branch:
                branch.create(self.git, self.prepared.repository, self.prepared.branch)
            head = self._checkpoint()
        except RelayError:
            self._take_back(note, before)
            raise
        self._write_files(relay.target)
        return advance(
            stored,
            State.PLANNED,
            self.clock,
            record=replace(record, baseline=snapshot.take(self.git)),
            checkpoints=(Checkpoint("C0", head, BASELINE),),
        )

    def _checkpoint(self) -> str:
        """Commit what Gate #2 approved, where anything of it changed, and give C0."""
        if not self.prepared.paths:
            return self.prepared.repository.head
        made = commit_paths(
            self.git, self.prepared.paths, f"KnowzCode relay: specs approved for {self.files.wgid}"
        )
        left = [one.path for one in changes(self.git)]
        if left:
            raise RelayError(
                "start.not-clean",
                f"After the Gate #2 checkpoint {made} these paths still differ: {', '.join(left[:20])}.",
                exit=Exit.HALT,
                hint="A commit hook rewrites files. Commit its result yourself, then run start again.",
                data={"paths": left},
            )
        return made

    def _write_files(self, target: str) -> None:
        root = self.files.project.root
        missing = frozenset(spec.path for spec in self.plan.specs if not (root / spec.path).is_file())
        write_atomic(
            self.files.brief(), brief(self.files.wgid, self.plan, missing).encode("utf-8", "replace")
        )
        write_target_files(self.files, target)

    def _take_back(self, note: Path, before: bytes | None) -> None:
        """Leave no word of a start that did not happen; a branch that holds a commit already stays."""
        repository = self.prepared.repository
        on_it = self.git.line("symbolic-ref", "--quiet", "HEAD") == f"refs/heads/{self.prepared.branch}"
        if self.prepared.new_branch and on_it and self.git.line("rev-parse", "HEAD") == repository.head:
            branch.undo(self.git, repository, self.prepared.branch)
        for path in (self.files.state, self.files.record):
            path.unlink(missing_ok=True)
        self.files.folder.rmdir()
        if before is None:
            note.unlink()
        else:
            write_atomic(note, before)
