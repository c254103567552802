"""Finding who is mentioned: provider names, "the other agent" in its many spellings, and pairs of both.

A mention becomes one token with `names`. A name that only modifies a noun ("the Codex adapter") stays a
plain word: it is subject matter.
"""

from __future__ import annotations

from collections.abc import Sequence

from relay_runtime.intent.spelling import mend_name, mend_word
from relay_runtime.intent.tokens import MARK, OPAQUE, WORD, Token
from relay_runtime.intent.words import (
    ADVERBS,
    AGENT_ADJECTIVES,
    AGENT_NOUNS,
    BE,
    CONJUNCTIONS,
    COUNTERPARTS,
    DETERMINERS,
    EMBEDDERS,
    MODALS,
    NAMES,
    NUMBERS,
    PREPOSITIONS,
    PRODUCT_WORDS,
    PRONOUNS,
    VENDORS,
    VERBS,
    word_set,
)

OTHER = "other"
HOST = "host"  # "you"
ANYONE = "anyone"  # "no other agent"
BOTH = ("claude", "codex")

_AFTER_A_NAME = (
    PREPOSITIONS
    | CONJUNCTIONS
    | PRONOUNS
    | MODALS
    | BE
    | ADVERBS
    | DETERMINERS
    | EMBEDDERS
    | word_set(
        "or to not who no go goes '/ / & that does do did had been used thinks yes instead loose touch "
        "touching near anywhere involved edit editing more less most"
    )
)
_DOUBTS = frozenset(("maybe", "possibly", "perhaps"))
_JOINERS = frozenset(("and", "or", "/", "&", "nor", "plus"))
_RELATIVES = frozenset(("that", "which", "who"))
_REFLEXIVES = frozenset(("you", "yourself"))


def find_agents(tokens: Sequence[Token]) -> list[Token]:
    """`tokens` with every mention of an agent merged into one token."""
    merged = _merge_others(_merge_names(list(tokens)))
    kept = list(merged)
    for index in range(len(merged) - 1, -1, -1):  # backwards, for "Claude and Codex icons"
        if merged[index].names and not (_is_mention(merged, index) and _is_mention_beside(kept, index)):
            kept[index] = _plain(merged[index])
    return _merge_pairs([token for index, token in enumerate(kept) if not _is_article(kept, index)])


def _is_article(tokens: list[Token], index: int) -> bool:
    """`the Codex CLI` is as good as `Codex`."""
    named = index + 1 < len(tokens) and bool(tokens[index + 1].names)
    return named and tokens[index].word in ("the", "a", "our", "my", "your", "any")


def may_mention(tokens: tuple[Token, ...]) -> bool:
    """Cheaply: could any agent be meant here?"""
    return any(
        token.word in NAMES
        or token.word in VENDORS
        or token.word in _HINTS
        or mend_name(token.word) is not None
        for token in tokens
    )


def mended(tokens: Sequence[Token]) -> list[Token]:
    """Words of delegation with a slip in them, put right."""
    return [
        Token(WORD, mend_word(token.word) or token.word, token.raw, token.names)
        if token.kind == WORD and not token.names
        else token
        for token in tokens
    ]


_HINTS = word_set("agents assistants") | word_set(
    "other othr oher ohter otehr counterpart peer partner rival opposite external isn't you're not whoever"
)


def _merge_names(tokens: list[Token]) -> list[Token]:
    out: list[Token] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        name = token.word if token.word in NAMES else mend_name(token.word)
        end = index + 1
        if name is None and token.word in VENDORS:
            name, end = _vendor(tokens, index)
        elif name is not None:
            end = _product(tokens, index, name)
        if name is None:
            out.append(token)
            index += 1
            continue
        raw = " ".join(part.raw for part in tokens[index:end] if part.raw)
        out.append(Token(WORD, name, raw, (name,)))
        index = end
    return out


def _vendor(tokens: list[Token], index: int) -> tuple[str | None, int]:
    """`OpenAI Codex`, `Anthropic's Claude Code`, `OpenAI's agent`."""
    after = index + 1
    if after < len(tokens) and tokens[after].word == "'s":
        after += 1
    name = VENDORS[tokens[index].word]
    if after < len(tokens) and (tokens[after].word == name or mend_name(tokens[after].word) == name):
        return name, _product(tokens, after, name)
    while after < len(tokens) and tokens[after].word in AGENT_ADJECTIVES:
        after += 1
    if after < len(tokens) and tokens[after].word in AGENT_NOUNS:
        return name, after + 1
    return None, index + 1


def _product(tokens: list[Token], index: int, name: str) -> int:
    """Where the product's name ends: `Claude Code CLI`, `the Codex agent`. `Claude code it` is a verb."""
    end = index + 1
    if name == "claude" and end < len(tokens) and tokens[end].word == "code" and _code_is_name(tokens, end):
        end += 1
    if (
        end < len(tokens)
        and tokens[end].word == "coding"
        and end + 1 < len(tokens)
        and tokens[end + 1].word in PRODUCT_WORDS
    ):
        end += 1
    while end < len(tokens) and tokens[end].word in PRODUCT_WORDS:
        end += 1
    return end


