"""`launch`: one attempt of the target, announced in the state before it exists."""

from __future__ import annotations

from dataclasses import replace

from relay_runtime.adapters import LEGS
from relay_runtime.answer import Answer
from relay_runtime.attempts.attempt import NETWORK_SECONDS, Spec, write_spec
from relay_runtime.attempts.attempt import Record as Supervised
from relay_runtime.attempts.environment import leg_environment
from relay_runtime.attempts.launch import launch, launch_in_foreground, new_id
from relay_runtime.clock import iso
from relay_runtime.config import Flags
from relay_runtime.context import Context
from relay_runtime.errors import Exit, RelayError, UsageError
from relay_runtime.fsio import write_atomic
from relay_runtime.gitrepo import summary
from relay_runtime.gitrepo.changes import changes
from relay_runtime.gitrepo.run import Git
from relay_runtime.gitrepo.snapshot import Snapshot, take
from relay_runtime.prompts.fix import continue_prompt, recovery_prompt
from relay_runtime.readiness import hostbox
from relay_runtime.readiness.detect import Readiness, detect
from relay_runtime.relay import transport
from relay_runtime.relay.admission import isolation
from relay_runtime.relay.assignment import Assignment, Words, next_assignment
from relay_runtime.relay.busy import check_nobody_works
from relay_runtime.relay.command_line import invocation
from relay_runtime.relay.current import current
from relay_runtime.relay.escalation import NO_ESCALATION, escalated, escalation_lines, escalation_words
from relay_runtime.relay.launch_gate import stop
from relay_runtime.relay.leg_files import attempt_files
from relay_runtime.relay.next_step import check_turn, verb
from relay_runtime.relay.report import report
from relay_runtime.relay.settle import settle, settle_locked
from relay_runtime.relay.target_files import write_target_files
from relay_runtime.relay.tell import tell
from relay_runtime.relay.transition import advance, keep
from relay_runtime.state.record import NOTHING_TOLD, Attempt, Told
from relay_runtime.state.relay import RoundRow
from relay_runtime.state.store import Stored, load, locked
from relay_runtime.state.values import State


def launch_leg(
    context: Context,
    wgid: str | None,
    *,
    foreground: bool,
    session: str | None,
    escalation: Flags = NO_ESCALATION,
) -> Answer:
    """Start the attempt that is due. `session`, when given, must be the one that would be resumed.

    `escalation` names another model or effort, for this attempt and those that follow.
    """
    files = current(context, wgid).files
    with locked(files, "launch", context.clock):
        stored = settle_locked(load(files), context).stored
        _refuse(stored, context)
        check_nobody_works(files.project, context.clock)
        before = stored.record.settings
        stored = escalated(stored, escalation, context)
        assignment = _with_prompt(next_assignment(stored))
        _check_session(session, assignment)
        box = hostbox.look(stored.relay.host, stored.files.project, context.environ)
        words = ("launch", *(("--foreground",) if foreground else ()), *escalation_words(escalation))
        boxed = box.stopped(verb(context, stored, *words), lasting=not foreground)
        if boxed is not None:
            return boxed
        baseline = _baseline(stored, context)
        readiness = detect(stored.relay.target, stored.relay.host, context, box=box)
        stopped = stop(stored, readiness, context)
        if stopped is not None:
            return stopped
        spec = _spec(stored, assignment, readiness, context)
        stored = _announce(stored, assignment, spec, baseline, readiness, context)
        environ = leg_environment(context.environ)
        if not foreground:
            stored = _started(stored, launch(spec, environ, context.clock, context.package.runtime), context)
            return report(stored, context, (_line(stored, assignment), *escalation_lines(before, stored)))
        # Before the lock is given up: without a spec a reader would take the leg for one that never started.
        write_spec(spec)
    launch_in_foreground(spec, LEGS[spec.target], environ, context.clock)
    return tell(settle(load(files), context), context)


def _refuse(stored: Stored, context: Context) -> None:
    """Refuse a second leg (7), a state without a next leg (3), and one that waits for a decision (4)."""
    relay, pending = stored.relay, stored.record.pending
    if relay.state is State.TARGET_IMPLEMENTING:
        raise RelayError(
            "launch.alive",
            f"The leg of round {relay.round} is alive (pid {relay.pid or 'not known yet'}).",
            exit=Exit.BUSY,
            hint="Wait for it with the verb poll.",
        )
    check_turn(stored, State.TARGET_IMPLEMENTING, context)
    if pending is not None:
        raise RelayError(
            "launch.decision-due",
            f"A decision is due first ({pending.about}): {pending.question}",
            exit=Exit.PAUSE,
            hint=f"Run decide with one of: {' '.join(pending.offers)}",
        )


def _with_prompt(assignment: Assignment) -> Assignment:
    """The assignment with a prompt that is there: for a lost delta the whole fix prompt does as well."""
    needed = assignment.prompt if assignment.words is Words.WRITTEN else assignment.source
    if needed.is_file():
        return assignment
    if assignment.source.is_file():
        return replace(assignment, prompt=assignment.source)
    raise RelayError(
        "launch.no-prompt",
        f"{assignment.source} does not exist, and it is what the target must be told.",
        exit=Exit.HALT,
        hint="Bring the file back, or end the relay with the verb abort.",
    )


