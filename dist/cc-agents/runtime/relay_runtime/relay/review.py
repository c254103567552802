"""`review`: the host's findings in, the verdict and the next prompts out. The runtime decides."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum

from relay_runtime.answer import Answer, Next
from relay_runtime.clock import iso
from relay_runtime.context import Context, no_input
from relay_runtime.errors import Exit, RelayError
from relay_runtime.fsio import write_atomic
from relay_runtime.gitrepo import summary
from relay_runtime.gitrepo.run import Git
from relay_runtime.inputs import feedback as feedbacks
from relay_runtime.inputs.feedback import Feedback
from relay_runtime.prompts.fix import Prior, fix_prompt
from relay_runtime.prompts.review import delta_prompt, feedback_text
from relay_runtime.relay.current import current
from relay_runtime.relay.next_step import check_turn, verb
from relay_runtime.relay.report import report
from relay_runtime.relay.settle import settle_locked
from relay_runtime.relay.transition import advance
from relay_runtime.state.outcome import Outcome
from relay_runtime.state.relay import Relay, RoundRow
from relay_runtime.state.store import Stored, load, locked
from relay_runtime.state.values import State

_REVIEW = "host-review"


class Verdict(Enum):
    ACCEPT = "ACCEPT"
    FIX_ROUND = "FIX_ROUND"
    TAKEOVER = "TAKEOVER"


_FOLLOWING = {
    Verdict.ACCEPT: State.FINALIZING,
    Verdict.FIX_ROUND: State.FIX_ROUND,
    Verdict.TAKEOVER: State.HOST_TAKEOVER,
}


def verdict(relay: Relay, findings: tuple[tuple[str, ...], ...], feedback: Feedback) -> tuple[Verdict, str]:
    """What a review leads to, and why. `findings` are the identities of earlier reviews' gaps."""
    if not feedback.gaps:
        return Verdict.ACCEPT, "no gap is left"
    previous = findings[-1] if findings else ()
    survivors = [gap.node for gap in feedback.gaps if gap.identity in previous]
    if survivors:
        return Verdict.TAKEOVER, f"the same gap was there in the last review ({survivors[0]})"
    if relay.round >= relay.max_fix_rounds:
        return Verdict.TAKEOVER, f"all {relay.max_fix_rounds} fix rounds are used"
    return Verdict.FIX_ROUND, f"{len(feedback.gaps)} gap{'s' * (len(feedback.gaps) > 1)}"


def review(context: Context, wgid: str | None, text: str) -> Answer:
    """Take one review in: prompts first, then the state that they belong to."""
    files = current(context, wgid).files
    if not text.strip():
        raise no_input()
    feedback = feedbacks.parse(text)
    with locked(files, "review", context.clock):
        stored = _reviewing(settle_locked(load(files), context).stored, context)
        found, why = verdict(stored.relay, _earlier(stored), feedback)
        if found is Verdict.ACCEPT and _is_silent(stored):
            return _ask(stored, context)
        number = stored.relay.round + 1
        _write_prompts(stored, number, feedback, found, Git(files.project.root, context.environ))
        stored = _record(stored, feedback, found, why, context)
    return report(
        stored, context, _lines(stored, feedback, found, why), data={"verdict": found.value, "why": why}
    )


def _earlier(stored: Stored) -> tuple[tuple[str, ...], ...]:
    """The findings of the reviews that the state tells of; a crash may have left one more in the record."""
    return stored.record.findings[: sum(row.leg == _REVIEW for row in stored.relay.rounds)]


def _reviewing(stored: Stored, context: Context) -> Stored:
    """The relay in REVIEWING. A round without changes has its checkpoint already and goes there now."""
    relay = stored.relay
    if relay.state is State.REVIEWING:
        return stored
    check_turn(stored, State.REVIEWING, context)
    if relay.checkpoint(relay.to_review) is None:
        raise RelayError(
            "review.no-checkpoint",
            f"Round {relay.round} has no checkpoint {relay.to_review} to review yet.",
            exit=Exit.HALT,
            hint="Run checkpoint first.",
        )
    return advance(stored, State.REVIEWING, context.clock)


def _is_silent(stored: Stored) -> bool:
    """Whether the round changed nothing, and nobody has accepted it so."""
    attempts = stored.record.of_round(stored.relay.round)
    unchanged = bool(attempts) and attempts[-1].outcome == Outcome.DONE_NO_CHANGE.value
    return unchanged and not stored.record.unchanged_accepted


def _ask(stored: Stored, context: Context) -> Answer:
    line = f"[RELAY-HALT] Round {stored.relay.round} changed nothing, so there is nothing to approve."
    question = "Does the user accept the work without any change? If not: name the gaps and review again."
    answer = report(stored, context, (line,), exit=Exit.PAUSE, data={"problem": "review.nothing-changed"})
    return replace(
        answer, next=Next(argv=verb(context, stored, "decide", "accept-no-change"), question=question)
    )


def _write_prompts(stored: Stored, number: int, feedback: Feedback, found: Verdict, git: Git) -> None:
    relay, files, plan = stored.relay, stored.files, stored.record.plan
    text = feedback_text(relay.wgid, number, feedback, found.value)
    write_atomic(files.feedback(number), _bytes(text))
    if found is not Verdict.FIX_ROUND:
        return
    base, head = relay.checkpoint(f"C{relay.round}") or "", relay.checkpoint(relay.to_review) or ""
    reviewed = f"C{relay.round}..{relay.to_review} ({base}..{head})"
    write_atomic(files.delta_prompt(number), _bytes(delta_prompt(relay.wgid, number, feedback, reviewed)))
    prior = Prior(
        commits=tuple(f"{row.label} {row.sha} {row.meaning}" for row in relay.checkpoints),
        changed=summary.between(git, relay.checkpoint("C0") or base or head, head),
    )
    prompt = fix_prompt(relay.wgid, number, plan, (relay.branch, relay.cwd), prior, text)
    write_atomic(files.fix_prompt(number), _bytes(prompt))


def _record(stored: Stored, feedback: Feedback, found: Verdict, why: str, context: Context) -> Stored:
    now = iso(context.clock.now())
    gaps = tuple(gap.identity for gap in feedback.gaps)
    row = RoundRow(stored.relay.round + 1, _REVIEW, now, now, "—", f"{found.value}: {why}")
    return advance(
        stored,
        _FOLLOWING[found],
        context.clock,
        record=replace(stored.record, findings=(*_earlier(stored), gaps), pending=None),
        rounds=(*stored.relay.rounds, row),
    )


def _lines(stored: Stored, feedback: Feedback, found: Verdict, why: str) -> tuple[str, ...]:
    lines = [f"[RELAY-VERDICT] {found.value}: {why} → {stored.relay.state.value}"]
    if found is Verdict.ACCEPT and feedback.completion < 100:
        lines.append(f"[RELAY-VERDICT] The review says {feedback.completion:g}% complete and names no gap.")
    if found is Verdict.TAKEOVER:
        lines.append("[RELAY-TAKEOVER] Close these gaps natively, run the tests, then finish:")
        lines += [
            f"[RELAY-TAKEOVER] {number}. {' '.join(gap.node.split())} {gap.place}: {' '.join(action.split())}"
            for number, (gap, action) in enumerate(zip(feedback.gaps, feedback.actions), 1)
        ]
    return tuple(lines)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")
