"""`resolve`: the whole request on stdin, who implements it and what to do next on stdout."""

from __future__ import annotations

import argparse

from relay_runtime.answer import Answer, Next
from relay_runtime.attempts.environment import DEPTH, depth
from relay_runtime.config import load
from relay_runtime.config.keys import target_of
from relay_runtime.context import Context, no_input
from relay_runtime.errors import Exit
from relay_runtime.resolve import Action, Resolution, encode_token, resolve

_GO_ON = Next(step="go on natively")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--entry", choices=("relay", "work"), required=True, help="the skill that asks")
    parser.add_argument("--file", metavar="F", help="read the request from F instead of stdin")


def run(args: argparse.Namespace, context: Context) -> Answer:
    text = context.read_input(args.file)
    if not text.strip():
        raise no_input()
    found = resolve(
        text, host=context.package.host, entry=args.entry, load_document=lambda: load(context.project())
    )
    if depth(context.environ) and (found.action is not Action.NATIVE or found.is_fallback):
        return _nested(found)
    if found.action is Action.RELAY:
        return _relay(found, context)
    if found.action is Action.HALT:
        return _halt(found)
    if found.action is Action.CLARIFY:
        return _clarify(found)
    return _fallback(found, args.entry, context) if found.is_fallback else _native(found)


def _relay(found: Resolution, context: Context) -> Answer:
    token = encode_token(found, context.package.host)
    start = context.call("start", "--tier", "3", "--gate2-approved", "--resolution", token)
    return Answer(
        message=_summary(found),
        lines=(
            _line(found),
            "[RELAY-RESOLVE] First the specs and Gate #2; then call start with the approved plan on stdin.",
        ),
        next=Next(argv=start, input_schema="plan"),
        data={**_data(found), "token": token},
    )


def _nested(found: Resolution) -> Answer:
    """The target of a relay sees the skills of its host; it neither relays nor asks anybody."""
    message = f"this is the target of a relay ({DEPTH} is set) — running native Phase 2A"
    native = found._replace(target=None, action=Action.NATIVE)
    return Answer(
        message=message,
        exit=Exit.NATIVE,
        lines=(f"[RELAY-FALLBACK] {message}",),
        next=_GO_ON,
        data={**_data(native), "problem": "relay.nested"},
    )


def _native(found: Resolution) -> Answer:
    return Answer(message=_summary(found), lines=(_line(found),), next=_GO_ON, data=_data(found))


def _halt(found: Resolution) -> Answer:
    named = f"--relay={found.selector}" if found.source == "flag-named" else f'"{found.matched}"'
    target = target_of(found.host)
    message = (
        f"{named} names {found.selector}, which is the host itself; the relay target can only be {target} "
        f"(--relay={target}, --relay=other), and --relay=none is native work."
    )
    return Answer(
        message=message,
        exit=Exit.HALT,
        lines=(f"[RELAY-HALT] {message}",),
        next=Next(question=f"Relay to {target}, or work natively?"),
        data={**_data(found), "problem": "resolve.same-host"},
    )


def _clarify(found: Resolution) -> Answer:
    return Answer(
        message="The request does not say clearly whether Claude or Codex implements.",
        exit=Exit.CLARIFY,
        lines=(_line(found),),
        next=Next(question="Who implements: Claude (--relay=claude) or Codex (--relay=codex)?"),
        data={**_data(found), "problem": "resolve.unclear"},
    )


def _fallback(found: Resolution, entry: str, context: Context) -> Answer:
    message = f"configured relay target {found.selector} equals host {found.host} — running native Phase 2A"
    store = Next(
        argv=context.call("config", "persist"),
        question="This run goes on natively. Store `relay: other` for the next one?",
    )
    return Answer(
        message=message,
        exit=Exit.NATIVE,
        lines=(f"[RELAY-FALLBACK] {message}",),
        next=store if entry == "relay" else _GO_ON,
        data={**_data(found), "problem": "resolve.stale-config"},
    )


def _line(found: Resolution) -> str:
    return f"[RELAY-RESOLVE] {_summary(found)}"


def _summary(found: Resolution) -> str:
    because = f' ("{found.matched}")' if found.matched else ""
    target = f" target={found.target}" if found.target else ""
    return f"{found.action.value} selector={found.selector} source={found.source}{target}{because}"


def _data(found: Resolution) -> dict[str, object]:
    return {
        "host": found.host,
        "selector": found.selector,
        "source": found.source,
        "target": found.target,
        "action": found.action.value,
        "matched": found.matched,
        "role": found.role,
        "flags": {
            "model": found.flags.model,
            "effort": found.flags.effort,
            "max_fix_rounds": found.flags.max_fix_rounds,
        },
        "request_sha256": found.request_sha256,
    }
