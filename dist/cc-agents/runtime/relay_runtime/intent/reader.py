"""From the sentences of a request to its claims. What interrupts a sentence is taken out of it first."""

from __future__ import annotations

from collections.abc import Sequence

from relay_runtime.intent import words
from relay_runtime.intent.agents import HOST, find_agents, may_mention, mended
from relay_runtime.intent.claims import Claim, Scene
from relay_runtime.intent.clauses import Walk
from relay_runtime.intent.cursor import agent_at, phrase_at, word_at
from relay_runtime.intent.openers import is_question
from relay_runtime.intent.roles import Role, VerbPhrase
from relay_runtime.intent.tokens import MARK, Sentence, Token
from relay_runtime.intent.words import NAMES, base_in, word_set

# A sentence without an agent and without one of these cannot say who implements.
_NATIVE_HINTS = word_set(
    "yourself native natively relay relaying delegate delegating delegation outsource handoff hand session "
    "offload own nobody alone else"
)
# A heading with one of these says that its list tells how things shall be.
_TELLING = word_set("criteria scenario scenarios story stories behaviour behavior")
_PERSONS = word_set(
    "user developer dev admin customer engineer maintainer manager visitor member reader author owner tester "
    "operator player team"
)


class Reader:
    """Reads the sentences of one request in order; what one says may lean on the one before."""

    def __init__(self) -> None:
        self.antecedent: tuple[str, ...] = ()
        self.labels = False
        self.last_role: VerbPhrase | None = None
        self.called: tuple[Token, ...] = ()  # "Codex! Build this."
        self.tells = False  # the items of a list under "Acceptance criteria:" say how things shall be

    def read(self, sentence: Sentence) -> list[Claim]:
        """The claims of one sentence."""
        sentence = self._called_out(sentence)
        if self.called:
            return []
        words_here = {token.word for token in sentence.tokens}
        self.tells = _is_telling(sentence.tokens) or (self.tells and sentence.is_item)
        if self.tells or _is_user_story(sentence.tokens):
            return []
        if not (may_mention(sentence.tokens) or words_here & _NATIVE_HINTS):
            return []
        tokens = find_agents(mended(sentence.tokens))
        if not (words_here & _NATIVE_HINTS or any(token.names for token in tokens)):
            return []
        claims: list[Claim] = []
        outer, inner = lift_parentheses(tokens)
        for part in (*split_afterthought(outer, sentence.end), *((part, "") for part in inner)):
            claims += self._part(*part)
        return claims

    def _called_out(self, sentence: Sentence) -> Sentence:
        """The sentence behind a mere name is spoken to whom it names."""
        tokens = sentence.tokens
        alone = len(tokens) == 1 and tokens[0].word in NAMES and sentence.end in ("!", ".")
        if self.called and not alone:
            sentence = sentence._replace(tokens=(*self.called, Token(MARK, ",", ""), *tokens))
        self.called = tokens if alone else ()
        return sentence

    def _part(self, tokens: list[Token], end: str) -> list[Claim]:
        alone = len(tokens) < 6 and word_at(tokens, 0) == "not"  # "Not Codex this time."
        tokens, contrasts = lift_contrasts(tokens)
        scene = Scene(antecedent=self.antecedent, labels=self.labels, role=self.last_role)
        walk = Walk(tokens, end, scene, said_before=self.last_role is not None)
        claims = walk.run()
        self.antecedent = scene.antecedent
        self.labels = scene.labels
        self.last_role = scene.role
        own = any(claim.role is Role.IMPLEMENT for claim in claims) or walk.is_directive
        return claims + [claim for claim in contrasts if own or alone or not tokens]


def _is_telling(tokens: Sequence[Token]) -> bool:
    """`Acceptance criteria`, `Scenario: …`."""
    head = [token.word for token in tokens[:5]]
    head = head[: head.index(":")] if ":" in head else [token.word for token in tokens]
    asks = not head or base_in(head[0], "base") is not None or not set(head).isdisjoint(NAMES)
    return len(head) < 5 and not asks and not _TELLING.isdisjoint(head)


def _is_user_story(tokens: Sequence[Token]) -> bool:
    """`As a user I want Claude to …`."""
    start = [token.word for token in tokens[:9]]
    if start[:1] != ["as"] or start[1:2] not in (["a"], ["an"]) or "i" not in start:
        return False
    return not _PERSONS.isdisjoint(start[2 : start.index("i")])


