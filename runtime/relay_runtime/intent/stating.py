"""`X should do it`, `X implements`, `X stays out of it`."""

from __future__ import annotations

from relay_runtime.intent import words
from relay_runtime.intent.agents import HOST, numbered
from relay_runtime.intent.claims import Reading, Scene, reading
from relay_runtime.intent.cursor import agent_at, at_end, clause_end, names_at, skip_adverbs, word_at
from relay_runtime.intent.nouns import Thing, noun_phrase
from relay_runtime.intent.roles import Role, VerbPhrase, complement, role_by_thing, tail_role, verb_phrase
from relay_runtime.intent.tokens import Tokens
from relay_runtime.intent.words import base_in

_PASSED_OVER = words.ADVERBS - words.HABITS - {"not"}
_HABITS = words.HABITS - {"never"}


def subject(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    names = names_at(tokens, start)
    if not names:
        return None
    after = _behind_aside(tokens, start + 1)
    while word_at(tokens, after) in ("who", "that") or word_at(tokens, after) in _PASSED_OVER:
        after += 1
    if word_at(tokens, after) in _HABITS:
        return Reading((), after)
    negated = scene.negated or tokens[start].word == "nor"
    found, off, weak = _predicate(tokens, start, after, scene)
    if found is None:
        return None
    if names == (HOST,) and (off or not found.is_plain):
        return Reading((), found.end)
    scene.role = found
    scene.elliptic = scene.elliptic or names != (HOST,)  # "Codex does the planning, Claude the coding"
    return reading(
        tokens,
        names,
        found.role,
        (start, found.verb, found.object),
        found.end,
        negated=negated != off,
        weak=weak,
    )


def _behind_aside(tokens: Tokens, index: int) -> int:
    """`Claude or Codex, whoever is faster, should …`."""
    if index >= len(tokens) or tokens[index].word != ",":
        return index
    for closing in range(index + 2, min(len(tokens), index + 8)):
        if tokens[closing].word == "," and word_at(tokens, closing + 1) in words.MODALS:
            return closing + 1
    return index


def _predicate(tokens: Tokens, start: int, after: int, scene: Scene) -> tuple[VerbPhrase | None, bool, bool]:
    """The role, whether it is denied, and whether the statement is weak."""
    word = word_at(tokens, after)
    off = False
    if word in (
        "should",
        "will",
        "can",
        "must",
        "shall",
        "may",
        "ought",
        "could",
        "needs",
        "has",
        "gets",
        "need",
    ) or (
        word in ("is", "'s", "are")
        and word_at(tokens, after + 1) in ("to", "going", "not", "supposed", "gonna")
    ):
        return _modal(tokens, after, scene)
    if word in ("does", "do", "did") and word_at(tokens, after + 1) == "not":
        found = verb_phrase(tokens, after + 2, ("base",)) or _uninvolved(tokens, after + 2)
        return (found, True, False) if word != "did" else (None, True, False)
    if word in ("is", "'s", "are"):
        nxt = word_at(tokens, after + 1)
        if at_end(tokens, after + 1):
            return scene.role, off, False  # "Claude isn't coding this; Codex is."
        if nxt in words.DUTIES and word_at(tokens, after + 2) == "to":
            return verb_phrase(tokens, after + 3, ("base",)), off, False
        if nxt in words.HABITS:
            return None, off, False
        if nxt in ("out", "off", "banned", "excluded"):
            return VerbPhrase(Role.IMPLEMENT, after, after + 1, after + 2, True), True, False
        found = verb_phrase(tokens, after + 1, ("gerund",)) or complement(tokens, after + 1)
        scene.elliptic = scene.elliptic or found is not None
        return found, off, False
    if word in ("stays", "stay", "remains", "keeps"):
        if word_at(tokens, after + 1) in ("out", "away"):
            return VerbPhrase(Role.IMPLEMENT, after, after + 1, clause_end(tokens, after), True), True, False
        return complement(tokens, after + 1), off, False
    if word == "never":
        found = verb_phrase(tokens, after + 1, ("third", "base"))
        return found, True, False
    if word == "to":
        return verb_phrase(tokens, after + 1, ("base",)), off, False
    if word in ("on", "for", "as"):
        return tail_role(tokens, after), off, False
    if word in ("does", "will", "should", "goes") and at_end(tokens, after + 1):
        return scene.role, off, False
    return _stated(tokens, start, after, scene)


def _stated(tokens: Tokens, start: int, after: int, scene: Scene) -> tuple[VerbPhrase | None, bool, bool]:
    """`Codex implements`, `you code it`, `Codex the review` behind `Claude the coding`."""
    if word_at(tokens, after) in ("does", "did") and at_end(tokens, skip_adverbs(tokens, after + 1)):
        return scene.role, False, False
    host = word_at(tokens, start) == "you"
    forms: tuple[str, ...] = ("base",) if host else ("third",)
    if scene.wish:
        forms = ("past", "base", "third")
    elif scene.elliptic or scene.labels or len(tokens[start].names) == 2:
        forms = ("third", "base", "gerund")
    found = verb_phrase(tokens, after, forms)
    if found is not None and _shared_out(tokens, found.end):
        return found, False, False
    if found is not None and _says_too_little(tokens, found, scene):
        return None, False, False
    if found is not None:
        return found, False, not found.is_plain
    if scene.elliptic and (word_at(tokens, after) in words.DETERMINERS or numbered(tokens, after)):
        given = noun_phrase(tokens, after)
        if given is not None:
            return role_by_thing(given.thing, given.head, given.end), False, False
    return None, False, False


def _says_too_little(tokens: Tokens, found: VerbPhrase, scene: Scene) -> bool:
    """`Codex writes elsewhere`, `Claude builds a profile at start`: how things are, not who does the work."""
    if found.role is not Role.IMPLEMENT or scene.elliptic or scene.wish:
        return False
    if base_in(word_at(tokens, found.verb), "third") in words.IMPLEMENTING:
        return False
    return not found.is_plain or (found.object < 0 and not at_end(tokens, skip_adverbs(tokens, found.end)))


def _shared_out(tokens: Tokens, index: int) -> bool:
    """`Codex does the backend and Claude the frontend`: what follows gives another one the rest."""
    while word_at(tokens, index) in (",", "and", "while", "&"):
        index += 1
    return bool(agent_at(tokens, index)) and (
        word_at(tokens, index + 1) in words.DETERMINERS or numbered(tokens, index + 1)
    )


def _modal(tokens: Tokens, after: int, scene: Scene) -> tuple[VerbPhrase | None, bool, bool]:
    modal = word_at(tokens, after)
    index = skip_adverbs(tokens, after + 1)
    off = False
    while word_at(tokens, index) in (
        "not",
        "going",
        "supposed",
        "to",
        "never",
        "under",
        "no",
        "circumstances",
        "allowed",
        "rather",
        "get",
        "have",
    ):
        off = off or word_at(tokens, index) in ("not", "never", "no")
        index += 1
    index = skip_adverbs(tokens, index)
    if word_at(tokens, index) in ("stay", "keep", "remain") and word_at(tokens, index + 1) in (
        "out",
        "away",
        "off",
    ):
        return VerbPhrase(Role.IMPLEMENT, index, index + 1, clause_end(tokens, index), True), True, False
    if off:
        found = verb_phrase(tokens, index, ("base", "gerund"))
        if found is not None and found.role is not Role.NONE:
            return found, True, False
        return _uninvolved(tokens, index), True, False
    if (modal == "has" and base_in(word_at(tokens, index), "participle")) or word_at(tokens, index) == "been":
        return None, off, False
    if modal in ("has", "gets", "needs", "need") and word_at(tokens, after + 1) not in ("to",):
        return (
            (verb_phrase(tokens, after, ("third",)), False, False)
            if modal != "need"
            else (None, False, False)
        )
    if at_end(tokens, index) and scene.role is not None and modal in ("should", "will", "can", "must"):
        return scene.role, False, False
    found = verb_phrase(tokens, index, ("base", "gerund"))
    return found, False, modal == "could"


def _uninvolved(tokens: Tokens, index: int) -> VerbPhrase | None:
    """What an agent that is kept out must not do: `be involved`, `touch the code`, `be used for this`."""
    word = word_at(tokens, index)
    if word in ("be", "get"):
        word = word_at(tokens, index + 1)
        rest = index + 2
        if word in ("involved", "used", "needed", "allowed", "here"):
            return (
                VerbPhrase(Role.IMPLEMENT, index, index + 1, rest, True)
                if _about_this(tokens, rest)
                else None
            )
        return None
    if word in ("touch", "edit", "involve", "participate", "come"):
        return (
            VerbPhrase(Role.IMPLEMENT, index, -1, index + 1, True) if _about_this(tokens, index + 1) else None
        )
    if word in words.DETERMINERS or word == "involved":
        return complement(tokens, index)
    return None


def _about_this(tokens: Tokens, index: int) -> bool:
    """Nothing more is said, or only about this work: not `in the build script`."""
    index = skip_adverbs(tokens, index)
    if at_end(tokens, index):
        return True
    if word_at(tokens, index) in ("for", "in", "on", "with", "near"):
        index += 1
    phrase = noun_phrase(tokens, index)
    if phrase is None:
        return word_at(tokens, index) in ("any", "it", "here", "anything")
    return phrase.thing in (Thing.IMPLEMENTATION, Thing.THIS)


def subject_asked(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    """Behind a refusing opener the verb comes first: `at no point should Claude implement this`."""
    asked = any(token.word == "please" for token in tokens[start:])
    if (
        not (scene.negated or scene.hedged or asked)
        or word_at(tokens, start) not in words.MODALS
        or not agent_at(tokens, start + 1)
    ):
        return None
    found = verb_phrase(tokens, start + 2, ("base",))
    if scene.hedged and at_end(tokens, start + 2):
        found = scene.role  # "or should Claude?"
    if found is None:
        return None
    return reading(
        tokens,
        agent_at(tokens, start + 1),
        found.role,
        (start + 1, found.verb, found.object),
        found.end,
        negated=scene.negated,
    )
