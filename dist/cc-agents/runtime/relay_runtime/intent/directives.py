"""All forms: the ways of giving work, and the refusals that name none (`no X`, `do it yourself`)."""

from __future__ import annotations

from collections.abc import Callable

from relay_runtime.intent import words
from relay_runtime.intent.agents import ANYONE, HOST
from relay_runtime.intent.claims import Reading, Scene, reading
from relay_runtime.intent.cursor import agent_at, at_end, phrase_at, skip_adverbs, word_at
from relay_runtime.intent.giving import accompanied, causing, handing, using
from relay_runtime.intent.nouns import Thing, noun_phrase
from relay_runtime.intent.placing import label, placed
from relay_runtime.intent.roles import Role, role_of, verb_phrase
from relay_runtime.intent.stating import subject, subject_asked
from relay_runtime.intent.tokens import Tokens
from relay_runtime.intent.words import word_set

_RELAYING = word_set("relay relaying delegation delegating handoff handover outsourcing")
_EVERYTHING = frozenset(("out", "away", "off"))


def refusal(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    for form in _FORMS:
        found = form(tokens, start, scene)
        if found is not None:
            return found
    return None


def _no(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    """`no Codex this time`, `no relay`, `without the other agent`, `not Codex`."""
    word = word_at(tokens, start)
    if word not in ("no", "without", "skip", "not", "minus", "forget", "exclude"):
        return _relay_off(tokens, start, scene)
    agent = start + 1
    if word == "without" and word_at(tokens, agent) in (
        "using",
        "involving",
        "calling",
        "any",
        "help",
    ):
        agent += 1
    elif word == "without" and word_at(tokens, agent) in _RELAYING:
        return reading(tokens, (ANYONE,), Role.IMPLEMENT, (start, agent), agent + 1, negated=True)
    if word_at(tokens, agent) in ("the", "any", "external", "more"):
        agent += 1
    if phrase_at(tokens, agent, ("what", "i", "said", "about")):
        agent += 4
    relaying = word_at(tokens, agent) in _RELAYING
    if not (relaying or agent_at(tokens, agent)):
        return None
    names = (ANYONE,) if relaying else agent_at(tokens, agent)
    if not _over(tokens, agent + 1):
        return None
    return reading(tokens, names, Role.IMPLEMENT, (start, agent), agent + 1, negated=True)


def _relay_off(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    """`relay off`, `turn off the relay`, `don't use the relay`."""
    verb = word_at(tokens, start)
    at = start + (verb in ("turn", "switch", "disable", "use", "start", "want", "need"))
    off = verb == "disable" or (scene.negated and verb in ("use", "start", "want", "need"))
    while word_at(tokens, at) in ("off", "the", "any"):
        off = off or word_at(tokens, at) == "off"
        at += 1
    if word_at(tokens, at) != "relay":
        return None
    off = off or word_at(tokens, at + 1) == "off"
    at += 1 + (word_at(tokens, at + 1) == "off")
    if not off or not _over(tokens, at):
        return None
    return reading(tokens, (ANYONE,), Role.IMPLEMENT, range(start, at), at, negated=True)


def _over(tokens: Tokens, index: int) -> bool:
    """Is nothing more said than `please`, `this time`, `for this`, `on the coding`?"""
    index = skip_adverbs(tokens, index)
    if at_end(tokens, index):
        return True
    if word_at(tokens, index) in ("for", "on", "in", "with", "at", "of", "from"):
        found = role_of(tokens, index + 1, index)
        return found is None or found.role is Role.IMPLEMENT
    phrase = noun_phrase(tokens, index)
    return phrase is not None and word_at(tokens, phrase.end - 1) in ("time", "round", "one", "run")


def _keep_out(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    """`keep Claude out of it`, `leave the other agent out`, `keep this away from Codex`."""
    if word_at(tokens, start) not in ("keep", "leave", "keeping", "leaving", "cut"):
        return None
    agent = start + 1
    if agent_at(tokens, agent) and word_at(tokens, agent + 1) in _EVERYTHING:
        end = agent + 2
        if word_at(tokens, end) in ("of", "from"):
            phrase = noun_phrase(tokens, end + 1)
            if phrase is not None and phrase.thing not in (Thing.THIS, Thing.IMPLEMENTATION):
                return None
            end = phrase.end if phrase else end + 1
        return reading(
            tokens,
            agent_at(tokens, agent),
            Role.IMPLEMENT,
            (start, agent, agent + 1),
            end,
            negated=not scene.negated,
        )
    phrase = noun_phrase(tokens, agent)
    if phrase is None or phrase.thing not in (Thing.THIS, Thing.IMPLEMENTATION):
        return None
    if word_at(tokens, phrase.end) in ("away", "from"):
        agent = phrase.end + 1 + (word_at(tokens, phrase.end + 1) == "from")
        if agent_at(tokens, agent):
            return reading(
                tokens, agent_at(tokens, agent), Role.IMPLEMENT, (start, agent), agent + 1, negated=True
            )
    if word_at(tokens, start) == "keep" and (
        word_at(tokens, phrase.end) in ("yourself", "local", "here", "native")
        or phrase_at(tokens, phrase.end, ("in", "this", "session"))
        or word_at(tokens, phrase.end + 1) == "yourself"
    ):
        return reading(tokens, (HOST,), Role.IMPLEMENT, (start, phrase.head, phrase.end), phrase.end + 1)
    return None


def _natively(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    """`do it yourself`, `implement this natively`, `stay native`."""
    if scene.negated:
        return None
    if word_at(tokens, start) in ("stay", "go", "keep", "remain") and word_at(tokens, start + 1) == "native":
        return reading(tokens, (HOST,), Role.IMPLEMENT, (start, start + 1), start + 2)
    if word_at(tokens, start) == "you":
        start += 1
    found = verb_phrase(tokens, start, ("base",))
    if found is None or found.role is not Role.IMPLEMENT:
        return None
    index = found.end
    while not at_end(tokens, index) and index < found.end + 8:
        if word_at(tokens, index) == "yourself" or (
            word_at(tokens, index) == "own" and word_at(tokens, index - 1) == "your"
        ):
            return reading(tokens, (HOST,), Role.IMPLEMENT, (found.verb, found.object, index), index + 1)
        if (
            word_at(tokens, index) == "natively"
            and found.is_plain
            and at_end(tokens, skip_adverbs(tokens, index + 1))
        ):
            return reading(tokens, (HOST,), Role.IMPLEMENT, (found.verb, found.object, index), index + 1)
        index += 1
    return None


_SOLELY = (("you", "alone"), ("nobody", "but", "you"), ("nobody", "else"), ("no", "one", "else"))


def _solely(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    """`you alone write the code`, `nobody else implements this`."""
    who = next((phrase for phrase in _SOLELY if phrase_at(tokens, start, phrase)), None)
    if who is None or scene.negated:
        return None
    after = start + len(who)
    found = verb_phrase(tokens, after + (word_at(tokens, after) in words.MODALS), ("base", "third"))
    if found is None or found.role is not Role.IMPLEMENT or not found.is_plain:
        return None
    return reading(
        tokens, (HOST,), Role.IMPLEMENT, (*range(start, after), found.verb, found.object), found.end
    )


_FORMS: tuple[Callable[[Tokens, int, Scene], Reading | None], ...] = (_no, _keep_out, _natively, _solely)


def directive(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    """The first form that reads the clause at `start`."""
    for form in FORMS:
        found = form(tokens, start, scene)
        if found is not None:
            return found
    return None


FORMS: tuple[Callable[[Tokens, int, Scene], Reading | None], ...] = (
    label,
    causing,
    using,
    handing,
    accompanied,
    subject_asked,
    subject,
    placed,
)