def lift_parentheses(tokens: list[Token]) -> tuple[list[Token], list[list[Token]]]:
    outer: list[Token] = []
    inner: list[list[Token]] = []
    depth = 0
    for token in tokens:
        if token.kind == MARK and token.word == "(":
            depth += 1
            inner.append([])
        elif token.kind == MARK and token.word == ")":
            depth = max(0, depth - 1)
        elif depth:
            inner[-1].append(token)
        else:
            outer.append(token)
    return outer, inner


def split_afterthought(tokens: list[Token], end: str) -> list[tuple[list[Token], str]]:
    """`Let Codex do it — or Claude?`: only what stands behind the last dash, or behind `, or`, is asked."""
    dashes = [
        index
        for index, token in enumerate(tokens)
        if token.kind == MARK and (token.word == "\u2014" or _is_alternative(tokens, index + 1))
    ]
    if end != "?" or not dashes or is_question(tokens, ""):
        return [(tokens, end)]
    return [(tokens[: dashes[-1]], ""), (tokens[dashes[-1] + 1 :], end)]


def _is_alternative(tokens: list[Token], index: int) -> bool:
    """`or Claude`, `or should Claude`."""
    agent = index + 1 + (word_at(tokens, index + 1) in words.MODALS)
    return word_at(tokens, index) == "or" and bool(agent_at(tokens, agent))


_CONTRASTING = (
    ("instead", "of"),
    ("rather", "than"),
    ("than",),
    ("over",),
    ("and", "not"),
    ("but", "not"),
    ("not",),
)


_AUXILIARIES = words.MODALS | words.BE | {"do", "does", "did", "us"}
_GOES_ON = words.CLAUSE_WORDS | words.ADVERBS | words.MODALS | words.PREPOSITIONS
_PREFERENCES = frozenset(("rather", "prefer"))


_PLAIN_LINKS = word_set("by to with for via on")


_LINKS = word_set("by to with for the using via on having letting use have let asking")


def lift_contrasts(tokens: list[Token]) -> tuple[list[Token], list[Claim]]:
    """Take out `, not Claude,`, `instead of Codex`, `rather than you`, which deny within another clause."""
    kept: list[Token] = []
    claims: list[Claim] = []
    index = 0
    while index < len(tokens):
        correction = _correction_end(tokens, index) if kept and kept[-1].names else index
        if correction > index:
            kept.pop()
            index = correction
        contrast = next((phrase for phrase in _CONTRASTING if phrase_at(tokens, index, phrase)), None)
        after = index + len(contrast) if contrast else index
        while contrast and word_at(tokens, after) in (_LINKS if len(contrast) > 1 else _PLAIN_LINKS):
            after += 1
        names = (
            (HOST,) if contrast and word_at(tokens, after) in ("you", "yourself") else agent_at(tokens, after)
        )
        if contrast in (("than",), ("over",)) and not _PREFERENCES & {token.word for token in kept}:
            contrast = None
        modal = bool(kept) and kept[-1].word in _AUXILIARIES
        if (
            contrast is None
            or not names
            or (contrast == ("not",) and (modal or not _stands_alone(tokens, after)))
        ):
            kept.append(tokens[index])
            index += 1
            continue
        raw = tuple(token.raw for token in tokens[index : after + 1] if token.raw)
        if names != (HOST,):
            claims.append(Claim(names, Role.IMPLEMENT, raw, negated=True))
        index = after + 1
        if (
            kept
            and kept[-1].kind == MARK
            and index < len(tokens)
            and tokens[index].kind == MARK
            and tokens[index].word in (",", "\u2014")
        ):
            kept.pop()
            index += 1
    return kept, claims


_CORRECTING = (("sorry",), ("no",), ("wait",), ("rather",), ("i", "mean"), ("i", "meant"), ("make", "that"))


def _correction_end(tokens: list[Token], index: int) -> int:
    """`Claude, sorry, Codex`: where the second agent stands; `index` itself without one."""
    at = index
    corrected = False
    while at < len(tokens):
        word = next((phrase for phrase in _CORRECTING if phrase_at(tokens, at, phrase)), None)
        if word is None and tokens[at].kind != MARK:
            break
        corrected = corrected or word is not None
        at += len(word) if word is not None else 1
    return at if corrected and agent_at(tokens, at) else index


def _stands_alone(tokens: list[Token], agent: int) -> bool:
    return (
        agent + 1 >= len(tokens) or tokens[agent + 1].kind == MARK or word_at(tokens, agent + 1) in _GOES_ON
    )
