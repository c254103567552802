"""The work or the role is the subject: `the coding goes to X`, `it is to be built by X`, `coding: X`."""

from __future__ import annotations

from relay_runtime.intent import words
from relay_runtime.intent.claims import Reading, Scene, reading
from relay_runtime.intent.cursor import agent_at, agent_behind, at_end, names_at, skip_adverbs, word_at
from relay_runtime.intent.nouns import WORKABLE, NounPhrase, Thing, noun_phrase
from relay_runtime.intent.roles import Role, VerbPhrase, role_by_thing, role_of, tail_role, verb_phrase
from relay_runtime.intent.tokens import MARK, Tokens
from relay_runtime.intent.words import base_in, word_set

_MADE_FOR = word_set(
    "go goes going belong belongs fall falls given handed sent passed delegated assigned left outsourced "
    "entrusted relayed farmed moves"
)


_PLACES = ("by", "from", "to", "on", "for", "with", "via", "through", "up")


_NEW_SUBJECT = words.EMBEDDERS | words.DETERMINERS | (words.PRONOUNS - {"all"})


def placed(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    """The work is the subject: `the coding goes to X`, `this will be built by X`, `the implementer is X`."""
    if _is_plain_imperative(tokens, start):
        return None
    given = noun_phrase(tokens, start)
    after = _behind_attributes(tokens, given.end) if given else start
    agent = agent_behind(tokens, after, _PLACES)
    if agent is None:
        agent = agent_behind(tokens, after, ("is", "be", "'s", "are"))
        if agent is None or given is None:
            return None
        return _named(tokens, start, given.head, agent, scene)
    between = [word_at(tokens, index) for index in range(after, agent)]
    fitting = {"a", "one"} if word_at(tokens, agent - 1) == "for" else frozenset[str]()  # "is a job for X"
    if (_NEW_SUBJECT - fitting) & set(between):
        return None
    if given is None and word_at(tokens, agent + 1) in ("in", "last", "yesterday", "back"):
        return None  # "implemented by Claude in v1, …"
    denied = scene.negated or "not" in between or word_at(tokens, start) in ("no", "nothing", "none")
    found = _place(tokens, after, agent, given, between, scene)
    if found is None:
        return None
    scene.role = found
    head = given.head if given else -1
    end = max(agent + 1, found.end)
    return reading(
        tokens, names_at(tokens, agent), found.role, (head, found.verb, agent - 1, agent), end, negated=denied
    )


def _behind_attributes(tokens: Tokens, index: int) -> int:
    """Behind `for this ticket`, `in the shop`."""
    while word_at(tokens, index) in ("for", "in", "on", "of") and not agent_at(tokens, index + 1):
        inner = noun_phrase(tokens, index + 1)
        if inner is None:
            break
        index = inner.end
    return index


def _is_plain_imperative(tokens: Tokens, start: int) -> bool:
    """`build a page that …` is no noun phrase, `build work goes to …` and `implemented by …` may be one."""
    word = word_at(tokens, start)
    if word not in words.VERBS or word in words.IMPLEMENTATION or word in words.MODALS:
        return False
    return word_at(tokens, start + 1) in words.DETERMINERS or not base_in(word, "participle")


def _place(
    tokens: Tokens, after: int, agent: int, given: NounPhrase | None, between: list[str], scene: Scene
) -> VerbPhrase | None:
    preposition = word_at(tokens, agent - 1)
    thing = given.thing if given else Thing.UNKNOWN
    if preposition == "by":
        return done_by(tokens, after, agent, thing, needs_auxiliary=given is not None)
    if words.PAST_MARKERS & set(between):
        return None
    if preposition == "from":
        comes = "come" in between or "comes" in between
        return role_by_thing(thing, agent - 2, agent + 1) if comes else None
    if preposition == "to":
        if "up" in between and (_is_be(between) or word_at(tokens, after) == "up"):
            found = verb_phrase(tokens, agent + 2, ("base",)) if word_at(tokens, agent + 1) == "to" else None
            return found or role_by_thing(thing, agent - 1, agent + 1)
        repeated = scene.role is not None and thing is Thing.THIS  # "half goes to X, the other half to Y"
        verbless = len(between) == 1 and (thing is Thing.IMPLEMENTATION or repeated)
        if verbless and at_end(tokens, skip_adverbs(tokens, agent + 1)):
            return role_by_thing(thing, agent - 1, agent + 1)
        if _MADE_FOR & set(between):
            purpose = tail_role(tokens, agent + 1) if word_at(tokens, agent + 1) in ("for", "to") else None
            return purpose or role_by_thing(thing, agent - 1, agent + 1)
        return None
    rests = any(base_in(word, "third") in words.RESTING or word in words.RESTING for word in between)
    if preposition in ("on", "for", "with") and (rests or (_is_be(between) and len(between) <= 5)):
        if word_at(tokens, agent + 1) == "to":
            found = verb_phrase(tokens, agent + 2, ("base",))
            return found if thing is Thing.THIS or thing is Thing.PIECE else None
        return role_by_thing(thing, agent - 1, agent + 1)
    if preposition in ("via", "through", "with") and thing is Thing.IMPLEMENTATION and len(between) <= 3:
        return role_by_thing(thing, agent - 1, agent + 1)
    return None


def _is_be(between: list[str]) -> bool:
    return any(word in ("is", "be", "'s", "are") for word in between)


_PERSONS = frozenset(("person", "agent", "one", "model", "assistant"))


def _named(tokens: Tokens, start: int, head: int, agent: int, scene: Scene) -> Reading | None:
    """`the implementer is Claude`, `the one to implement this is Codex`, `coding is Codex's job`."""
    if agent - start > 14:
        return None
    places = range(start, agent)
    role = Role.NONE
    verb = head
    for index in places:
        word = word_at(tokens, index)
        if word in words.IMPLEMENTERS:
            role, verb = Role.IMPLEMENT, index
        elif word in ("reviewer", "planner", "advisor", "architect"):
            role, verb = Role.ADVISE, index
        elif (
            word in ("to", "who", "that")
            and role is Role.NONE
            and "one" in (word_at(tokens, index - 1), word_at(tokens, index - 2))
        ):
            found = verb_phrase(tokens, index + 1, ("base", "third"))
            if found is not None:
                role, verb = found.role, found.verb
    owned = word_at(tokens, agent + 1) == "'s" and word_at(tokens, agent + 2) in words.DUTIES
    doing = next(
        (
            index
            for index in places
            if word_at(tokens, index - 1) in _PERSONS and base_in(word_at(tokens, index), "gerund")
        ),
        None,
    )
    if role is Role.NONE and doing is not None:
        work = verb_phrase(tokens, doing, ("gerund",))
        role, verb = (work.role, work.verb) if work else (role, verb)
    choice = [word_at(tokens, index) for index in places]
    if role is Role.NONE and (owned or "pick" in choice or "choice" in choice or "preference" in choice):
        given = noun_phrase(tokens, start)
        inner = next(
            (
                role_of(tokens, index + 1, index)
                for index in places
                if word_at(tokens, index) in ("for", "of")
            ),
            None,
        )
        follow = verb_phrase(tokens, agent + 4, ("base",)) if word_at(tokens, agent + 3) == "to" else None
        chosen = follow or inner or (role_by_thing(given.thing, given.head, agent) if given else None)
        role, verb = (chosen.role, chosen.verb) if chosen else (Role.NONE, -1)
    if role is Role.NONE:
        return None
    between = [word_at(tokens, index) for index in places]
    return reading(
        tokens,
        names_at(tokens, agent),
        role,
        (verb, agent),
        agent + 1,
        negated=scene.negated or "not" in between,
    )


def done_by(
    tokens: Tokens, start: int, agent: int, thing: Thing, *, needs_auxiliary: bool = False
) -> VerbPhrase | None:
    """`… implemented by X`: the role of the participle before `by`; None for what has been done already."""
    between = [word_at(tokens, index) for index in range(start, agent - 1)]
    if words.PAST_MARKERS & set(between) or words.HABITS & set(between):
        return None
    verb = agent - 2
    while verb > start and word_at(tokens, verb) in words.ADVERBS:
        verb -= 1
    base = base_in(word_at(tokens, verb), "participle")
    if word_at(tokens, verb) == "out":
        base, verb = base_in(word_at(tokens, verb - 1), "participle"), verb - 1
    if base is None:
        return (
            role_by_thing(thing, agent - 1, agent + 1)
            if thing in (Thing.IMPLEMENTATION, Thing.DOCUMENT)
            else None
        )
    before = verb - 1
    while before > start and word_at(tokens, before) in words.ADVERBS:
        before -= 1
    auxiliary = word_at(tokens, before) in ("be", "is", "are", "gets", "get", "being", "'s")
    fragment = thing is Thing.IMPLEMENTATION and at_end(tokens, skip_adverbs(tokens, agent + 1))
    if needs_auxiliary and not (auxiliary or fragment):
        return None
    if base in words.ADVISING or thing is Thing.DOCUMENT:
        return VerbPhrase(Role.ADVISE, verb, -1, agent + 1, True)
    accepted = (
        base in words.IMPLEMENTING
        or (thing in WORKABLE and base in words.BUILDING | words.WORKING | {"delegate"})
        or (base == "build" and thing is not Thing.DATA)
    )
    return VerbPhrase(Role.IMPLEMENT, verb, -1, agent + 1, True) if accepted else None


def label(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    """`Codex: implementation`, `implementer: Codex`."""
    return _agent_first(tokens, start, scene) or _role_first(tokens, start, scene)


def _agent_first(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    names = names_at(tokens, start)
    if not names or not _is_colon(tokens, start + 1):
        return None
    after = start + 2 + (word_at(tokens, start + 2) in ("someone", "somebody"))
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
    if word_at(tokens, start) == "relay":
        found = VerbPhrase(Role.IMPLEMENT, -1, start, start + 1, True)
    else:
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