def _check_session(session: str | None, assignment: Assignment) -> None:
    if session is not None and session != assignment.session:
        raise UsageError(
            "launch.session",
            f"--session {session} is not the session to resume"
            + (f", which is {assignment.session}." if assignment.session else "; the next leg is a new one."),
        )


def _baseline(stored: Stored, context: Context) -> Snapshot:
    """The snapshot to compare with after the leg: a new round begins clean and on the relay's branch."""
    git = Git(stored.files.project.root, context.environ)
    now = take(git)
    if now.branch != stored.relay.branch:
        raise RelayError(
            "launch.branch",
            f"HEAD is on {now.branch or 'no branch'}, and the relay works on {stored.relay.branch}.",
            exit=Exit.HALT,
            hint=f"git switch {stored.relay.branch}",
        )
    if stored.relay.state is State.TARGET_FAILED:
        return stored.record.baseline
    dirty = [one.shown() for one in changes(git)]
    if dirty:
        raise RelayError(
            "launch.dirty",
            f"{len(dirty)} paths changed since the last checkpoint: {', '.join(dirty[:50])}.",
            exit=Exit.HALT,
            hint="Commit or move them yourself; else nobody can tell your edits from the target's.",
            data={"paths": dirty},
        )
    return now


def _spec(stored: Stored, assignment: Assignment, readiness: Readiness, context: Context) -> Spec:
    made = invocation(stored, assignment, str(readiness.binary), context)
    return Spec(
        id=new_id(),
        target=stored.relay.target,
        argv=made.argv,
        cwd=made.cwd,
        stdin=made.stdin,
        files=attempt_files(stored.files, stored.relay.target, assignment.round),
        environ=dict(made.environ),
        remove=made.remove,
        minutes=stored.record.settings.timeout_minutes,
        asked_session=assignment.session,
        network_seconds=0 if readiness.offline else NETWORK_SECONDS,
    )


def _announce(
    stored: Stored,
    assignment: Assignment,
    spec: Spec,
    baseline: Snapshot,
    readiness: Readiness,
    context: Context,
) -> Stored:
    """Put old evidence aside, write the prompt, and say in the state what is about to start."""
    relay, record, files = stored.relay, stored.record, stored.files
    way = transport.of_attempt(stored, assignment)
    replies = way == transport.MCP and bool(assignment.session)  # a reply has the effort of its thread
    now = iso(context.clock.now())
    spec.files.set_aside(assignment.number - 1)
    _write_prompt(stored, assignment, context)
    write_target_files(files, relay.target)
    attempt = Attempt(spec.id, assignment.round, assignment.number, assignment.session, now)
    return advance(
        stored,
        State.TARGET_IMPLEMENTING,
        context.clock,
        record=replace(
            record,
            baseline=baseline,
            attempts=(*record.attempts, attempt),
            told=Told(events=record.told.events) if assignment.number > 1 else NOTHING_TOLD,
            unread=False,
        ),
        session_id=assignment.session or None,
        manual_attach=relay.manual_attach if assignment.session else None,
        target_version=readiness.version or relay.target_version,
        model=record.settings.model,
        isolation=isolation(record.settings),
        effort=relay.effort if replies else assignment.effort,
        transport=way,
        pid=None,
        log_path=files.relative(spec.files.log),
        error_path=files.relative(spec.files.err),
        last_message_path=files.relative(spec.files.last),
        result_subtype=None,
        rounds=(*relay.rounds, RoundRow(assignment.round, assignment.leg, now, "—", "—", "running")),
    )


def _write_prompt(stored: Stored, assignment: Assignment, context: Context) -> None:
    """The prompt of a leg that goes on; that of a new round lies there since its review."""
    relay, files = stored.relay, stored.files
    if assignment.words is Words.CONTINUE:
        text = continue_prompt(relay.wgid, assignment.round, files.relative(assignment.source))
    elif assignment.words is Words.RECOVER:
        base = relay.checkpoint(f"C{relay.round}")
        git = Git(files.project.root, context.environ)
        text = recovery_prompt(
            assignment.source.read_text("utf-8"),
            tuple(f"{row.label} {row.sha} {row.meaning}" for row in relay.checkpoints),
            summary.since(git, base) if base else (),
        )
    else:
        return
    write_atomic(assignment.prompt, text.encode())


def _started(stored: Stored, supervised: Supervised, context: Context) -> Stored:
    pid = supervised.target.pid if supervised.target is not None else None
    return keep(stored, context.clock, pid=pid)


def _line(stored: Stored, assignment: Assignment) -> str:
    relay = stored.relay
    how = "resumed session" if assignment.session else "new session"
    return (
        f"[RELAY-LAUNCH] {relay.target} round {relay.round} attempt {assignment.number}, {how}, "
        f"{relay.model} ({relay.effort}), {relay.isolation}, pid {relay.pid or 'none'}"
    )
