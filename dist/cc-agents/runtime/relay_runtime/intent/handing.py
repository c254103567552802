"""`hand it to X`, `hand X the coding`, `delegate the build to X`."""

from __future__ import annotations

from relay_runtime.intent import verbs, words
from relay_runtime.intent.agents import ANYONE
from relay_runtime.intent.claims import Reading, reading
from relay_runtime.intent.cursor import agent_at, agent_behind, skip_adverbs, word_at
from relay_runtime.intent.nouns import NounPhrase, Thing, noun_phrase
from relay_runtime.intent.roles import Role, VerbPhrase, role_by_thing, tail_role, verb_phrase
from relay_runtime.intent.scene import Scene, verb_here
from relay_runtime.intent.tokens import Tokens

_AFTER_THE_VERB = words.PARTICLES | {"please"}


def handing(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    base = verb_here(tokens, start, verbs.TRANSFERRING, scene)
    if base is None:
        return None
    after = start + 1
    while word_at(tokens, after) in _AFTER_THE_VERB:
        after += 1
    if agent_at(tokens, after) and word_at(tokens, after - 1) != "to":
        return _hand_agent(tokens, start, after, scene)
    if word_at(tokens, after) == "to" and agent_at(tokens, after + 1):
        return _received(tokens, start, base, None, after + 1, scene)
    given = noun_phrase(tokens, after)
    if base == "get":
        agent = agent_behind(tokens, given.end, ("from",)) if given else None
        own_work = given is not None and given.thing is Thing.IMPLEMENTATION
        return _received(tokens, start, base, given, agent, scene) if agent and own_work else None
    if base in ("split", "divide", "share"):
        agent = agent_behind(tokens, given.end, ("between", "among", "with")) if given else None
        return None if agent is None else _received(tokens, start, base, given, agent, scene)
    if base == "put":
        return _put_in_hands(tokens, start, given, scene)
    agent = agent_behind(
        tokens,
        given.end if given else after,
        ("to", "with", "for", "at") if base in ("leave", "trust") else ("to",),
    )
    if agent is None:
        return _hand_nobody(tokens, start, base, given, scene)
    return _received(tokens, start, base, given, agent, scene)


def _put_in_hands(tokens: Tokens, start: int, given: NounPhrase | None, scene: Scene) -> Reading | None:
    """`put the implementation in Codex's hands`."""
    agent = agent_behind(tokens, given.end, ("in", "on", "into")) if given is not None else None
    if given is None or agent is None or word_at(tokens, agent + 2) not in ("hands", "plate"):
        return None
    role = role_by_thing(given.thing, given.head, agent + 1).role
    return reading(
        tokens, agent_at(tokens, agent), role, (start, given.head, agent), agent + 3, negated=scene.negated
    )


def _hand_agent(tokens: Tokens, start: int, agent: int, scene: Scene) -> Reading | None:
    """`hand Codex the coding`, `assign Codex as the implementer`, `task Codex with building it`."""
    after = skip_adverbs(tokens, agent + 1)
    found = tail_role(tokens, after)
    if found is None:
        given = noun_phrase(tokens, after)
        if given is None:
            return None
        asked = verb_phrase(tokens, given.end + 1, ("base",)) if word_at(tokens, given.end) == "to" else None
        found = asked or role_by_thing(given.thing, given.head, given.end)
    scene.elliptic, scene.role = True, found
    return reading(
        tokens,
        agent_at(tokens, agent),
        found.role,
        (start, agent, found.verb, found.object),
        found.end,
        negated=scene.negated,
    )


def _received(
    tokens: Tokens, start: int, base: str, given: NounPhrase | None, agent: int, scene: Scene
) -> Reading | None:
    after = skip_adverbs(tokens, agent + 1)
    purpose = tail_role(tokens, after) if word_at(tokens, after) in ("for", "to", "as") else None
    head = given.head if given else -1
    if purpose is not None and purpose.role is not Role.NONE:
        role, end = purpose.role, purpose.end
    else:
        role, end = _given_role(tokens, base, given, scene), agent + 1
        purpose = None
    scene.role = VerbPhrase(role, start, head, end, True)
    places = (start, head, agent - 1, agent, *((purpose.verb, purpose.object) if purpose else ()))
    return reading(tokens, agent_at(tokens, agent), role, places, end, negated=scene.negated)


def _given_role(tokens: Tokens, base: str, phrase: NounPhrase | None, scene: Scene) -> Role:
    if phrase is None:
        return Role.IMPLEMENT
    pronoun = word_at(tokens, phrase.head) in ("it", "them", "these", "those")
    if phrase.thing is Thing.DOCUMENT:
        return Role.ADVISE
    if phrase.thing is Thing.DATA or (
        pronoun and scene.documents and base in ("send", "pass", "forward", "push", "give")
    ):
        return Role.NONE
    if phrase.thing in (Thing.IMPLEMENTATION, Thing.THIS):
        return Role.IMPLEMENT
    if phrase.thing is Thing.PIECE:
        return Role.IMPLEMENT if base in verbs.DELEGATING | {"hand", "give", "leave"} else Role.NONE
    return Role.IMPLEMENT if base in verbs.DELEGATING - {"relay"} else Role.NONE


def _hand_nobody(
    tokens: Tokens, start: int, base: str, given: NounPhrase | None, scene: Scene
) -> Reading | None:
    """Only a refusal: `don't delegate this`, `do not hand it off`, `don't outsource the coding`."""
    handing_off = base in ("hand", "pass") and any(
        word_at(tokens, index) in ("off", "over") for index in range(start + 1, min(len(tokens), start + 5))
    )
    if not scene.negated or not (base in verbs.DELEGATING - {"assign", "task", "charge"} or handing_off):
        return None
    if given is not None and given.thing not in (Thing.IMPLEMENTATION, Thing.THIS):
        return None
    end = given.end if given else start + 1
    return reading(tokens, (ANYONE,), Role.IMPLEMENT, (start, given.head if given else -1), end, negated=True)
