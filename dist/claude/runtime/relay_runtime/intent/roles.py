"""What a verb phrase, a complement or a prepositional phrase makes its agent do."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from relay_runtime.intent import words
from relay_runtime.intent.cursor import phrase_at, skip_adverbs, word_at
from relay_runtime.intent.nouns import WORKABLE, NounPhrase, Thing, noun_phrase
from relay_runtime.intent.tokens import WORD, Token, Tokens
from relay_runtime.intent.words import base_in, forms_of


class Role(Enum):
    """What an agent is to do."""

    IMPLEMENT = "implement"
    ADVISE = "advise"  # any part in the work except implementing
    NONE = "none"


class VerbPhrase(NamedTuple):
    """`verb` and `object` are places of the words that decide (`object` -1 without one).

    `is_plain` is true where the object leaves no doubt that this request's own work is meant.
    """

    role: Role
    verb: int
    object: int
    end: int
    is_plain: bool


_AGENTIVE = words.IMPLEMENTERS


_HEADS = frozenset(("charge", "control", "command"))


_PARTICLES = words.PARTICLES | {"care", "charge"}
_BEFORE_THE_OBJECT = _PARTICLES | {"of", "through", "with"}
_NEW_ACTOR = words.EMBEDDERS | {"before", "after", "once", "when", "then", "but"}
# What may stand before the verb that counts.
_LEADS = (
    ("go", "ahead", "and"),
    ("be", "the", "one", "to"),
    ("be", "the", "one", "who"),
    ("get", "to"),
    ("come", "in", "and"),
    ("take", "turns"),
)


def verb_phrase(tokens: Sequence[Token], start: int, forms: tuple[str, ...]) -> VerbPhrase | None:
    """Read a verb in one of these forms and its object; None where no verb of ours stands."""
    index = start
    while word_at(tokens, index) in words.ADVERBS and word_at(tokens, index) != "not":
        index += 1
    for lead in _LEADS:
        if phrase_at(tokens, index, lead):
            index = skip_adverbs(tokens, index + len(lead))
    word = word_at(tokens, index)
    if word == "be" and "base" in forms:
        return complement(tokens, index + 1)
    for base, form in forms_of(word):
        if form in forms:
            found = _of_verb(tokens, index, base, form)
            if found is not None:
                return _with_second_verb(tokens, found, form)
    return None


def _of_verb(tokens: Sequence[Token], index: int, base: str, form: str) -> VerbPhrase | None:
    after = index + 1
    if base in words.STARTING and (
        word_at(tokens, after) == "to" or base_in(word_at(tokens, after), "gerund")
    ):
        inner = verb_phrase(tokens, after + (word_at(tokens, after) == "to"), ("base", "gerund"))
        if inner is not None:
            return inner
    if base == "have" and word_at(tokens, after) == "a" and word_at(tokens, after + 2) == "at":
        return verb_phrase(tokens, after + 3, ("gerund",))  # "have a go at implementing this"
    if base in words.ADVISING:
        phrase = noun_phrase(tokens, skip_adverbs(tokens, after))
        return VerbPhrase(Role.ADVISE, index, -1, phrase.end if phrase else after, True)
    if base == "have" and form == "third":
        base = "own"
    if base not in words.DOING:
        return None
    particle = word_at(tokens, after) in _PARTICLES
    while word_at(tokens, after) in _BEFORE_THE_OBJECT:
        after += 1
    after = skip_adverbs(tokens, after)
    phrase = noun_phrase(tokens, after)
    if base == "code" and phrase is not None and word_at(tokens, index + 1) in ("review", "reviews"):
        return VerbPhrase(Role.ADVISE, index, phrase.head, phrase.end, True)
    end = phrase.end if phrase else after
    head = phrase.head if phrase else -1
    thing = phrase.thing if phrase else None
    if base in words.IMPLEMENTING:
        plain = thing is None or thing in WORKABLE or form == "base"
        return VerbPhrase(Role.IMPLEMENT, index, head, end, plain)
    carried_out = base in ("execute", "carry", "build") and word_at(tokens, head) in _BLUEPRINTS
    if carried_out:
        return VerbPhrase(Role.IMPLEMENT, index, head, end, True)
    if thing is Thing.DOCUMENT:
        return VerbPhrase(Role.ADVISE, index, head, end, True)
    if base in words.WORKING:
        return _working(base, index, phrase, after, particle)
    if phrase is None and base in _INTEGRATING and after < len(tokens) and tokens[after].names:
        return VerbPhrase(Role.IMPLEMENT, index, after, after + 1, False)  # "add Codex to the list"
    return _building(base, index, phrase, after)


_BLUEPRINTS = frozenset(("plan", "spec", "specs", "design"))
_INTEGRATING = frozenset(("add", "remove", "integrate", "wire"))
_LOOSE = frozenset(
    ("run", "get", "have", "drive", "cover", "carry", "start", "begin", "manage")
)  # "run it" is not "do it"


def _working(base: str, index: int, phrase: NounPhrase | None, after: int, particle: bool) -> VerbPhrase:
    if phrase is None:
        takes_over = base == "take" and particle
        return VerbPhrase(Role.IMPLEMENT if takes_over else Role.NONE, index, -1, after, takes_over)
    enough = (Thing.IMPLEMENTATION,) if base in _LOOSE else WORKABLE
    role = Role.IMPLEMENT if phrase.thing in enough else Role.NONE
    return VerbPhrase(
        role, index, phrase.head, phrase.end, phrase.thing in (Thing.IMPLEMENTATION, Thing.THIS)
    )


def _building(base: str, index: int, phrase: NounPhrase | None, after: int) -> VerbPhrase:
    if phrase is None:
        alone = base in ("build", "write", "type")
        return VerbPhrase(Role.IMPLEMENT if alone else Role.NONE, index, -1, after, alone)
    needs_code = base in ("make", "produce", "generate", "change", "deliver", "complete", "finish", "author")
    if phrase.thing is Thing.DATA or (needs_code and phrase.thing not in WORKABLE):
        return VerbPhrase(Role.NONE, index, phrase.head, phrase.end, False)
    plain = phrase.thing in WORKABLE
    return VerbPhrase(Role.IMPLEMENT, index, phrase.head, phrase.end, plain)


def _with_second_verb(tokens: Sequence[Token], first: VerbPhrase, form: str) -> VerbPhrase:
    """`review the plan and implement it`: the one who does both implements."""
    if first.role is Role.IMPLEMENT:
        return first
    index = first.end
    limit = min(len(tokens), first.end + 10)
    while index < limit and tokens[index].kind == WORD and not tokens[index].names:
        if tokens[index].word in ("and", "&"):
            following = skip_adverbs(tokens, index + 1)
            if word_at(tokens, following) == "then":
                following += 1
            second = verb_phrase(tokens, following, (form,))
            if second is not None and word_at(tokens, second.end) == "yourself":
                return first
            return second if second is not None and second.role is Role.IMPLEMENT else first
        if tokens[index].word in _NEW_ACTOR:
            break
        index += 1
    return first


def complement(tokens: Sequence[Token], start: int) -> VerbPhrase | None:
    """What follows `is`: `the implementer`, `in charge of the coding`, `on implementation duty`."""
    index = skip_adverbs(tokens, start)
    word = word_at(tokens, index)
    if word == "in" and word_at(tokens, index + 1) in _HEADS:
        return role_of(tokens, index + 3, index) if word_at(tokens, index + 2) in ("of", "for") else None
    if word in ("responsible", "accountable", "tasked", "charged", "assigned") and word_at(
        tokens, index + 1
    ) in ("for", "with", "to"):
        return role_of(tokens, index + 2, index)
    if word in ("on", "for"):
        return role_of(tokens, index + 1, index)
    if word == "to":
        return verb_phrase(tokens, index + 1, ("base",))
    if word in ("the", "your", "my", "our", "a", "an") and word_at(tokens, index + 1) == "one":
        return _chosen_for(tokens, index + 2)
    if word == "who":
        return _chosen_for(tokens, index)
    phrase = noun_phrase(tokens, index)
    if phrase is None:
        return verb_phrase(tokens, index, ("gerund",))
    if word_at(tokens, phrase.end - 1) in _AGENTIVE or word_at(tokens, phrase.head) in _AGENTIVE:
        return VerbPhrase(Role.IMPLEMENT, index, phrase.head, phrase.end, True)
    if base_in(word_at(tokens, index), "gerund"):
        return verb_phrase(tokens, index, ("gerund",))
    return VerbPhrase(
        Role.ADVISE if phrase.thing is Thing.DOCUMENT else Role.NONE, index, phrase.head, phrase.end, True
    )


def _chosen_for(tokens: Sequence[Token], start: int) -> VerbPhrase | None:
    """Behind `is the one`: `who should build it`, `I want writing this`."""
    after = start
    while word_at(tokens, after) in ("who", "that", "to", "should", "will", "must", "i", "we", "want"):
        after += 1
    return verb_phrase(tokens, after, ("base", "third", "gerund"))


def role_of(tokens: Sequence[Token], start: int, verb: int) -> VerbPhrase | None:
    """The role that a noun phrase or an -ing form behind a preposition gives: `for the coding`, `on this`."""
    index = skip_adverbs(tokens, start)
    if word_at(tokens, index) in words.DETERMINERS or not base_in(word_at(tokens, index), "gerund"):
        phrase = noun_phrase(tokens, index)
        return None if phrase is None else _from_noun(phrase, verb)
    if word_at(tokens, index) in words.IMPLEMENTATION or word_at(tokens, index) in words.DOCUMENTS:
        phrase = noun_phrase(tokens, index)
        if phrase is not None and phrase.thing is not Thing.UNKNOWN:
            return _from_noun(phrase, verb)
    return verb_phrase(tokens, index, ("gerund",))


def _from_noun(phrase: NounPhrase, verb: int) -> VerbPhrase:
    if phrase.thing is Thing.DOCUMENT:
        role = Role.ADVISE
    else:
        role = Role.IMPLEMENT if phrase.thing in WORKABLE else Role.NONE
    return VerbPhrase(role, verb, phrase.head, phrase.end, phrase.thing is not Thing.PIECE)


def role_by_thing(thing: Thing, verb: int, end: int) -> VerbPhrase:
    role = Role.ADVISE if thing is Thing.DOCUMENT else Role.IMPLEMENT if thing in WORKABLE else Role.NONE
    return VerbPhrase(role, verb, -1, end, True)


def tail_role(tokens: Tokens, after: int) -> VerbPhrase | None:
    """`for the coding`, `on this`, `as the implementer`, `to build it`, `in charge of the build`."""
    word = word_at(tokens, after)
    if word in ("for", "on", "with"):
        return role_of(tokens, after + 1, after)
    if word == "as":
        found = complement(tokens, after + 1)
        return found if found is not None and found.role is not Role.NONE else None
    if word == "to":
        work = noun_phrase(tokens, after + 1)
        on_it = work is not None and work.thing in (Thing.IMPLEMENTATION, Thing.THIS)
        return verb_phrase(tokens, after + 1, ("base",)) or (
            role_of(tokens, after + 1, after) if on_it else None
        )
    if word in ("in", "responsible"):
        return complement(tokens, after)
    return None
