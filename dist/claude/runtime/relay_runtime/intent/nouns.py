"""What a noun phrase is about."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from relay_runtime.intent import words
from relay_runtime.intent.cursor import at_end, word_at
from relay_runtime.intent.tokens import OPAQUE, WORD, Token
from relay_runtime.intent.words import base_in, forms_of, word_set


class Thing(Enum):
    """What a noun phrase stands for."""

    IMPLEMENTATION = "implementation"  # the coding, Phase 2A
    THIS = "this"  # it, this ticket, the rest: the work asked for
    PIECE = "piece"  # a parser, the login page: something that gets built
    DOCUMENT = "document"  # a review, a plan, notes: not implementation
    DATA = "data"
    UNKNOWN = "unknown"


WORKABLE = frozenset((Thing.IMPLEMENTATION, Thing.THIS, Thing.PIECE))


class NounPhrase(NamedTuple):
    """`head` is the place of the noun that decides, -1 without one; `end` is behind the phrase."""

    thing: Thing
    head: int
    end: int


_ENDS_NOUN = (
    words.PARTICLES
    | words.PREPOSITIONS
    | words.CONJUNCTIONS
    | words.MODALS
    | words.BE
    | words.EMBEDDERS
    | words.ADVERBS
    | (words.DETERMINERS - {"whole", "entire", "actual", "same", "full", "other"})
)


_PARTITIVE = word_set("rest part half bit most all bulk lot whole share remainder everything")


_BEFORE_A_NOUN = words.DETERMINERS | {"other", "'s"}


def noun_phrase(tokens: Sequence[Token], start: int) -> NounPhrase | None:
    """Read the noun phrase at `start`; None where there is none."""
    index = start
    while word_at(tokens, index) in _BEFORE_A_NOUN and not tokens[index].names:
        index += 1
    nouns: list[int] = []
    pointing = index > start and word_at(tokens, index - 1) in ("this", "that")  # "this goes", "this page"
    while index < len(tokens) and len(nouns) < 9 and _is_noun(tokens, index, bool(nouns) or pointing):
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
    if token.word in ("to", "or", "who", "that") or (token.word.endswith("ly") and len(token.word) > 5):
        return False
    if base_in(token.word, "participle") and word_at(tokens, index + 1) == "by":
        return False
    if after_noun and index + 1 < len(tokens) and tokens[index + 1].names and base_in(token.word, "base"):
        return False  # "for phase 2A use Codex"
    if (
        after_noun
        and _ends_clause(tokens, index + 1)
        and (base_in(token.word, "participle") or base_in(token.word, "past"))
    ):
        return False
    if after_noun and token.word in words.GOING and word_at(tokens, index + 1) == "to":
        return False  # "the other parts go to Codex"
    if after_noun and any(form in ("third",) for _, form in forms_of(token.word)):
        return token.word in words.DOCUMENTS or token.word in words.THIS_NOUNS or token.word in words.PIECES
    return True


def _ends_clause(tokens: Sequence[Token], index: int) -> bool:
    return (
        at_end(tokens, index)
        or word_at(tokens, index) in words.PREPOSITIONS
        or word_at(tokens, index) in words.ADVERBS
    )


def _is_number(token: Token) -> bool:
    """The end of `phase 2`, `ticket #42`, `part two`."""
    return token.kind == OPAQUE or token.word in words.NUMBERS


def _kind(tokens: Sequence[Token], nouns: list[int]) -> tuple[Thing, int]:
    """The last noun decides; `work`, `part`, `phase` pass the question on to the noun before."""
    while len(nouns) > 1 and _is_number(tokens[nouns[-1]]):
        nouns = nouns[:-1]
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
    if following in ("and", "&", "/", "or") and phrase.thing in _ROLES:
        inner = _joined(tokens, phrase.end + 1)
        if inner is not None and Thing.IMPLEMENTATION in (inner.thing, phrase.thing):
            chosen = phrase if phrase.thing is Thing.IMPLEMENTATION else inner
            return NounPhrase(Thing.IMPLEMENTATION, chosen.head, inner.end)
    return phrase


_ROLES = frozenset((Thing.DOCUMENT, Thing.IMPLEMENTATION))
_GOES_ON = words.MODALS | words.BE | frozenset(("by", "to", "with", "via", "from", "for"))


def _joined(tokens: Sequence[Token], start: int) -> NounPhrase | None:
    """A second noun phrase behind `and`, unless a new clause begins there: `… and hand the build to X`."""
    first, second = word_at(tokens, start), word_at(tokens, start + 1)
    if base_in(first, "base") and (second in words.DETERMINERS or second in words.PRONOUNS):
        return None
    inner = noun_phrase(tokens, start)
    if inner is None or inner.thing not in _ROLES:
        return None
    after = word_at(tokens, inner.end)
    return None if after in _GOES_ON or base_in(after, "third") else inner
