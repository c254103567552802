"""What `start` answers when the target is not ready, or the host lets it do nothing."""

from __future__ import annotations

from relay_runtime.answer import Answer, Next
from relay_runtime.context import Context
from relay_runtime.errors import Exit
from relay_runtime.readiness.detect import Readiness
from relay_runtime.readiness.fallback import Course, decide
from relay_runtime.relay import waiting_start
from relay_runtime.relay.admission import Admitted
from relay_runtime.relay.waiting_start import Request


def not_ready(readiness: Readiness, request: Request, admitted: Admitted, context: Context) -> Answer | None:
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
