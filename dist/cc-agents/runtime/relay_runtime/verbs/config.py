"""`config`: show or explain the effective settings, or save the project's opt-in."""

from __future__ import annotations

import argparse

from relay_runtime import config
from relay_runtime.answer import Answer, Next
from relay_runtime.config.keys import SELECTORS, TARGETS, target_of
from relay_runtime.config.persist import WORDS, persist
from relay_runtime.config.view import answer, selector_source, view
from relay_runtime.context import Context
from relay_runtime.errors import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=("show", "explain", "persist"))
    parser.add_argument(
        "word",
        nargs="?",
        help="show, explain: one target instead of both; persist: other (the default) or none",
    )
    parser.add_argument("--defaults", action="store_true", help="leave the project's file aside")
    for flag in ("--relay", "--relay-model", "--relay-effort", "--relay-max-fix-rounds"):
        parser.add_argument(
            flag, action="append", metavar="VALUE", help="as in a request, for this answer only"
        )


def run(args: argparse.Namespace, context: Context) -> Answer:
    status = Next(argv=context.call("status"))
    if args.action == "persist":
        return _persist(
            context, _word(WORDS[0] if args.word is None else args.word, WORDS, "persist"), status
        )
    targets = TARGETS if args.word is None else (_word(args.word, TARGETS, args.action),)
    flagged = targets[0] if len(targets) == 1 else target_of(context.package.host)
    project = context.project()
    document = config.missing(project) if args.defaults else config.load(project)
    selector = _once(args.relay, "--relay")
    if selector is not None:
        _word(selector, SELECTORS, "--relay")
    flags = config.Flags(
        model=_once(args.relay_model, "--relay-model"),
        effort=_once(args.relay_effort, "--relay-effort"),
        max_fix_rounds=_once(args.relay_max_fix_rounds, "--relay-max-fix-rounds"),
    )
    return answer(
        view(document, targets, flagged, flags, selector),
        explain=args.action == "explain",
        selector_source=selector_source(document, selector),
        next_step=status,
    )


def _persist(context: Context, word: str, next_step: Next) -> Answer:
    project = context.project()
    changed = persist(project, word)
    name = project.config.relative_to(project.root).as_posix()
    said = f"{name} {'now says' if changed else 'already said'} relay: {word}."
    return Answer(
        message=said,
        lines=(f"[RELAY-CONFIG] {said}",),
        next=next_step,
        data={"file": name, "selector": word, "changed": changed},
    )


def _word(word: str, allowed: tuple[str, ...], where: str) -> str:
    if word not in allowed:
        raise UsageError(
            "config.word", f"{where} does not take {word!r}.", hint="One of: " + " ".join(allowed)
        )
    return word


def _once(values: list[str] | None, flag: str) -> str | None:
    if values is not None and len(set(values)) > 1:
        raise UsageError("flag.conflict", f"{flag} is given twice with different values.")
    return values[0] if values else None
