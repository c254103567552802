"""`start`: from an approved plan to a relay that is ready to launch."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta

from relay_runtime import hostbox, preflight, waiting_start, workgroup
from relay_runtime import plan as plans
from relay_runtime.adapters import LEGS
from relay_runtime.admission import Admitted, admit, skip_of
from relay_runtime.answer import Answer, Next
from relay_runtime.busy import check_nobody_works
from relay_runtime.clock import Clock, stamp
from relay_runtime.config import Settings
from relay_runtime.context import Context, no_input
from relay_runtime.detect import Readiness, detect
from relay_runtime.errors import Exit, RelayError
from relay_runtime.fallback import Course, decide
from relay_runtime.fsio import write_atomic
from relay_runtime.gitrepo import branch, snapshot
from relay_runtime.gitrepo.changes import changes
from relay_runtime.gitrepo.commit import commit_paths
from relay_runtime.gitrepo.run import Git
from relay_runtime.paths import Project
from relay_runtime.plan import Plan
from relay_runtime.preflight import Prepared
from relay_runtime.prompts.brief import brief
from relay_runtime.report import report
from relay_runtime.state.files import RelayFiles
from relay_runtime.state.record import Record
from relay_runtime.state.relay import Checkpoint, Relay
from relay_runtime.state.store import Stored, locked, save
from relay_runtime.state.values import State
from relay_runtime.transition import advance
from relay_runtime.waiting_start import Request

BASELINE = "Specs approved — pre-relay baseline"


def start(request: Request, context: Context) -> Answer:
    """Admit, detect, look at the repository, and only then make branch, checkpoint, brief and state."""
    skipped = skip_of(request.tier)
    if skipped is not None:
        return skipped
    if not request.plan.strip():
        raise no_input()
    admitted = admit(request.token, gate2=request.gate2, context=context)
    plan = plans.parse(request.plan)
    project = context.project()
    preflight.check_folders(project)
    box = hostbox.look(context.package.host, project, context.environ)
    boxed = box.stopped(context.call(*request.words()), "plan")
    if boxed is not None:
        return boxed
    readiness = detect(admitted.target, context.package.host, context, box=box)
    stopped = _not_ready(readiness, request, admitted, context) or preflight.widened(
        admitted.target, readiness.version, request.accept_settings, context
    )
    if stopped is not None:
        return stopped
    waiting_start.forget(project)
    files = _files(project, plan, request.wgid, context.clock)
    git = Git(project.root, context.environ)
    preflight.check_repository(git, files)  # before the lock file, which git would see without the rule
    with locked(files, "start", context.clock):
        check_nobody_works(project, context.clock)
        prepared = preflight.prepare(git, files, plan, request.approve_branch)
        planned = _Making(git, files, plan, prepared, context.clock).run(
            _relay(files, admitted, readiness, prepared, context),
            Record(
                plan=plan,
                settings=admitted.settings,
                baseline=snapshot.take(git),
                autonomous=request.autonomous,
                accepted_settings=request.accept_settings,
            ),
        )
    return report(planned, context, _lines(planned, admitted, readiness, prepared))


@dataclass(frozen=True)
class _Making:
    """The part that changes things. Whatever fails, branch and state are as they were before."""

    git: Git
    files: RelayFiles
    plan: Plan
    prepared: Prepared
    clock: Clock

    def run(self, relay: Relay, record: Record) -> Stored:
        """State INIT first, then branch, Gate #2 checkpoint, prompt and the target's files, then PLANNED."""
        ids = tuple(change.id for change in self.plan.change_set)
        workgroup.create(self.files.project, self.files.wgid, self.plan.goal, ids, relay.updated)
        stored = Stored(self.files, relay, record)
        save(stored)
        made = False
        try:
            if self.prepared.new_branch:
                branch.create(self.git, self.prepared.repository, self.prepared.branch)
                made = True
            head = self._checkpoint()
        except RelayError:
            if made:
                branch.undo(self.git, self.prepared.repository, self.prepared.branch)
            self._forget()
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

    def _forget(self) -> None:
        """The state announced a start that did not happen."""
        for path in (self.files.state, self.files.record):
            path.unlink(missing_ok=True)
        self.files.folder.rmdir()


def write_target_files(files: RelayFiles, target: str) -> None:
    """Write the target's own small files and read them back: a faulty one is ignored without a word."""
    for name, data in LEGS[target].files().items():
        path = files.folder / name
        write_atomic(path, data)
        if path.read_bytes() != data:
            raise RelayError("start.settings", f"{path} does not hold what was written.", exit=Exit.HALT)


