"""Slips of the fingers: one edit away from a word that matters, and never an ordinary word itself."""

from __future__ import annotations

from functools import cache, lru_cache

from relay_runtime.intent.words import NAMES, NOT_NAMES, VERBS, word_set

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
# Words worth mending beside a mention of an agent. Short ones would hit too many real words.
_MENDED = word_set(
    "implement implements implementing implemented implementation implementer coding build builds building "
    "write writes handle handles develop delegate outsource assistant agent other instead please should "
    "review have code the let hand send pass"
)
_REAL = word_set(
    "writ rite others hander agents ague add hand cod ode he te her hen then them they than tea tee toe "
    "hate heave coed sue"
)


def mend_name(word: str) -> str | None:
    """The name that `word` is a slip of."""
    return None if word in NOT_NAMES else _name_slips().get(word)


def mend_word(word: str) -> str | None:
    """The word of delegation that `word` is a slip of."""
    if len(word) < 3 or word in _REAL or word in VERBS or word in _MENDED:
        return None
    return _word_slips(word[0]).get(word)


@lru_cache(maxsize=1)
def _name_slips() -> dict[str, str]:
    """A missing, doubled, swapped, wrong or added letter, the first one kept unless two were swapped."""
    slips = {slip: name for name in NAMES for slip in _near(name) | _wrong(name) | _added(name)}
    return {**slips, **{slip: name for name in NAMES if len(name) > 5 for slip in _short_and_swapped(name)}}


@cache
def _word_slips(initial: str) -> dict[str, str]:
    """A missing, doubled or swapped letter; a wrong or second missing one only in long words.

    Made for one first letter at a time, when a word with it is looked up.
    """
    slips: dict[str, str] = {}
    for word in sorted(_MENDED):
        if initial not in word[:2]:
            continue
        near = _near(word) if len(word) > 4 else _swapped(word)
        if len(word) >= 8:
            near = near | _wrong(word) | _lost_pair(word)
        if word == "have":
            near = near | {"hav", "hve"}
        for slip in near - _MENDED:
            slips.setdefault(slip, word)
    return slips


def _near(word: str) -> set[str]:
    missing = {word[:i] + word[i + 1 :] for i in range(1, len(word))}
    doubled = {word[:i] + word[i] + word[i:] for i in range(len(word))}
    return missing | doubled | _swapped(word)


def _swapped(word: str) -> set[str]:
    return {word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(len(word) - 1)} - {word}


def _short_and_swapped(word: str) -> set[str]:
    """A letter is missing and two others are swapped."""
    return {slip for i in range(1, len(word)) for slip in _swapped(word[:i] + word[i + 1 :])}


def _wrong(word: str) -> set[str]:
    return {word[:i] + letter + word[i + 1 :] for i in range(1, len(word)) for letter in _LETTERS} - {word}


def _added(word: str) -> set[str]:
    return {word[:i] + letter + word[i:] for i in range(1, len(word) + 1) for letter in _LETTERS} - {
        word + "s"
    }


def _lost_pair(word: str) -> set[str]:
    return {word[:i] + word[i + 2 :] for i in range(2, len(word) - 1)} if len(word) >= 10 else set()
