"""What a noun phrase is about, and what a verb phrase makes its agent do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from relay_runtime.intent import words
from relay_runtime.intent.tokens import MARK, OPAQUE, WORD, Token
from relay_runtime.intent.words import word_set


class Thing(Enum):
    """What a noun phrase stands for."""

    IMPLEMENTATION = "implementation"  # the coding, Phase 2A
    THIS = "this"  # it, this ticket, the rest: the work asked for
    PIECE = "piece"  # a parser, the login page: something that gets built
    DOCUMENT = "document"  # a review, a plan, notes: not implementation
    DATA = "data"
    UNKNOWN = "unknown"


class Role(Enum):
    """What an agent is to do."""

    IMPLEMENT = "implement"
    ADVISE = "advise"  # any part in the work except implementing
    NONE = "none"


WORKABLE = frozenset((Thing.IMPLEMENTATION, Thing.THIS, Thing.PIECE))


@dataclass(frozen=True)
class NounPhrase:
    """`head` is the place of the noun that decides, -1 without one; `end` is behind the phrase."""

    thing: Thing
    head: int
    end: int


@dataclass(frozen=True)
class VerbPhrase:
    """`verb` and `object` are places of the words that decide (`object` -1 without one).

    `is_plain` is true where the object leaves no doubt that this request's own work is meant.
    """

    role: Role
    verb: int
    object: int
    end: int
    is_plain: bool


def word_at(tokens: Sequence[Token], index: int) -> str:
    return tokens[index].word if 0 <= index < len(tokens) and tokens[index].kind == WORD else ""


def forms_of(word: str) -> list[tuple[str, str]]:
    return words.VERBS.get(word, [])


def base_in(word: str, form: str) -> str | None:
    """The verb that `word` is this form of."""
    return next((base for base, found in forms_of(word) if found == form), None)


def at_end(tokens: Sequence[Token], index: int) -> bool:
    """Is the clause over here?"""
    return index >= len(tokens) or tokens[index].kind == MARK or tokens[index].word in words.CLAUSE_WORDS


def skip_adverbs(tokens: Sequence[Token], index: int) -> int:
    while word_at(tokens, index) in words.ADVERBS and word_at(tokens, index) != "not":
        index += 1
    return index


# Noun phrases -----------------------------------------------------------------------------------------------

_ENDS_NOUN = (
    words.PREPOSITIONS | words.CONJUNCTIONS | words.MODALS | words.BE | words.EMBEDDERS | words.ADVERBS
)
_PARTITIVE = word_set("rest part half bit most all bulk lot whole share remainder everything")


def noun_phrase(tokens: Sequence[Token], start: int) -> NounPhrase | None:
    """Read the noun phrase at `start`; None where there is none."""
    index = start
    while word_at(tokens, index) in words.DETERMINERS or word_at(tokens, index) in ("other", "'s"):
        index += 1
    nouns: list[int] = []
    while index < len(tokens) and len(nouns) < 9 and _is_noun(tokens, index, bool(nouns)):
        nouns.append(index)
        index += 1
    if not nouns:
        pronoun = word_at(tokens, index - 1) if index > start else word_at(tokens, start)
        if pronoun not in words.THIS:
            return None
        end = max(index, start + 1)
        if word_at(tokens, end) == "of":
            inner = noun_phrase(tokens, end + 1)
            return NounPhrase(Thing.THIS, start, inner.end if inner else end + 1)
        return NounPhrase(Thing.THIS, end - 1, end)
    thing, head = _kind(tokens, nouns)
    return _with_tail(tokens, NounPhrase(thing, head, index))


def _is_noun(tokens: Sequence[Token], index: int, after_noun: bool) -> bool:
    token = tokens[index]
    if token.kind == OPAQUE:
        return True
    if token.kind != WORD or token.names or token.word in _ENDS_NOUN or token.word in words.PRONOUNS:
        return token.word == "'s" and after_noun
    if token.word in ("to", "or", "who", "that", "yourself"):
        return False
    if after_noun and any(form in ("third",) for _, form in forms_of(token.word)):
        return token.word in words.DOCUMENTS or token.word in words.THIS_NOUNS or token.word in words.PIECES
    return True


def _kind(tokens: Sequence[Token], nouns: list[int]) -> tuple[Thing, int]:
    """The last noun decides; `work`, `part`, `phase` pass the question on to the noun before."""
    head = nouns[-1]
    word = word_at(tokens, head)
    before = [word_at(tokens, index) for index in nouns[:-1]]
    if word in words.WORK_NOUNS:
        for index in reversed(nouns[:-1]):
            noun = word_at(tokens, index)
            if noun in words.IMPLEMENTATION or noun in ("hands-on", "dev", "actual"):
                return Thing.IMPLEMENTATION, head
            if noun in words.DOCUMENTS or noun in words.ADVISING:
                return Thing.DOCUMENT, head
    if word in words.DOCUMENTS and not (word in ("plan", "spec", "specs", "design") and "approved" in before):
        return Thing.DOCUMENT, head
    if word in words.IMPLEMENTATION:
        return Thing.IMPLEMENTATION, head
    if word in words.THIS_NOUNS or word in words.WORK_NOUNS or word in ("plan", "spec", "specs", "design"):
        return Thing.THIS, head
    if word in words.DATA:
        return Thing.DATA, head
    if word in words.PIECES or (len(word) > 5 and word.endswith(("er", "or", "ion", "ing"))):
        return Thing.PIECE, head
    return Thing.UNKNOWN, head


def _with_tail(tokens: Sequence[Token], phrase: NounPhrase) -> NounPhrase:
    """`the rest of the coding`, `planning and implementation`, `the build of the page`."""
    following = word_at(tokens, phrase.end)
    if following == "of":
        inner = noun_phrase(tokens, phrase.end + 1)
        if inner is None:
            return phrase
        partitive = word_at(tokens, phrase.head) in _PARTITIVE
        return NounPhrase(inner.thing if partitive else phrase.thing, phrase.head, inner.end)
    if following in ("and", "&", "/", "or"):
        inner = noun_phrase(tokens, phrase.end + 1)
        if inner is not None and Thing.IMPLEMENTATION in (inner.thing, phrase.thing):
            both = phrase.thing in (Thing.DOCUMENT, Thing.IMPLEMENTATION) and inner.thing in (
                Thing.DOCUMENT,
                Thing.IMPLEMENTATION,
            )
            after = word_at(tokens, inner.end)
            if both and after not in words.MODALS and not base_in(after, "third"):
                chosen = phrase if phrase.thing is Thing.IMPLEMENTATION else inner
                return NounPhrase(Thing.IMPLEMENTATION, chosen.head, inner.end)
    return phrase


# Verb phrases -----------------------------------------------------------------------------------------------

_AGENTIVE = words.IMPLEMENTERS
_HEADS = frozenset(("charge", "control", "command"))


def verb_phrase(tokens: Sequence[Token], start: int, forms: tuple[str, ...]) -> VerbPhrase | None:
    """Read a verb in one of these forms and its object; None where no verb of ours stands."""
    index = start
    while word_at(tokens, index) in words.ADVERBS and word_at(tokens, index) != "not":
        index += 1
    for skipped in (
        ("go", "ahead", "and"),
        ("be", "the", "one", "to"),
        ("be", "the", "one", "who"),
        ("get", "to"),
        ("come", "in", "and"),
    ):
        if tuple(word_at(tokens, index + offset) for offset in range(len(skipped))) == skipped:
            index = skip_adverbs(tokens, index + len(skipped))
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
    if base in words.ADVISING:
        phrase = noun_phrase(tokens, skip_adverbs(tokens, after))
        return VerbPhrase(Role.ADVISE, index, -1, phrase.end if phrase else after, True)
    if base == "have" and form == "third":
        base = "own"
    if base not in words.IMPLEMENTING | words.BUILDING | words.WORKING:
        return None
    particle = word_at(tokens, after) in words.PARTICLES | {"care", "charge"}
    while word_at(tokens, after) in words.PARTICLES | {"care", "charge", "of", "through", "with"}:
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
    if thing is Thing.DOCUMENT:
        return VerbPhrase(Role.ADVISE, index, head, end, True)
    if base in words.WORKING:
        return _working(base, index, phrase, after, particle)
    return _building(base, index, phrase, after)


def _working(base: str, index: int, phrase: NounPhrase | None, after: int, particle: bool) -> VerbPhrase:
    if phrase is None:
        takes_over = base == "take" and particle
        return VerbPhrase(Role.IMPLEMENT if takes_over else Role.NONE, index, -1, after, takes_over)
    role = Role.IMPLEMENT if phrase.thing in WORKABLE else Role.NONE
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
            return second if second is not None and second.role is Role.IMPLEMENT else first
        if tokens[index].word in words.EMBEDDERS | {"before", "after", "once", "when", "then", "but"}:
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
        after = index + 2
        while word_at(tokens, after) in ("who", "that", "to", "should", "will", "must"):
            after += 1
        return verb_phrase(tokens, after, ("base", "third", "gerund"))
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
