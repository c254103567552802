"""Questions, as against requests in the form of one."""

from __future__ import annotations

from relay_runtime.intent import words
from relay_runtime.intent.cursor import agent_at, word_at
from relay_runtime.intent.tokens import MARK, Tokens


def is_question(tokens: Tokens, end: str) -> bool:
    """A question, and not a request in the form of one."""
    first = 0
    while word_at(tokens, first) in (
        "so",
        "and",
        "but",
        "ok",
        "okay",
        "well",
        "hey",
        "also",
        "then",
        "please",
    ) or (first and first < len(tokens) and tokens[first].kind == MARK):
        first += 1
    word, second = word_at(tokens, first), word_at(tokens, first + 1)
    agent_first = first + 1
    if word in ("can", "could", "would", "will") and (
        second in ("you", "we") or agent_at(tokens, agent_first)
    ):
        if second == "you" or (second == "we" and word in ("can", "could")):
            return False
        return not any(token.word == "please" for token in tokens)
    if word == "would" and second == "it" and word_at(tokens, first + 2) == "be":
        return False
    if word in words.QUESTION_WORDS:
        if (
            word == "why"
            and second in ("not", "do")
            and word_at(tokens, first + 2) in ("not", "have", "let", "use")
        ):
            return False
        if word == "how" and second == "about":
            return False
        if word in ("when", "where", "what", "who", "which", "whose"):
            return end == "?" or not any(token.kind == MARK for token in tokens)
        return True
    if (
        word in words.INVERTING
        and (second in words.SUBJECTS or agent_at(tokens, agent_first))
        and word not in ("can", "could")
    ):
        if word in ("do", "have") and second in ("this", "it", "that", "these", "the", "those", "your", "my"):
            return end == "?"
        if word == "have" and agent_at(tokens, agent_first):
            return end == "?" and not _has_tag(tokens)
        return not (word == "do" and second == "not")
    if word in ("can", "could") and second in words.SUBJECTS:
        return True
    return end == "?" and not _has_tag(tokens) and not any(token.word == "mind" for token in tokens[:4])


_TAGS = frozenset(("ok", "okay", "please", "alright", "pls"))


def _has_tag(tokens: Tokens) -> bool:
    last = [token.word for token in tokens[-4:]]
    return bool(last) and (
        last[-1] in _TAGS
        or last[-2:] in (["will", "you"], ["would", "you"], ["can", "you"], ["could", "you"])
        or "please" in [t.word for t in tokens]
    )
