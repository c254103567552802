"""`decide`: one word of the user or the lead, where it is on offer now."""

from __future__ import annotations

from dataclasses import replace

from relay_runtime import config
from relay_runtime.adapters import ADAPTERS
from relay_runtime.answer import Answer, Next
from relay_runtime.attempts.attempt import Request as Ask
from relay_runtime.attempts.attempt import ask
from relay_runtime.config import Settings
from relay_runtime.context import Context
from relay_runtime.errors import RelayError, UsageError
from relay_runtime.readiness.fallback import declined
from relay_runtime.relay import waiting_start
from relay_runtime.relay.admission import isolation
from relay_runtime.relay.current import current
from relay_runtime.relay.leg_files import attempt_files
from relay_runtime.relay.native import go_native, take_over
from relay_runtime.relay.report import report
from relay_runtime.relay.settle import settle, settle_locked
from relay_runtime.relay.start import start
from relay_runtime.relay.tell import tell
from relay_runtime.relay.transition import keep
from relay_runtime.resolve import decode_token
from relay_runtime.state.outcome import Outcome
from relay_runtime.state.store import Stored, load, locked
from relay_runtime.state.values import State

LIVE = tuple(word.value for word in (Ask.CONTINUE, Ask.INTERRUPT, Ask.STOP))
WORDS = (*LIVE, "retry", "native", "takeover", "accept-no-change")

_END_SECONDS = 45.0
"""How long an interrupted leg may take to be gone, with every step of the escalation."""


def decide(context: Context, wgid: str | None, word: str) -> Answer:
    """Act on `word`; one that is not on offer now is RelayError (2) with those that are."""
    waiting = waiting_start.waiting(context.project()) if wgid is None else None
    if waiting is not None:
        return _decide_start(waiting, word, context)
    settled = settle(current(context, wgid), context)
    stored = settled.stored
    on_offer = offers(stored)
    if word not in on_offer:
        raise UsageError(
            "decide.not-on-offer",
            f"{word} is not on offer in {stored.relay.state.value}.",
            hint=f"On offer: {' '.join(on_offer)}" if on_offer else "No decision is due.",
        )
    if word in LIVE:
        return _tell_supervisor(stored, Ask(word), context)
    with locked(stored.files, "decide", context.clock):
        stored = settle_locked(load(stored.files), context).stored
        if word not in offers(stored):
            raise UsageError("decide.not-on-offer", f"{word} is not on offer any more.")
        return _decide_failure(stored, word, context)


def offers(stored: Stored) -> tuple[str, ...]:
    """The words that mean something now."""
    relay, pending = stored.relay, stored.record.pending
    if relay.state is State.TARGET_IMPLEMENTING:
        return LIVE
    attempts = stored.record.of_round(relay.round)
    unchanged = bool(attempts) and attempts[-1].outcome == Outcome.DONE_NO_CHANGE.value
    if unchanged and relay.state in (State.TARGET_DONE, State.REVIEWING):
        return ("accept-no-change",)
    if pending is not None:
        return pending.offers
    return ("takeover",) if relay.state is State.TARGET_FAILED else ()


def _decide_start(request: waiting_start.Request, word: str, context: Context) -> Answer:
    """A start that waits for a login: look again, once for each confirmation, or go on natively."""
    if word == "retry" and not request.retried:
        return start(replace(request, retried=True), context)
    if word == "native":
        waiting_start.forget(context.project())
        return _native(request.token)
    raise UsageError(
        "decide.not-on-offer",
        f"{word} is not on offer while a start waits for a login.",
        hint="On offer: native" if request.retried else "On offer: retry native",
    )


def _native(token: str) -> Answer:
    target = decode_token(token).target or ""
    decision = declined(target)
    return Answer(
        message=decision.line.partition("] ")[2],
        exit=decision.exit,
        lines=(decision.line,),
        next=Next(step="go on natively"),
        data={"target": target},
    )


def _tell_supervisor(stored: Stored, request: Ask, context: Context) -> Answer:
    """Ask the supervisor, and after an interrupt or stop wait until the leg is gone."""
    relay = stored.relay
    files = attempt_files(stored.files, relay.target, relay.round)
    ask(files, request)
    if request is Ask.CONTINUE:
        return report(stored, context, ("[RELAY-DECIDE] continue-live: the same leg gets 30 more minutes",))
    until = context.clock.monotonic() + _END_SECONDS
    while context.clock.monotonic() < until:
        settled = settle(stored, context)
        if settled.stored.relay.state is not State.TARGET_IMPLEMENTING:
            return tell(settled, context)
        context.clock.sleep(0.2)
    raise RelayError(
        "decide.still-alive",
        f"The leg did not end within {_END_SECONDS:g} seconds (pid {relay.pid}).",
        hint="Poll again; the supervisor goes on ending it.",
    )


def _decide_failure(stored: Stored, word: str, context: Context) -> Answer:
    record, clock = stored.record, context.clock
    if word == "accept-no-change":
        stored = keep(stored, clock, record=replace(record, unchanged_accepted=True))
        return report(stored, context, ("[RELAY-DECIDE] a round without changes may be accepted by review",))
    if word == "retry":
        settings = _settings_again(stored, context)
        stored = keep(
            stored,
            clock,
            record=replace(record, pending=None, settings=settings),
            model=settings.model,
            isolation=isolation(settings),
        )
        return report(stored, context, ("[RELAY-DECIDE] retry: the next launch goes on",))
    if word == "native":
        quota = record.pending is not None and record.pending.about == Outcome.QUOTA.value
        decision = declined(stored.relay.target, *(("out of quota",) if quota else ()))
        return go_native(stored, decision.line, context)
    stored = take_over(stored, clock)
    title = ADAPTERS[stored.relay.target].CLIENT.title
    return report(stored, context, (f"[RELAY-TAKEOVER] The host completes what {title} left; then finish.",))


def _settings_again(stored: Stored, context: Context) -> Settings:
    """A value that a person just changed for this retry counts; one that came by flag stays."""
    before = stored.record.settings
    now = config.effective(config.load(context.project()), stored.relay.target)
    kept = {
        field: getattr(before, field)
        for field, source in before.sources.items()
        if source == "flag" or field == "max_fix_rounds"
    }
    return replace(now, **kept, sources={**now.sources, **{name: before.sources[name] for name in kept}})
