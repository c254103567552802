"""`coding: X`, `X: implementation`."""

from __future__ import annotations

from relay_runtime.intent.claims import Reading, reading
from relay_runtime.intent.cursor import at_end, names_at, skip_adverbs
from relay_runtime.intent.nouns import Thing, noun_phrase
from relay_runtime.intent.roles import Role, complement, role_by_thing, verb_phrase
from relay_runtime.intent.scene import Scene
from relay_runtime.intent.tokens import MARK, Tokens


def label(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    """`Codex: implementation`, `implementer: Codex`."""
    names = names_at(tokens, start)
    if (
        names
        and start + 1 < len(tokens)
        and tokens[start + 1].kind == MARK
        and tokens[start + 1].word in (":", "\u2014")
    ):
        after = start + 2
        found = verb_phrase(tokens, after, ("base", "gerund", "third"))
        given = noun_phrase(tokens, after)
        if given is not None and (found is None or found.role is Role.NONE):
            found = role_by_thing(given.thing, given.head, given.end)
        found = found or complement(tokens, after)
        if found is None or found.role is Role.NONE:
            return None
        scene.labels = True
        return reading(
            tokens, names, found.role, (start, found.verb, found.object), found.end, negated=scene.negated
        )
    given = noun_phrase(tokens, start)
    if given is None or given.end + 1 >= len(tokens) or tokens[given.end].kind != MARK:
        return None
    agent = given.end + 1
    if (
        tokens[given.end].word not in (":", "\u2014")
        or not names_at(tokens, agent)
        or not at_end(tokens, skip_adverbs(tokens, agent + 1))
    ):
        return None
    found = complement(tokens, start) or role_by_thing(given.thing, given.head, given.end)
    if found.role is Role.NONE and given.thing is not Thing.UNKNOWN:
        found = role_by_thing(given.thing, given.head, given.end)
    scene.labels = True
    return reading(tokens, names_at(tokens, agent), found.role, (given.head, agent), agent + 1)