def _code_is_name(tokens: list[Token], code: int) -> bool:
    following = tokens[code + 1] if code + 1 < len(tokens) else None
    before = tokens[code - 2].word if code >= 2 else ""
    if following is None or following.kind != WORD:
        return tokens[code].raw[:1].isupper() or before in PREPOSITIONS or before == "use"
    if (
        following.word in PRONOUNS
        or following.word in DETERMINERS
        or following.word in ("up", "all", "please")
    ):
        return False
    return tokens[code].raw[:1].isupper() or following.word in _AFTER_A_NAME or following.word in VERBS


def _merge_others(tokens: list[Token]) -> list[Token]:
    out: list[Token] = []
    index = 0
    while index < len(tokens):
        end = _other_end(tokens, index)
        if end is None:
            out.append(tokens[index])
            index += 1
            continue
        raw = " ".join(part.raw for part in tokens[index:end] if part.raw)
        names = (ANYONE,) if out and out[-1].word in ("no", "any") else (OTHER,)
        out.append(Token(WORD, OTHER, raw, names))
        index = end
    return out


def _other_end(tokens: list[Token], start: int) -> int | None:
    """Where a mention of the other agent that begins at `start` ends."""
    index = start
    if _word(tokens, index) in ("the", "that", "your", "our", "my", "its"):
        index += 1
    word = _word(tokens, index)
    if word in COUNTERPARTS and index > start:
        return _noun_end(tokens, index + 1)
    if (word == "other" or mend_word(word) == "other") and _word(tokens, start - 1) not in ("each", "every"):
        return _after_other(tokens, index + 1, start)
    if (
        word in ("opposite", "external")
        and index > start
        and _word(tokens, index + 1) in AGENT_NOUNS | {"number"}
    ):
        return index + 2
    return _not_you(tokens, start)


def _after_other(tokens: list[Token], index: int, start: int) -> int | None:
    while (
        _word(tokens, index) in AGENT_ADJECTIVES
        and _word(tokens, index + 1) in AGENT_NOUNS | AGENT_ADJECTIVES
    ):
        index += 1
    noun = _word(tokens, index)
    if noun in AGENT_NOUNS or mend_word(noun) in AGENT_NOUNS or _slip_of_agent(noun):
        return index + 1 if _word(tokens, index + 1) != "of" or noun == "half" else None
    bare = index - 1 > start and (noun in MODALS or _third(noun) or noun in ("to",))
    return index if bare else None


def _noun_end(tokens: list[Token], index: int) -> int:
    return index + 1 if _word(tokens, index) in AGENT_NOUNS else index


def _not_you(tokens: list[Token], start: int) -> int | None:
    """`whichever agent isn't you`, `the agent you are not`, `someone other than you`."""
    index = start
    if _word(tokens, index) in ("whichever", "whatever", "the", "an", "any", "that", "some"):
        index += 1
        while _word(tokens, index) in AGENT_ADJECTIVES:
            index += 1
        if _word(tokens, index) not in AGENT_NOUNS:
            return None
        index += 1
    elif _word(tokens, index) in ("whoever", "whichever", "someone", "somebody", "who"):
        index += 1
    else:
        return None
    if [_word(tokens, index), _word(tokens, index + 1)] == ["other", "than"] and _word(
        tokens, index + 2
    ) in _REFLEXIVES:
        return index + 3
    if _word(tokens, index) in _RELATIVES:
        index += 1
    words = [_word(tokens, index + offset) for offset in range(3)]
    if words[0] in ("is", "'s") and words[1] == "not" and words[2] in _REFLEXIVES:
        return index + 3
    return index + 3 if words == ["you", "are", "not"] else None


def _slip_of_agent(word: str) -> bool:
    return word in ("agetn", "agnets", "agant", "aagent", "agend") or mend_word(word) in (
        "agent",
        "assistant",
    )


def _is_mention(tokens: list[Token], index: int) -> bool:
    """A name before a noun or a possessive is an adjective."""
    if index + 1 >= len(tokens):
        return True
    following = tokens[index + 1]
    if following.kind == MARK or following.names:
        return True
    if following.kind == OPAQUE:
        return False
    if following.word == "'s":
        return _possession(tokens, index + 2)
    if following.word in _AFTER_A_NAME or following.word in VERBS or mend_word(following.word) in VERBS:
        return True
    return _word(tokens, index - 1) in (",", "and") and numbered(tokens, index + 1)


def _is_mention_beside(kept: list[Token], index: int) -> bool:
    """Not where the name that it is joined to has turned out an adjective."""
    after = index + 2
    return not (_word(kept, index + 1) in _JOINERS and _word(kept, after) in NAMES and not kept[after].names)


