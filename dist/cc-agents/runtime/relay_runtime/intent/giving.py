"""`have X do it`, `use X for it`, `hand it to X`, `with X as the builder`."""

from __future__ import annotations

from relay_runtime.intent import words
from relay_runtime.intent.agents import ANYONE
from relay_runtime.intent.claims import Reading, Scene, reading, verb_here
from relay_runtime.intent.cursor import (
    agent_at,
    agent_behind,
    at_end,
    clause_end,
    negated_at,
    phrase_at,
    skip_adverbs,
    word_at,
)
from relay_runtime.intent.nouns import NounPhrase, Thing, noun_phrase
from relay_runtime.intent.placing import done_by, placed
from relay_runtime.intent.roles import Role, VerbPhrase, complement, role_by_thing, tail_role, verb_phrase
from relay_runtime.intent.tokens import Tokens
from relay_runtime.intent.words import base_in, word_set


def causing(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    base = verb_here(tokens, start, words.CAUSING, scene)
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
        return (
            _caused_passive(tokens, start, scene)
            or _caused_pronoun(tokens, start, scene)
            or placed(tokens, start + 1, scene)  # "let the coding go to Codex"
        )
    found = _caused_role(tokens, base, agent, scene)
    if found is None or (base in ("allow", "permit") and not _is_this_work(tokens, found)):
        return None
    scene.elliptic, scene.role = True, found
    negated = scene.negated != negated_at(tokens, agent + 1)
    return reading(
        tokens, names, found.role, (start, agent, found.verb, found.object), found.end, negated=negated
    )


def _is_this_work(tokens: Tokens, found: VerbPhrase) -> bool:
    """Not what a product may do: `allow Claude to write to the folder`."""
    if found.object < 0:
        return at_end(tokens, skip_adverbs(tokens, found.end))
    return word_at(tokens, found.object) in words.THIS | words.THIS_NOUNS | words.IMPLEMENTATION


_TAKING_PART = word_set("near anywhere involved touching touch in on")


def _caused_role(tokens: Tokens, base: str, agent: int, scene: Scene) -> VerbPhrase | None:
    after = skip_adverbs(tokens, agent + 1)
    if agent_at(tokens, after + 1) and [
        tokens[after].word,
        *(t.word for t in tokens[after + 2 : after + 3]),
    ] == [",", ","]:
        after += 3
    if word_at(tokens, after) in ("not", "loose"):
        after += 1
    if word_at(tokens, after) == "to":
        return verb_phrase(tokens, after + 1, ("base",))
    told = after + (word_at(tokens, after) == "that")
    if (
        base == "tell"
        and word_at(tokens, told) in ("it", "they")
        and word_at(tokens, told + 1) in words.MODALS
    ):
        return verb_phrase(tokens, told + 2 + (word_at(tokens, told + 2) == "to"), ("base",))
    if scene.negated and word_at(tokens, after) in _TAKING_PART:
        return VerbPhrase(Role.IMPLEMENT, after, -1, clause_end(tokens, after), True)
    forms = ("base", "gerund", "past", "third") if base in ("rather", "prefer") else ("base", "gerund")
    found = verb_phrase(tokens, after, forms)
    if found is not None and word_at(tokens, found.verb) not in ("like",):
        return found
    if word_at(tokens, after) == "for" and base in ("ask", "request"):
        given = noun_phrase(tokens, after + 1)
        wanted = given is not None and given.thing is Thing.IMPLEMENTATION
        return role_by_thing(Thing.IMPLEMENTATION, after, given.end) if given and wanted else None
    if word_at(tokens, after) in ("for", "on", "as"):
        return tail_role(tokens, after)
    if at_end(tokens, after) and scene.role is not None and base in ("have", "let", "get"):
        return VerbPhrase(scene.role.role, agent, -1, after, True)
    return None


def _caused_pronoun(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    """`Bring in Codex and have it write the code`."""
    if word_at(tokens, start + 1) not in ("it", "him", "her", "them"):
        return None
    after = start + 2 + (word_at(tokens, start + 2) == "to")
    found = verb_phrase(tokens, after, ("base",))
    names = scene.antecedent or _mentioned(tokens, start)
    if found is None or len(names) != 1 or not (scene.antecedent or found.is_plain):
        return None
    return reading(
        tokens,
        names,
        found.role,
        (start, start + 1, found.verb, found.object),
        found.end,
        negated=scene.negated,
    )


def _mentioned(tokens: Tokens, before: int) -> tuple[str, ...]:
    """The agents in the clauses of this sentence so far: `If Codex is there, have it …`."""
    return tuple({name: None for token in tokens[:before] for name in token.names})


def _caused_passive(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    """`have this built by X`, `I want the coding done by X`, `let it be built by X`."""
    agent = agent_behind(tokens, start + 1, ("by",))
    if agent is None:
        return None
    subject = noun_phrase(tokens, start + 1)
    if subject is None and word_at(tokens, start + 1) not in words.PRONOUNS:
        return None
    found = done_by(
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


def using(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    base = verb_here(tokens, start, words.USING, scene)
    if base is None:
        return None
    agent = start + 1 + 2 * phrase_at(tokens, start, ("make", "use", "of"))
    if word_at(tokens, agent) == "from" and agent_at(tokens, agent + 1):
        agent += 2  # "switch from Claude to Codex"
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
        if base in ("want", "prefer") and scene.role is not None:
            return scene.role._replace(end=after)  # "I don't want Claude coding this, I want Codex"
        if base in words.BARE_USING or (
            scene.negated and base in ("involve", "call", "bring", "invoke", "engage", "enlist")
        ):
            return VerbPhrase(Role.IMPLEMENT, -1, -1, after, True)
        return None
    found = tail_role(tokens, after)
    if found is None and base in words.PUTTING:
        found = complement(tokens, after) or verb_phrase(tokens, after, ("base",))
    if found is None and scene.preamble is not None:
        return VerbPhrase(scene.preamble.role, -1, -1, after, True)
    return found


def accompanied(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    """`with X as the builder`, `with X doing the coding`; `implement this via X`."""
    names = agent_at(tokens, start + 1)
    if not names or word_at(tokens, start) not in ("with", "via", "using", "through"):
        return None
    after = skip_adverbs(tokens, start + 2)
    found = verb_phrase(tokens, after, ("gerund",)) or tail_role(tokens, after)
    if found is None and at_end(tokens, after) and scene.main is not None:
        work = scene.main
        base = base_in(word_at(tokens, work.verb), "base")
        is_own_work = (
            word_at(tokens, work.object) in words.THIS
            or (work.is_plain and base in words.WORKING)
            or (work.object < 0 and base in words.IMPLEMENTING)
        )
        if work.role is Role.IMPLEMENT and (word_at(tokens, start) in ("via", "through") or is_own_work):
            return reading(tokens, names, Role.IMPLEMENT, (work.verb, work.object, start, start + 1), after)
    if found is None or found.role is Role.NONE:
        return None
    return reading(
        tokens,
        names,
        found.role,
        (start, start + 1, found.verb, found.object),
        found.end,
        negated=scene.negated,
    )


_AFTER_THE_VERB = words.PARTICLES | {"please"}


def handing(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    if phrase_at(tokens, start, ("over", "to")) and agent_at(tokens, start + 2):
        return _received(tokens, start, "hand", None, start + 2, scene)
    base = verb_here(tokens, start, words.TRANSFERRING | {"run"}, scene)
    if base is None:
        return None
    after = start + 1
    while word_at(tokens, after) in _AFTER_THE_VERB:
        after += 1
    if agent_at(tokens, after) and word_at(tokens, after - 1) != "to":
        return _hand_agent(tokens, start, after, scene)
    if word_at(tokens, after) == "to" and agent_at(tokens, after + 1):
        return _received(tokens, start, base, None, after + 1, scene)
    given = noun_phrase(tokens, after)
    if base == "get":
        agent = agent_behind(tokens, given.end, ("from",)) if given else None
        own_work = given is not None and given.thing is Thing.IMPLEMENTATION
        return _received(tokens, start, base, given, agent, scene) if agent and own_work else None
    if base in ("split", "divide", "share"):
        agent = agent_behind(tokens, given.end, ("between", "among", "with")) if given else None
        return None if agent is None else _received(tokens, start, base, given, agent, scene)
    if base == "put":
        return _put_in_hands(tokens, start, given, scene)
    agent = agent_behind(
        tokens,
        given.end if given else after,
        ("to", "with", "for", "at") if base in ("leave", "trust") else ("to",),
    )
    between = {word_at(tokens, at) for at in range(after, agent or after)}
    if base == "run" and "relay" not in between:
        return None  # "run this through the relay to Codex"
    if agent is None:
        return _hand_nobody(tokens, start, base, given, scene)
    return _received(tokens, start, base, given, agent, scene)


def _put_in_hands(tokens: Tokens, start: int, given: NounPhrase | None, scene: Scene) -> Reading | None:
    """`put the implementation in Codex's hands`."""
    agent = agent_behind(tokens, given.end, ("in", "on", "into")) if given is not None else None
    if given is None or agent is None or word_at(tokens, agent + 2) not in ("hands", "plate"):
        return None
    role = role_by_thing(given.thing, given.head, agent + 1).role
    return reading(
        tokens, agent_at(tokens, agent), role, (start, given.head, agent), agent + 3, negated=scene.negated
    )


def _hand_agent(tokens: Tokens, start: int, agent: int, scene: Scene) -> Reading | None:
    """`hand Codex the coding`, `assign Codex as the implementer`, `task Codex with building it`."""
    after = skip_adverbs(tokens, agent + 1)
    found = tail_role(tokens, after)
    if found is None:
        given = noun_phrase(tokens, after)
        if given is None:
            return None
        asked = verb_phrase(tokens, given.end + 1, ("base",)) if word_at(tokens, given.end) == "to" else None
        found = asked or role_by_thing(given.thing, given.head, given.end)
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
    purpose = tail_role(tokens, after) if word_at(tokens, after) in ("for", "to", "as") else None
    if word_at(tokens, after) == "so":
        purpose = _enabled(tokens, after + 1)
    head = given.head if given else -1
    if purpose is not None and purpose.role is not Role.NONE:
        role, end = purpose.role, purpose.end
    else:
        elsewhere = purpose is not None and base in ("send", "pass", "forward", "push")
        role = Role.NONE if elsewhere else _given_role(tokens, base, given, scene)
        end = agent + 1
        purpose = None
    scene.role = VerbPhrase(role, start, head, end, True)
    places = (start, head, agent - 1, agent, *((purpose.verb, purpose.object) if purpose else ()))
    return reading(tokens, agent_at(tokens, agent), role, places, end, negated=scene.negated)


def _enabled(tokens: Tokens, start: int) -> VerbPhrase | None:
    """`give the plan to Codex so it can implement it`."""
    at = start + (word_at(tokens, start) == "that")
    can = word_at(tokens, at) in ("it", "they") and word_at(tokens, at + 1) in ("can", "could", "may")
    return verb_phrase(tokens, at + 2, ("base",)) if can else None


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
