"""`start`: from an approved plan to a relay that is ready to launch."""

from __future__ import annotations

from datetime import timedelta

from relay_runtime import workgroup
from relay_runtime.answer import Answer
from relay_runtime.clock import Clock, stamp
from relay_runtime.context import Context, no_input
from relay_runtime.errors import Exit, RelayError
from relay_runtime.gitrepo import snapshot
from relay_runtime.gitrepo.run import Git
from relay_runtime.inputs import plan as plans
from relay_runtime.inputs.plan import Plan
from relay_runtime.paths import Project
from relay_runtime.readiness import hostbox
from relay_runtime.readiness.detect import Readiness, detect
from relay_runtime.relay import preflight, waiting_start
from relay_runtime.relay.admission import Admitted, admit, isolation, skip_of
from relay_runtime.relay.busy import check_nobody_works
from relay_runtime.relay.making import Making
from relay_runtime.relay.preflight import Prepared
from relay_runtime.relay.report import report
from relay_runtime.relay.unready import not_ready
from relay_runtime.relay.waiting_start import Request
from relay_runtime.state.files import RelayFiles
from relay_runtime.state.record import Record
from relay_runtime.state.relay import Relay
from relay_runtime.state.store import Stored, locked
from relay_runtime.state.values import State


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
    stopped = not_ready(readiness, request, admitted, context) or preflight.widened(
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
        planned = Making(git, files, plan, prepared, context.clock).run(
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