def numbered(tokens: Sequence[Token], index: int) -> bool:
    """`part two`, `phase 2`."""
    if index + 1 >= len(tokens) or tokens[index].word not in ("part", "phase", "step", "half"):
        return False
    return tokens[index + 1].kind == OPAQUE or tokens[index + 1].word in NUMBERS | {"2a"}


def _possession(tokens: list[Token], index: int) -> bool:
    """`Codex's job`, `Claude's turn`, and `'s` for `is`: still the agent itself."""
    word = _word(tokens, index)
    return word in (
        "job",
        "turn",
        "task",
        "responsibility",
        "duty",
        "hands",
        "on",
        "in",
        "responsible",
        "not",
        "to",
        "the",
        "going",
        "call",
        "plate",
    ) or (
        any(form == "gerund" for _, form in VERBS.get(word, []))
        and word not in ("planning", "thinking", "writing")
    )


def _plain(token: Token) -> Token:
    return Token(WORD, token.word if token.names != (OTHER,) else "thing", token.raw)


def _merge_pairs(tokens: list[Token]) -> list[Token]:
    """`Claude and Codex`, `either Claude or Codex`, `both agents`: one token that names two."""
    out: list[Token] = []
    index = 0
    while index < len(tokens):
        end = _pair_end(tokens, index)
        if end is None:
            out.append(tokens[index])
            index += 1
            continue
        _drop_introduction(out)
        names = {name for token in tokens[index:end] for name in token.names} or set(BOTH)
        raw = " ".join(token.raw for token in tokens[index:end] if token.raw)
        joiner = "nor" if any(token.word == "nor" for token in tokens[index:end]) else "pair"
        out.append(Token(WORD, joiner, raw, tuple(sorted(names))))
        index = end
    return out


def _drop_introduction(out: list[Token]) -> None:
    """`either`, `both`, `neither`, `one of` before a pair say no more than the pair."""
    if len(out) > 1 and out[-1].word == "of" and out[-2].word in ("one", "either", "both"):
        out.pop()
    while out and out[-1].word in ("either", "both", "neither", "one"):
        out.pop()


def _pair_end(tokens: list[Token], index: int) -> int | None:
    first = tokens[index]
    if (
        first.word == "one"
        and _word(tokens, index + 1) == "of"
        and _word(tokens, index + 2) in ("the", "these", "both")
    ):
        noun = index + 3 + (_word(tokens, index + 3) == "two")
        return noun + 1 if _word(tokens, noun) in ("agents", "assistants", "models") else None
    if first.word in ("both", "either") and _word(tokens, index + 1) in (
        "agents",
        "assistants",
        "agent",
        "models",
        "ais",
    ):
        return index + 2
    if not first.names:
        return None
    after = index + 1
    aside = (
        _word(tokens, after) == ","
        and _word(tokens, after + 1) in ("or", "and")
        and _word(tokens, after + 3) == ","
    )
    after += aside  # "Codex, or Claude, should …"
    listed = _word(tokens, index - 1) == ":" and after + 2 >= len(tokens)  # "implementer: Claude, Codex"
    called = _word(tokens, after) == "," and (listed or _word(tokens, after + 2) == ":")  # "Claude, Codex: …"
    after += called
    if (
        _word(tokens, index - 1) in _DOUBTS
        and _word(tokens, after) == ","
        and _word(tokens, after + 1) in _DOUBTS
    ):
        after += 2  # "maybe Claude, maybe Codex"
    while _word(tokens, after) in _JOINERS or (
        after > index + 1 and _word(tokens, after) in _DOUBTS | {"else"}
    ):
        after += 1
    if (
        after == index + 1
        or after >= len(tokens)
        or not tokens[after].names
        or tokens[after].names == first.names
    ):
        return None
    if called:
        return after + 1
    either = any(_word(tokens, place) in _DOUBTS | {"or", "nor", "/"} for place in range(index, after))
    if either or _word(tokens, index - 1) in ("either", "both", "neither"):
        return after + 1 + aside
    before = _word(tokens, index - 1)
    if before in PREPOSITIONS and before != "of" and _finite(_word(tokens, after + 1)):
        return None  # "the coding goes to Claude and Codex should only advise"
    if _third(_word(tokens, after + 1)) or (
        _word(tokens, after + 1) in ("is", "has", "does") and _third(_word(tokens, index - 1))
    ):
        return None
    return after + 1 + aside


def _finite(word: str) -> bool:
    return word in MODALS or word in BE or any(form in ("third", "past") for _, form in VERBS.get(word, []))


def _third(word: str) -> bool:
    return any(form == "third" for _, form in VERBS.get(word, []))


def _word(tokens: list[Token], index: int) -> str:
    return tokens[index].word if 0 <= index < len(tokens) else ""
