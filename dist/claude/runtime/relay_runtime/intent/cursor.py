"""Looking at the tokens around a place."""

from __future__ import annotations

from collections.abc import Sequence

from relay_runtime.intent import words
from relay_runtime.intent.agents import HOST
from relay_runtime.intent.tokens import MARK, Token, Tokens
from relay_runtime.intent.words import base_in


def word_at(tokens: Sequence[Token], index: int) -> str:
    """The word here; a mark is its own character, and nothing is the empty word."""
    return tokens[index].word if 0 <= index < len(tokens) else ""


def phrase_at(tokens: Sequence[Token], index: int, phrase: tuple[str, ...]) -> bool:
    """Do these words stand here?"""
    return word_at(tokens, index) == phrase[0] and all(
        word_at(tokens, index + offset) == word for offset, word in enumerate(phrase[1:], 1)
    )


def at_end(tokens: Sequence[Token], index: int) -> bool:
    """Is the clause over here?"""
    return index >= len(tokens) or tokens[index].kind == MARK or tokens[index].word in words.CLAUSE_WORDS


def skip_adverbs(tokens: Sequence[Token], index: int) -> int:
    """Behind the adverbs here, `this time` among them; `not` is none."""
    while True:
        word = word_at(tokens, index)
        if word in words.ADVERBS and word != "not":
            index += 1
        elif word == "this" and word_at(tokens, index + 1) in ("time", "round", "once"):
            index += 2
        else:
            return index


_NEW_CLAUSE = words.CLAUSE_WORDS - {"&", "and", "while", "so"}
_REACH = 28  # how far behind a verb its agent may stand


def names_at(tokens: Tokens, index: int) -> tuple[str, ...]:
    """The agents mentioned at `index`; `you` is the host."""
    if not 0 <= index < len(tokens):
        return ()
    return (HOST,) if tokens[index].word == "you" else tokens[index].names


def agent_at(tokens: Tokens, index: int) -> tuple[str, ...]:
    return tokens[index].names if 0 <= index < len(tokens) else ()


def negated_at(tokens: Tokens, index: int) -> bool:
    return word_at(tokens, skip_adverbs(tokens, index)) == "not"


def agent_behind(tokens: Tokens, start: int, prepositions: Sequence[str]) -> int | None:
    """The first agent behind one of these words and before the clause is over."""
    for index in range(start, min(len(tokens), start + _REACH)):
        if tokens[index].kind == MARK:
            return None
        if names_at(tokens, index) and word_at(tokens, index - 1) in prepositions:
            return index
        if word_at(tokens, index) in _NEW_CLAUSE:
            return None
        if word_at(tokens, index) == "and" and base_in(
            word_at(tokens, skip_adverbs(tokens, index + 1)), "base"
        ):
            return None
        if word_at(tokens, index) in ("that", "which", "who", "how", "when", "where") and index > start:
            return None
    return None


def clause_end(tokens: Tokens, start: int) -> int:
    index = start
    while not at_end(tokens, index):
        index += 1
    return index
