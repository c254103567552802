"""`coding: X`, `X: implementation`."""

from __future__ import annotations

from relay_runtime.intent import words
from relay_runtime.intent.claims import Reading, reading
from relay_runtime.intent.cursor import at_end, names_at, skip_adverbs, word_at
from relay_runtime.intent.nouns import Thing, noun_phrase
from relay_runtime.intent.roles import Role, VerbPhrase, role_by_thing, verb_phrase
from relay_runtime.intent.scene import Scene
from relay_runtime.intent.tokens import MARK, Tokens


def label(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    """`Codex: implementation`, `implementer: Codex`."""
    return _agent_first(tokens, start, scene) or _role_first(tokens, start, scene)


def _agent_first(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    names = names_at(tokens, start)
    if not names or not _is_colon(tokens, start + 1):
        return None
    after = start + 2
    found = verb_phrase(tokens, after, ("base", "gerund", "third"))
    if found is None or found.role is Role.NONE:
        found = _role_named(tokens, after)
    if found is None or (found.role is Role.IMPLEMENT and not found.is_plain):
        return None
    scene.labels = True
    return reading(
        tokens, names, found.role, (start, found.verb, found.object), found.end, negated=scene.negated
    )


def _role_first(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    found = _role_named(tokens, start)
    if found is None or not _is_colon(tokens, found.end):
        return None
    agent = found.end + 1
    if not names_at(tokens, agent) or not at_end(tokens, skip_adverbs(tokens, agent + 1)):
        return None
    scene.labels = True
    return reading(tokens, names_at(tokens, agent), found.role, (found.object, agent), agent + 1)


def _role_named(tokens: Tokens, start: int) -> VerbPhrase | None:
    """The role that a noun phrase names: the implementer, the coding, the review."""
    given = noun_phrase(tokens, start)
    if given is None:
        return None
    if word_at(tokens, given.head) in words.IMPLEMENTERS:
        return VerbPhrase(Role.IMPLEMENT, -1, given.head, given.end, True)
    if given.thing not in (Thing.IMPLEMENTATION, Thing.DOCUMENT):
        return None
    return role_by_thing(given.thing, given.head, given.end)._replace(object=given.head)


def _is_colon(tokens: Tokens, index: int) -> bool:
    return index < len(tokens) and tokens[index].kind == MARK and tokens[index].word in (":", "\u2014")
