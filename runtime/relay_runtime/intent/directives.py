"""The ways in which English gives somebody work. Each form is read at the start of a clause.

`have X do it` · `use X for it` · `hand it to X` · `X should do it` · `it is to be done by X` · `coding: X`
A form gives None where the words are not its own, so that the next one is tried. With `negated` the same
forms read a refusal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Callable

from relay_runtime.intent import words
from relay_runtime.intent.claims import ANYONE, HOST, Reading, reading
from relay_runtime.intent.phrases import (
    WORKABLE,
    NounPhrase,
    Role,
    Thing,
    VerbPhrase,
    at_end,
    base_in,
    complement,
    noun_phrase,
    role_of,
    skip_adverbs,
    verb_phrase,
    word_at,
)
from relay_runtime.intent.tokens import MARK, Token
from relay_runtime.intent.words import word_set

Tokens = Sequence[Token]

_REACH = 28  # how far behind a verb its agent may stand


@dataclass
class Scene:
    """What the clauses read so far leave behind for the next one."""

    negated: bool = False
    wish: bool = False
    gerund: bool = False
    elliptic: bool = False  # "have Claude plan and Codex implement": the second verb needs no "have"
    labels: bool = False  # "Codex: plan" was read, so "Claude: implement" is one too
    role: VerbPhrase | None = None  # what a pro-verb ("Codex does") repeats
    preamble: VerbPhrase | None = None  # "for the coding, …"
    antecedent: tuple[str, ...] = ()  # whom "it" or "them" means
    documents: bool = False  # an earlier clause made something that "it" may mean instead
    notes: list[str] = field(default_factory=list[str])


def names_at(tokens: Tokens, index: int) -> tuple[str, ...]:
    """The agents mentioned at `index`; `you` is the host."""
    if not 0 <= index < len(tokens):
        return ()
    return (HOST,) if tokens[index].word == "you" else tokens[index].names


def agent_at(tokens: Tokens, index: int) -> tuple[str, ...]:
    return tokens[index].names if 0 <= index < len(tokens) else ()


def directive(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    """The first form that reads the clause at `start`."""
    for form in FORMS:
        found = form(tokens, start, scene)
        if found is not None:
            return found
    return None


# have X do it -----------------------------------------------------------------------------------------------


def causing(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    base = _verb(tokens, start, words.CAUSING, scene)
    if base is None:
        return None
    agent = skip_adverbs(tokens, start + 1)
    if (
        base in ("prefer", "like", "love")
        and word_at(tokens, agent) in ("it", "for", "that")
        and agent_at(tokens, agent + 1)
    ):
        agent += 1
    names = agent_at(tokens, agent)
    if not names:
        return _caused_passive(tokens, start, scene) or _caused_pronoun(tokens, start, scene)
    found = _caused_role(tokens, base, agent, scene)
    if found is None:
        return None
    scene.elliptic, scene.role = True, found
    negated = scene.negated != _negated_at(tokens, agent + 1)
    return reading(
        tokens, names, found.role, (start, agent, found.verb, found.object), found.end, negated=negated
    )


def _caused_role(tokens: Tokens, base: str, agent: int, scene: Scene) -> VerbPhrase | None:
    after = skip_adverbs(tokens, agent + 1)
    if word_at(tokens, after) == "not":
        after += 1
    if word_at(tokens, after) in ("to",):
        return verb_phrase(tokens, after + 1, ("base",))
    if scene.negated and word_at(tokens, after) in (
        "near",
        "anywhere",
        "involved",
        "touching",
        "touch",
        "in",
        "on",
    ):
        return VerbPhrase(Role.IMPLEMENT, after, -1, len(tokens), True)
    forms = ("base", "gerund", "past", "third") if base in ("rather", "prefer") else ("base", "gerund")
    found = verb_phrase(tokens, after, forms)
    if found is not None and word_at(tokens, found.verb) not in ("like",):
        return found
    if word_at(tokens, after) in ("for", "on", "as"):
        return _tail_role(tokens, after)
    if at_end(tokens, after) and scene.role is not None and base in ("have", "let", "get"):
        return VerbPhrase(scene.role.role, agent, -1, after, True)
    return None


def _caused_pronoun(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    """`Bring in Codex and have it write the code`."""
    if word_at(tokens, start + 1) not in ("it", "him", "her", "them") or len(scene.antecedent) != 1:
        return None
    after = start + 2 + (word_at(tokens, start + 2) == "to")
    found = verb_phrase(tokens, after, ("base",))
    if found is None:
        return None
    return reading(
        tokens,
        scene.antecedent,
        found.role,
        (start, start + 1, found.verb, found.object),
        found.end,
        negated=scene.negated,
    )


def _caused_passive(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    """`have this built by X`, `I want the coding done by X`, `let it be built by X`."""
    agent = _agent_behind(tokens, start + 1, ("by",))
    if agent is None:
        return None
    subject = noun_phrase(tokens, start + 1)
    if subject is None and word_at(tokens, start + 1) not in words.PRONOUNS:
        return None
    found = _done_by(
        tokens, subject.end if subject else start + 2, agent, subject.thing if subject else Thing.THIS
    )
    if found is None:
        return None
    return reading(
        tokens,
        agent_at(tokens, agent),
        found.role,
        (start, found.verb, agent - 1, agent),
        agent + 1,
        negated=scene.negated,
    )


# use X for it -----------------------------------------------------------------------------------------------


def using(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    base = _verb(tokens, start, words.USING, scene)
    if base is None:
        return None
    agent = start + 1
    while word_at(tokens, agent) in (
        "in",
        "on",
        "up",
        "with",
        "to",
        "off",
        "over",
        "for",
        "just",
        "only",
        "please",
        "again",
    ):
        agent += 1
    names = agent_at(tokens, agent)
    if not names:
        return None
    scene.antecedent = names
    after = skip_adverbs(tokens, agent + 1)
    found = _use_role(tokens, base, after, scene)
    if found is None:
        return None
    scene.role = found
    places = (start, agent, found.verb if found.verb > agent else -1, found.object)
    return reading(tokens, names, found.role, places, max(found.end, agent + 1), negated=scene.negated)


def _use_role(tokens: Tokens, base: str, after: int, scene: Scene) -> VerbPhrase | None:
    if word_at(tokens, after) in ("in",) and word_at(tokens, after + 1) not in ("charge", "control"):
        after += 1
    if at_end(tokens, after) or word_at(tokens, after) in (
        "if",
        "when",
        "once",
        "since",
        "because",
        "from",
        "until",
        "and",
    ):
        if scene.preamble is not None:
            return VerbPhrase(scene.preamble.role, after, -1, after, True)
        if base in words.BARE_USING or (
            scene.negated and base in ("involve", "call", "bring", "invoke", "engage", "enlist")
        ):
            return VerbPhrase(Role.IMPLEMENT, -1, -1, after, True)
        return None
    found = _tail_role(tokens, after)
    if found is None and base in words.PUTTING:
        found = complement(tokens, after) or verb_phrase(tokens, after, ("base",))
    if found is None and scene.preamble is not None:
        return VerbPhrase(scene.preamble.role, -1, -1, after, True)
    return found


def _tail_role(tokens: Tokens, after: int) -> VerbPhrase | None:
    """`for the coding`, `on this`, `as the implementer`, `to build it`, `in charge of the build`."""
    word = word_at(tokens, after)
    if word in ("for", "on", "with"):
        return role_of(tokens, after + 1, after)
    if word == "as":
        found = complement(tokens, after + 1)
        return found if found is not None and found.role is not Role.NONE else None
    if word == "to":
        return verb_phrase(tokens, after + 1, ("base",))
    if word in ("in", "responsible"):
        return complement(tokens, after)
    return None


# hand it to X -----------------------------------------------------------------------------------------------


def handing(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    base = _verb(tokens, start, words.TRANSFERRING, scene)
    if base is None:
        return None
    after = start + 1
    while word_at(tokens, after) in words.PARTICLES | {"please"}:
        after += 1
    if agent_at(tokens, after) and word_at(tokens, after - 1) != "to":
        return _hand_agent(tokens, start, after, scene)
    if word_at(tokens, after) == "to" and agent_at(tokens, after + 1):
        return _received(tokens, start, base, None, after + 1, scene)
    given = noun_phrase(tokens, after)
    agent = _agent_behind(
        tokens,
        given.end if given else after,
        ("to", "with", "for", "at") if base in ("leave", "trust") else ("to",),
    )
    if agent is None:
        return _hand_nobody(tokens, start, base, given, scene)
    return _received(tokens, start, base, given, agent, scene)


def _hand_agent(tokens: Tokens, start: int, agent: int, scene: Scene) -> Reading | None:
    """`hand Codex the coding`, `assign Codex as the implementer`, `task Codex with building it`."""
    after = skip_adverbs(tokens, agent + 1)
    found = _tail_role(tokens, after)
    if found is None:
        given = noun_phrase(tokens, after)
        if given is None:
            return None
        role = (
            Role.ADVISE
            if given.thing is Thing.DOCUMENT
            else Role.IMPLEMENT
            if given.thing in WORKABLE
            else Role.NONE
        )
        found = VerbPhrase(role, given.head, given.head, given.end, True)
    scene.elliptic, scene.role = True, found
    return reading(
        tokens,
        agent_at(tokens, agent),
        found.role,
        (start, agent, found.verb, found.object),
        found.end,
        negated=scene.negated,
    )


def _received(
    tokens: Tokens, start: int, base: str, given: NounPhrase | None, agent: int, scene: Scene
) -> Reading | None:
    after = skip_adverbs(tokens, agent + 1)
    purpose = _tail_role(tokens, after) if word_at(tokens, after) in ("for", "to", "as") else None
    head = given.head if given else -1
    if purpose is not None and purpose.role is not Role.NONE:
        role, end = purpose.role, purpose.end
    else:
        role, end = _given_role(tokens, base, given, scene), agent + 1
        purpose = None
    scene.role = VerbPhrase(role, start, head, end, True)
    places = (start, head, agent - 1, agent, *((purpose.verb, purpose.object) if purpose else ()))
    return reading(tokens, agent_at(tokens, agent), role, places, end, negated=scene.negated)


def _given_role(tokens: Tokens, base: str, phrase: NounPhrase | None, scene: Scene) -> Role:
    if phrase is None:
        return Role.IMPLEMENT
    pronoun = word_at(tokens, phrase.head) in ("it", "them", "these", "those")
    if phrase.thing is Thing.DOCUMENT:
        return Role.ADVISE
    if phrase.thing is Thing.DATA or (
        pronoun and scene.documents and base in ("send", "pass", "forward", "push", "give")
    ):
        return Role.NONE
    if phrase.thing in (Thing.IMPLEMENTATION, Thing.THIS):
        return Role.IMPLEMENT
    if phrase.thing is Thing.PIECE:
        return Role.IMPLEMENT if base in words.DELEGATING | {"hand", "give", "leave"} else Role.NONE
    return Role.IMPLEMENT if base in words.DELEGATING - {"relay"} else Role.NONE


def _hand_nobody(
    tokens: Tokens, start: int, base: str, given: NounPhrase | None, scene: Scene
) -> Reading | None:
    """Only a refusal: `don't delegate this`, `do not hand it off`, `don't outsource the coding`."""
    handing_off = base in ("hand", "pass") and any(
        word_at(tokens, index) in ("off", "over") for index in range(start + 1, min(len(tokens), start + 5))
    )
    if not scene.negated or not (base in words.DELEGATING - {"assign", "task", "charge"} or handing_off):
        return None
    if given is not None and given.thing not in (Thing.IMPLEMENTATION, Thing.THIS):
        return None
    end = given.end if given else start + 1
    return reading(tokens, (ANYONE,), Role.IMPLEMENT, (start, given.head if given else -1), end, negated=True)


# X should do it ---------------------------------------------------------------------------------------------


def subject(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    names = names_at(tokens, start)
    if not names:
        return None
    after = start + 1
    while word_at(tokens, after) in ("who", "that", ",") or (
        word_at(tokens, after) in words.ADVERBS and word_at(tokens, after) not in words.HABITS | {"not"}
    ):
        after += 1
    if word_at(tokens, after) in words.HABITS - {"never"}:
        return Reading((), after)
    negated = scene.negated or tokens[start].word == "nor"
    found, off, weak = _predicate(tokens, start, after, scene)
    if found is None:
        return None
    if names == (HOST,) and (off or not found.is_plain):
        return Reading((), found.end)
    scene.role = found
    return reading(
        tokens,
        names,
        found.role,
        (start, found.verb, found.object),
        found.end,
        negated=negated != off,
        weak=weak,
    )


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
        if nxt in words.HABITS:
            return None, off, False
        if nxt in ("out", "off", "banned", "excluded"):
            return VerbPhrase(Role.IMPLEMENT, after, after + 1, after + 2, True), True, False
        found = verb_phrase(tokens, after + 1, ("gerund",)) or complement(tokens, after + 1)
        return found, off, False
    if word in ("stays", "stay", "remains", "keeps"):
        if word_at(tokens, after + 1) in ("out", "away"):
            return VerbPhrase(Role.IMPLEMENT, after, after + 1, _clause_end(tokens, after), True), True, False
        return complement(tokens, after + 1), off, False
    if word == "never":
        found = verb_phrase(tokens, after + 1, ("third", "base"))
        return found, True, False
    if word == "to":
        return verb_phrase(tokens, after + 1, ("base",)), off, False
    if word in ("on", "for", "as"):
        return _tail_role(tokens, after), off, False
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
    if found is not None:
        return found, False, not found.is_plain
    if scene.elliptic and word_at(tokens, after) in words.DETERMINERS:
        given = noun_phrase(tokens, after)
        if given is not None:
            role = (
                Role.ADVISE
                if given.thing is Thing.DOCUMENT
                else Role.IMPLEMENT
                if given.thing in WORKABLE
                else Role.NONE
            )
            return VerbPhrase(role, given.head, -1, given.end, True), False, False
    return None, False, False


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
    if off:
        found = verb_phrase(tokens, index, ("base",))
        if found is not None and found.role is not Role.NONE:
            return found, True, False
        return _uninvolved(tokens, index), True, False
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
    if not scene.negated or word_at(tokens, start) not in words.MODALS or not agent_at(tokens, start + 1):
        return None
    found = verb_phrase(tokens, start + 2, ("base",))
    if found is None:
        return None
    return reading(
        tokens,
        agent_at(tokens, start + 1),
        found.role,
        (start + 1, found.verb, found.object),
        found.end,
        negated=True,
    )


# it is to be done by X --------------------------------------------------------------------------------------

_MADE_FOR = word_set(
    "go goes going belong belongs fall falls given handed sent passed delegated assigned left outsourced "
    "entrusted relayed farmed moves"
)


def placed(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    """The work is the subject: `the coding goes to X`, `this will be built by X`, `the implementer is X`."""
    if _is_plain_imperative(tokens, start):
        return None
    given = noun_phrase(tokens, start)
    thing = given.thing if given else Thing.UNKNOWN
    after = given.end if given else start
    agent = _agent_behind(tokens, after, _PLACES)
    if agent is None:
        agent = _agent_behind(tokens, after, ("is", "be", "'s", "are"))
        if agent is None or given is None:
            return None
        return _named(tokens, start, given.head, agent, scene)
    between = [word_at(tokens, index) for index in range(after, agent)]
    if any(word in ("that", "which", "who", "when", "how", "lets", "whether") for word in between):
        return None
    denied = scene.negated or "not" in between
    found = _place(tokens, after, agent, thing, between)
    if found is None:
        return None
    scene.role = found
    head = given.head if given else -1
    end = max(agent + 1, found.end)
    return reading(
        tokens, names_at(tokens, agent), found.role, (head, found.verb, agent - 1, agent), end, negated=denied
    )


def _is_plain_imperative(tokens: Tokens, start: int) -> bool:
    """`build a page that …` is no noun phrase, `build work goes to …` and `implemented by …` may be one."""
    word = word_at(tokens, start)
    if word not in words.VERBS or word in words.IMPLEMENTATION:
        return False
    return word_at(tokens, start + 1) in words.DETERMINERS or not base_in(word, "participle")


_PLACES = ("by", "to", "on", "for", "with", "via", "through", "up")


def _place(tokens: Tokens, after: int, agent: int, thing: Thing, between: list[str]) -> VerbPhrase | None:
    preposition = word_at(tokens, agent - 1)
    if preposition == "by":
        return _done_by(tokens, after, agent, thing, needs_auxiliary=thing is not Thing.IMPLEMENTATION)
    if words.PAST_MARKERS & set(between):
        return None
    if preposition == "to":
        if "up" in between and _is_be(between):
            found = verb_phrase(tokens, agent + 2, ("base",)) if word_at(tokens, agent + 1) == "to" else None
            return found or _role_by_thing(thing, agent - 1, agent + 1)
        if _MADE_FOR & set(between):
            purpose = _tail_role(tokens, agent + 1) if word_at(tokens, agent + 1) in ("for", "to") else None
            return purpose or _role_by_thing(thing, agent - 1, agent + 1)
        return None
    rests = any(base_in(word, "third") in words.RESTING or word in words.RESTING for word in between)
    if preposition in ("on", "for", "with") and (rests or (_is_be(between) and len(between) <= 5)):
        if word_at(tokens, agent + 1) == "to":
            found = verb_phrase(tokens, agent + 2, ("base",))
            return found if thing is Thing.THIS or thing is Thing.PIECE else None
        return _role_by_thing(thing, agent - 1, agent + 1)
    if preposition in ("via", "through", "with") and thing is Thing.IMPLEMENTATION and len(between) <= 3:
        return _role_by_thing(thing, agent - 1, agent + 1)
    return None


def _is_be(between: list[str]) -> bool:
    return any(word in ("is", "be", "'s", "are") for word in between)


def _role_by_thing(thing: Thing, verb: int, end: int) -> VerbPhrase:
    role = Role.ADVISE if thing is Thing.DOCUMENT else Role.IMPLEMENT if thing in WORKABLE else Role.NONE
    return VerbPhrase(role, verb, -1, end, True)


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
    owned = word_at(tokens, agent + 1) == "'s" and word_at(tokens, agent + 2) in (
        "job",
        "turn",
        "task",
        "responsibility",
        "duty",
        "call",
    )
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
        chosen = follow or inner or (_role_by_thing(given.thing, given.head, agent) if given else None)
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


def _done_by(
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
            _role_by_thing(thing, agent - 1, agent + 1)
            if thing in (Thing.IMPLEMENTATION, Thing.DOCUMENT)
            else None
        )
    auxiliary = any(word in ("be", "is", "are", "gets", "get", "being", "to") for word in between)
    if needs_auxiliary and not auxiliary and verb > start:
        return None
    if base in words.ADVISING or thing is Thing.DOCUMENT:
        return VerbPhrase(Role.ADVISE, verb, -1, agent + 1, True)
    accepted = (
        base in words.IMPLEMENTING
        or (thing in WORKABLE and base in words.BUILDING | words.WORKING | {"delegate"})
        or (base == "build" and thing is not Thing.DATA)
    )
    return VerbPhrase(Role.IMPLEMENT, verb, -1, agent + 1, True) if accepted else None


# coding: X --------------------------------------------------------------------------------------------------


def label(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    """`Codex: implementation`, `implementer: Codex`."""
    names = names_at(tokens, start)
    if (
        names
        and start + 1 < len(tokens)
        and tokens[start + 1].kind == MARK
        and tokens[start + 1].word in (":", "\u2014")
    ):
        after = start + 2
        found = verb_phrase(tokens, after, ("base", "gerund", "third"))
        if found is None or (
            word_at(tokens, after) in words.IMPLEMENTATION | words.DOCUMENTS and found.role is Role.NONE
        ):
            found = complement(tokens, after)
        if found is None or found.role is Role.NONE:
            return None
        scene.labels = True
        return reading(
            tokens, names, found.role, (start, found.verb, found.object), found.end, negated=scene.negated
        )
    given = noun_phrase(tokens, start)
    if given is None or given.end + 1 >= len(tokens) or tokens[given.end].kind != MARK:
        return None
    agent = given.end + 1
    if (
        tokens[given.end].word not in (":", "\u2014")
        or not names_at(tokens, agent)
        or not at_end(tokens, skip_adverbs(tokens, agent + 1))
    ):
        return None
    found = complement(tokens, start) or _role_by_thing(given.thing, given.head, given.end)
    if found.role is Role.NONE and given.thing is not Thing.UNKNOWN:
        found = _role_by_thing(given.thing, given.head, given.end)
    scene.labels = True
    return reading(tokens, names_at(tokens, agent), found.role, (given.head, agent), agent + 1)


# Parts ------------------------------------------------------------------------------------------------------


def _verb(tokens: Tokens, start: int, among: frozenset[str], scene: Scene) -> str | None:
    """The verb at `start` if it is one of these in the form that the opening calls for."""
    word = word_at(tokens, start)
    base = base_in(word, "gerund") if scene.gerund else base_in(word, "base")
    if base is None and scene.wish:
        base = base_in(word, "past")
    if base is None and word == "like":
        base = "like"
    return base if base in among else None


def _negated_at(tokens: Tokens, index: int) -> bool:
    return word_at(tokens, skip_adverbs(tokens, index)) == "not"


def _agent_behind(tokens: Tokens, start: int, prepositions: Sequence[str]) -> int | None:
    """The first agent behind one of these words and before the clause is over."""
    for index in range(start, min(len(tokens), start + _REACH)):
        if tokens[index].kind == MARK:
            return None
        if names_at(tokens, index) and word_at(tokens, index - 1) in prepositions:
            return index
        if word_at(tokens, index) in words.CLAUSE_WORDS - {"&", "and", "while", "so"}:
            return None
        if word_at(tokens, index) == "and" and base_in(
            word_at(tokens, skip_adverbs(tokens, index + 1)), "base"
        ):
            return None
        if word_at(tokens, index) in ("that", "which", "who", "how", "when", "where") and index > start:
            return None
    return None


def _clause_end(tokens: Tokens, start: int) -> int:
    index = start
    while not at_end(tokens, index):
        index += 1
    return index


FORMS: tuple[Callable[[Tokens, int, Scene], Reading | None], ...] = (
    label,
    causing,
    using,
    handing,
    subject_asked,
    subject,
    placed,
)