def isolation(settings: Settings) -> str:
    """What keeps the target in its place, in words."""
    if settings.sandbox:
        return f"sandbox {settings.sandbox}"
    return f"permission {settings.permission_mode}, strict Bash sandbox"


def _not_ready(readiness: Readiness, request: Request, admitted: Admitted, context: Context) -> Answer | None:
    """Halt, pause or visible fallback when the target is not ready, or the host lets it do nothing."""
    decision = decide(readiness, admitted.resolution.source, autonomous=request.autonomous)
    data: dict[str, object] = {"target": admitted.target, "readiness": readiness.as_data()}
    if decision.course is Course.GO:
        if not readiness.blockers:
            return None
        return Answer(
            message=readiness.blockers[0].text,
            exit=Exit.HALT,
            lines=readiness.lines(),
            hint=readiness.remediation,
            next=Next(argv=context.call(*request.words()), input_schema="plan"),
            data={**data, "problem": "start.blocked"},
        )
    following = {
        Course.FALLBACK: Next(question=decision.question, step="go on natively"),
        Course.PAUSE: _ask_for_login(request, decision.remediation, context),
        Course.HALT: Next(argv=context.call(*request.words()), input_schema="plan"),
    }[decision.course]
    if decision.course is Course.PAUSE:
        waiting_start.wait(context.project(), request)
    return Answer(
        message=decision.line.partition("] ")[2],
        exit=decision.exit,
        lines=tuple(dict.fromkeys((decision.line, *readiness.lines()))),
        hint=decision.remediation,
        next=following,
        data={**data, "problem": f"start.{readiness.status.value}"},
    )


def _ask_for_login(request: Request, remediation: str, context: Context) -> Next:
    native = " ".join(context.call("decide", "native"))
    if request.retried:
        return Next(
            question=f"Still logged out. {remediation} Then call start again, or go on natively: {native}"
        )
    return Next(
        argv=context.call("decide", "retry"),
        question=f"{remediation} Logged in now? To decline and work natively: {native}",
    )


def _files(project: Project, plan: Plan, wgid: str | None, clock: Clock) -> RelayFiles:
    """The files of a WorkGroup that has no relay yet: the named one, or a new one."""
    if wgid is not None:
        files = RelayFiles(project, workgroup.check_id(wgid))
        if files.folder.exists():
            raise RelayError(
                "start.exists", f"{files.folder} exists: this WorkGroup has a relay.", exit=Exit.CONFLICT
            )
        return files
    moment = clock.now()
    while True:
        files = RelayFiles(project, workgroup.new_id(plan.type, plan.slug, moment))
        if not files.folder.exists() and not (project.workgroups / f"{files.wgid}.md").exists():
            return files
        moment += timedelta(seconds=1)


def _relay(
    files: RelayFiles, admitted: Admitted, readiness: Readiness, prepared: Prepared, context: Context
) -> Relay:
    target, settings = admitted.target, admitted.settings
    return Relay(
        wgid=files.wgid,
        host=context.package.host,
        target=target,
        selector=admitted.resolution.selector,
        source=admitted.resolution.source,
        state=State.INIT,
        round=0,
        max_fix_rounds=settings.max_fix_rounds,
        session_id=None,
        manual_attach=None,
        target_version=readiness.version or None,
        transport=admitted.transport,
        model=settings.model,
        effort=settings.effort,
        isolation=isolation(settings),
        branch=prepared.branch,
        cwd=str(files.project.root),
        pid=None,
        log_path=files.relative(files.log(target, 0)),
        error_path=files.relative(files.error(target, 0)),
        last_message_path=files.relative(files.last_message(target, 0)),
        result_subtype=None,
        last_output=None,
        updated=stamp(context.clock.now()),
    )


def _lines(planned: Stored, admitted: Admitted, readiness: Readiness, prepared: Prepared) -> tuple[str, ...]:
    relay = planned.relay
    made = "new branch" if prepared.new_branch else "approved branch"
    return (
        f"[RELAY-START] {relay.wgid}: {relay.host} → {relay.target}, {relay.model} ({relay.effort}), "
        f"{relay.isolation}; {made} {relay.branch}, C0 {relay.checkpoints[0].sha[:12]}",
        *readiness.lines(),
        *(f"[RELAY-GIT] {note}" for note in prepared.repository.notes),
        *admitted.lines,
    )
