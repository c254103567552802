"""`have X do it`, `use X for it`, `with X as the builder`."""

from __future__ import annotations

from relay_runtime.intent import verbs, words
from relay_runtime.intent.claims import Reading, reading
from relay_runtime.intent.cursor import (
    agent_at,
    agent_behind,
    at_end,
    negated_at,
    phrase_at,
    skip_adverbs,
    word_at,
)
from relay_runtime.intent.nouns import Thing, noun_phrase
from relay_runtime.intent.placing import done_by, placed
from relay_runtime.intent.roles import Role, VerbPhrase, complement, role_by_thing, tail_role, verb_phrase
from relay_runtime.intent.scene import Scene, verb_here
from relay_runtime.intent.tokens import Tokens
from relay_runtime.intent.verbs import base_in
from relay_runtime.intent.words import word_set


def causing(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    base = verb_here(tokens, start, verbs.CAUSING, scene)
    if base is None:
        return None
    agent = skip_adverbs(tokens, start + 1)
    if (
        base in ("prefer", "like", "love")
        and word_at(tokens, agent) in ("it", "for", "that")
        and agent_at(tokens, agent + 1)
    ):
        agent += 1
    names = agent_at(tokens, agent)
    if not names:
        return (
            _caused_passive(tokens, start, scene)
            or _caused_pronoun(tokens, start, scene)
            or placed(tokens, start + 1, scene)  # "let the coding go to Codex"
        )
    found = _caused_role(tokens, base, agent, scene)
    if found is None:
        return None
    scene.elliptic, scene.role = True, found
    negated = scene.negated != negated_at(tokens, agent + 1)
    return reading(
        tokens, names, found.role, (start, agent, found.verb, found.object), found.end, negated=negated
    )


_TAKING_PART = word_set("near anywhere involved touching touch in on")


def _caused_role(tokens: Tokens, base: str, agent: int, scene: Scene) -> VerbPhrase | None:
    after = skip_adverbs(tokens, agent + 1)
    if agent_at(tokens, after + 1) and [
        tokens[after].word,
        *(t.word for t in tokens[after + 2 : after + 3]),
    ] == [",", ","]:
        after += 3
    if word_at(tokens, after) in ("not", "loose"):
        after += 1
    if word_at(tokens, after) == "to":
        return verb_phrase(tokens, after + 1, ("base",))
    told = after + (word_at(tokens, after) == "that")
    if (
        base == "tell"
        and word_at(tokens, told) in ("it", "they")
        and word_at(tokens, told + 1) in words.MODALS
    ):
        return verb_phrase(tokens, told + 2 + (word_at(tokens, told + 2) == "to"), ("base",))
    if scene.negated and word_at(tokens, after) in _TAKING_PART:
        return VerbPhrase(Role.IMPLEMENT, after, -1, len(tokens), True)
    forms = ("base", "gerund", "past", "third") if base in ("rather", "prefer") else ("base", "gerund")
    found = verb_phrase(tokens, after, forms)
    if found is not None and word_at(tokens, found.verb) not in ("like",):
        return found
    if word_at(tokens, after) == "for" and base in ("ask", "request"):
        given = noun_phrase(tokens, after + 1)
        wanted = given is not None and given.thing is Thing.IMPLEMENTATION
        return role_by_thing(Thing.IMPLEMENTATION, after, given.end) if given and wanted else None
    if word_at(tokens, after) in ("for", "on", "as"):
        return tail_role(tokens, after)
    if at_end(tokens, after) and scene.role is not None and base in ("have", "let", "get"):
        return VerbPhrase(scene.role.role, agent, -1, after, True)
    return None


def _caused_pronoun(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    """`Bring in Codex and have it write the code`."""
    if word_at(tokens, start + 1) not in ("it", "him", "her", "them") or len(scene.antecedent) != 1:
        return None
    after = start + 2 + (word_at(tokens, start + 2) == "to")
    found = verb_phrase(tokens, after, ("base",))
    if found is None:
        return None
    return reading(
        tokens,
        scene.antecedent,
        found.role,
        (start, start + 1, found.verb, found.object),
        found.end,
        negated=scene.negated,
    )


def _caused_passive(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    """`have this built by X`, `I want the coding done by X`, `let it be built by X`."""
    agent = agent_behind(tokens, start + 1, ("by",))
    if agent is None:
        return None
    subject = noun_phrase(tokens, start + 1)
    if subject is None and word_at(tokens, start + 1) not in words.PRONOUNS:
        return None
    found = done_by(
        tokens, subject.end if subject else start + 2, agent, subject.thing if subject else Thing.THIS
    )
    if found is None:
        return None
    return reading(
        tokens,
        agent_at(tokens, agent),
        found.role,
        (start, found.verb, agent - 1, agent),
        agent + 1,
        negated=scene.negated,
    )


def using(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    base = verb_here(tokens, start, verbs.USING, scene)
    if base is None:
        return None
    agent = start + 1 + 2 * phrase_at(tokens, start, ("make", "use", "of"))
    while word_at(tokens, agent) in (
        "in",
        "on",
        "up",
        "with",
        "to",
        "off",
        "over",
        "for",
        "just",
        "only",
        "please",
        "again",
    ):
        agent += 1
    names = agent_at(tokens, agent)
    if not names:
        return None
    scene.antecedent = names
    after = skip_adverbs(tokens, agent + 1)
    found = _use_role(tokens, base, after, scene)
    if found is None:
        return None
    scene.role = found
    places = (start, agent, found.verb if found.verb > agent else -1, found.object)
    return reading(tokens, names, found.role, places, max(found.end, agent + 1), negated=scene.negated)


def _use_role(tokens: Tokens, base: str, after: int, scene: Scene) -> VerbPhrase | None:
    if word_at(tokens, after) in ("in",) and word_at(tokens, after + 1) not in ("charge", "control"):
        after += 1
    if at_end(tokens, after) or word_at(tokens, after) in (
        "if",
        "when",
        "once",
        "since",
        "because",
        "from",
        "until",
        "and",
    ):
        if scene.preamble is not None:
            return VerbPhrase(scene.preamble.role, after, -1, after, True)
        if base in verbs.BARE_USING or (
            scene.negated and base in ("involve", "call", "bring", "invoke", "engage", "enlist")
        ):
            return VerbPhrase(Role.IMPLEMENT, -1, -1, after, True)
        return None
    found = tail_role(tokens, after)
    if found is None and base in verbs.PUTTING:
        found = complement(tokens, after) or verb_phrase(tokens, after, ("base",))
    if found is None and scene.preamble is not None:
        return VerbPhrase(scene.preamble.role, -1, -1, after, True)
    return found


def accompanied(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    """`with X as the builder`, `with X doing the coding`; `implement this via X`."""
    names = agent_at(tokens, start + 1)
    if not names or word_at(tokens, start) not in ("with", "via", "using", "through"):
        return None
    after = skip_adverbs(tokens, start + 2)
    found = verb_phrase(tokens, after, ("gerund",)) or tail_role(tokens, after)
    if found is None and at_end(tokens, after) and scene.main is not None:
        work = scene.main
        is_own_work = word_at(tokens, work.object) in words.THIS or (
            work.is_plain and base_in(word_at(tokens, work.verb), "base") in verbs.WORKING
        )
        if work.role is Role.IMPLEMENT and (word_at(tokens, start) in ("via", "through") or is_own_work):
            return reading(tokens, names, Role.IMPLEMENT, (work.verb, work.object, start, start + 1), after)
    if found is None or found.role is Role.NONE:
        return None
    return reading(
        tokens,
        names,
        found.role,
        (start, start + 1, found.verb, found.object),
        found.end,
        negated=scene.negated,
    )
