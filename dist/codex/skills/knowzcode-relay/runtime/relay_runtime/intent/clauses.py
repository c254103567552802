"""From a sentence to claims: where clauses begin, what opens them, which are questions or description."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from relay_runtime.intent import words
from relay_runtime.intent.agents import find_agents, may_mention, mended
from relay_runtime.intent.claims import HOST, Claim, Reading, marked, reading
from relay_runtime.intent.directives import Scene, agent_at, directive
from relay_runtime.intent.phrases import (
    Role,
    VerbPhrase,
    at_end,
    base_in,
    role_of,
    skip_adverbs,
    verb_phrase,
    word_at,
)
from relay_runtime.intent.refusals import refusal
from relay_runtime.intent.tokens import MARK, Sentence, Token
from relay_runtime.intent.words import word_set

Tokens = Sequence[Token]

_NATIVE_HINTS = word_set(
    "yourself native natively relay relaying delegate delegating delegation outsource handoff hand you "
    "offload own"
)


class Reader:
    """Reads the sentences of one request in order; what one says may lean on the one before."""

    def __init__(self, host: str) -> None:
        self.host = host
        self.antecedent: tuple[str, ...] = ()
        self.labels = False
        self.last_role: VerbPhrase | None = None

    def read(self, sentence: Sentence) -> list[Claim]:
        """The claims of one sentence."""
        words_here = {token.word for token in sentence.tokens}
        if not (may_mention(sentence.tokens) or words_here & _NATIVE_HINTS):
            return []
        tokens = mended(find_agents(sentence.tokens))
        claims: list[Claim] = []
        outer, inner = _lift_parentheses(tokens)
        for part in (outer, *inner):
            claims += self._part(part, sentence.end)
        return claims

    def _part(self, tokens: list[Token], end: str) -> list[Claim]:
        tokens, contrasts = _lift_contrasts(tokens)
        scene = Scene(antecedent=self.antecedent, labels=self.labels)
        walk = _Walk(tokens, end, scene, self.host)
        claims = walk.run()
        self.antecedent = scene.antecedent
        self.labels = scene.labels
        own = any(claim.role is Role.IMPLEMENT for claim in claims) or walk.is_directive
        return claims + [claim for claim in contrasts if own]


# Setting aside ----------------------------------------------------------------------------------------------


def _lift_parentheses(tokens: list[Token]) -> tuple[list[Token], list[list[Token]]]:
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


_CONTRASTING = (("instead", "of"), ("rather", "than"), ("and", "not"), ("but", "not"), ("not",))
_LINKS = word_set("by to with for the using via on having letting use have let asking")


def _lift_contrasts(tokens: list[Token]) -> tuple[list[Token], list[Claim]]:
    """Take out `, not Claude,`, `instead of Codex`, `rather than you`, which deny within another clause."""
    kept: list[Token] = []
    claims: list[Claim] = []
    index = 0
    while index < len(tokens):
        contrast = next(
            (c for c in _CONTRASTING if tuple(word_at(tokens, index + o) for o in range(len(c))) == c), None
        )
        after = index + len(contrast) if contrast else index
        while contrast and word_at(tokens, after) in _LINKS:
            after += 1
        names = (
            (HOST,) if contrast and word_at(tokens, after) in ("you", "yourself") else agent_at(tokens, after)
        )
        modal = bool(kept) and kept[-1].word in words.MODALS | words.BE | {"do", "does", "did"}
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


def _stands_alone(tokens: list[Token], agent: int) -> bool:
    return (
        agent + 1 >= len(tokens)
        or tokens[agent + 1].kind == MARK
        or word_at(tokens, agent + 1)
        in words.CLAUSE_WORDS | words.ADVERBS | words.MODALS | words.PREPOSITIONS
    )


# Walking ----------------------------------------------------------------------------------------------------

_FREE, _RELATIVE, _DEEP = range(3)


@dataclass(frozen=True)
class _Opening:
    at: int
    negated: bool = False
    gerund: bool = False
    wish: bool = False
    hedged: bool = False
    corrects: bool = False
    polite: bool = False


class _Walk:
    """Goes through one sentence and reads a form wherever a clause may begin."""

    def __init__(self, tokens: list[Token], end: str, scene: Scene, host: str) -> None:
        self.tokens = tokens
        self.end = end
        self.scene = scene
        self.host = host
        self.claims: list[Claim] = []
        self.depth = _FREE
        self.leading = False  # inside a subordinate clause or phrase that the sentence begins with
        self.is_directive = False

    def run(self) -> list[Claim]:
        tokens = self.tokens
        if not tokens:
            return []
        question = _is_question(tokens, self.end)
        first = self._vocative()
        index = first
        fresh = True
        while index < len(tokens):
            if fresh and not question:
                end = self._clause(index)
                if end is not None:
                    index = max(end, index + 1)
                    fresh = self._boundary(index - 1) if end > 0 else False
                    fresh = False
                    continue
            if index == first:
                self._begin(index)
            fresh = self._step(index, question)
            index += 1
        if question:
            return [claim for claim in self.claims if claim.hedged]
        return self.claims

    def _begin(self, index: int) -> None:
        word = word_at(self.tokens, index)
        if word in ("once", "when", "after", "as", "if", "before", "until", "while", "since", "whenever"):
            self.leading, self.depth = True, _RELATIVE
        elif word in words.PREPOSITIONS or word in ("this", "today"):
            self.leading = True
            role = role_of(self.tokens, index + 1, index) if word in ("for", "on", "as", "in") else None
            self.scene.preamble = role

    def _step(self, index: int, question: bool) -> bool:
        """Pass one token; is the next one the beginning of a clause?"""
        token = self.tokens[index]
        if token.kind == MARK:
            return self._mark(token, question)
        word = token.word
        if word in words.CLAUSE_WORDS:
            before = self.tokens[index - 1] if index else token
            if before.kind == MARK or word in ("but", "then", "so"):
                self.depth = _FREE if self.depth == _RELATIVE or before.kind == MARK else self.depth
            return not question
        if index and word in words.EMBEDDERS and not (word == "as" and self.leading):
            interrogative = word in ("how", "whether", "what")
            if (
                word != "that"
                or word_at(self.tokens, index - 1) not in words.PREPOSITIONS | words.VERBS.keys()
            ):
                self.depth = _DEEP if interrogative else max(self.depth, _RELATIVE)
        elif (
            word == "to"
            and word_at(self.tokens, index - 1) in words.MAKERS
            and base_in(word_at(self.tokens, index + 1), "base")
        ):
            self.depth = _DEEP
        return self.leading and not question and self._calls_for(index + 1)

    def _mark(self, token: Token, question: bool) -> bool:
        if token.word in (":", "\u2014") or (token.word == "," and self.leading):
            self.depth, self.leading = _FREE, False
        return not question

    def _calls_for(self, index: int) -> bool:
        """`once the plan is approved have Codex …`: no comma, but unmistakable."""
        base = base_in(word_at(self.tokens, index), "base")
        return (
            base in words.CAUSING | words.USING and bool(agent_at(self.tokens, index + 1)) and base != "like"
        )

    def _boundary(self, index: int) -> bool:
        return at_end(self.tokens, index)

    def _clause(self, start: int) -> int | None:
        """Read what begins at `start`; its end, or None where nothing of ours begins."""
        opening = _open(self.tokens, start)
        at = opening.at
        if at >= len(self.tokens):
            return None
        scene = self.scene
        scene.negated, scene.gerund, scene.wish = opening.negated, opening.gerund, opening.wish
        found = None
        if self.depth == _FREE or (self.depth == _RELATIVE and self._is_imperative(at)):
            found = refusal(self.tokens, at, scene) or (
                refusal(self.tokens, at - 1, scene) if at > start else None
            )
            found = found or directive(self.tokens, at, scene) or self._fragment(at, opening)
        if found is None:
            self._remember(at)
            return None
        if opening.negated and word_at(self.tokens, found.end) in ("until", "before", "unless", "yet"):
            return found.end
        self.claims += marked(found, hedged=opening.hedged, corrects=opening.corrects).claims
        return found.end

    def _is_imperative(self, at: int) -> bool:
        word = word_at(self.tokens, at)
        return base_in(word, "base") is not None and not self.tokens[at].names

    def _remember(self, at: int) -> None:
        """An imperative of another kind: `it` in a later clause may mean what it makes."""
        base = base_in(word_at(self.tokens, at), "base")
        if base is None or self.depth != _FREE:
            return
        if base in words.IMPLEMENTING | words.BUILDING:
            self.is_directive = True
        if base not in words.ADVISING - {"document"} and word_at(self.tokens, at + 1) not in ("it", "this"):
            self.scene.documents = True

    def _fragment(self, at: int, opening: _Opening) -> Reading | None:
        """An agent and nothing else: a correction, an alternative, or the answer to `for the coding, …`."""
        names = agent_at(self.tokens, at)
        if not names or not at_end(self.tokens, skip_adverbs(self.tokens, at + 1)):
            return None
        end = at + 1
        if len(names) == 2 and not opening.negated:
            return None
        if opening.negated:
            return reading(self.tokens, names, Role.IMPLEMENT, (at,), end, negated=True)
        if self.scene.preamble is not None:
            return reading(
                self.tokens, names, self.scene.preamble.role, (self.scene.preamble.object, at), end
            )
        if opening.hedged or opening.corrects:
            return reading(self.tokens, names, Role.IMPLEMENT, (at,), end)
        return None

    # Vocatives

    def _vocative(self) -> int:
        """`Codex, please build this`: to the host it is no news, to the other one it is a delegation."""
        tokens = self.tokens
        at = 0
        while word_at(tokens, at) in ("hey", "hi", "hello", "ok", "okay", "yo", "dear", "please"):
            at += 1
            while at < len(tokens) and tokens[at].kind == MARK:
                at += 1
        names = agent_at(tokens, at)
        if len(names) != 1 or names == ("other",):
            self._closing_vocative()
            return 0
        after = at + 1
        marked_off = (
            after < len(tokens) and tokens[after].kind == MARK and tokens[after].word in (",", "\u2014", ":")
        )
        after += marked_off
        asked = self._asked(after)
        if not marked_off and asked == after and sum(bool(token.names) for token in tokens) > 1:
            return 0
        found = verb_phrase(tokens, asked, ("base",))
        if found is None or (not marked_off and base_in(word_at(tokens, found.verb), "base") is None):
            return (
                after
                if marked_off and not found and word_at(tokens, after) in ("please", "can", "could")
                else 0
            )
        if found.role is not Role.IMPLEMENT or (
            marked_off and tokens[at + 1].word == ":" and self.scene.labels
        ):
            return 0
        if any(token.names for token in tokens[found.verb :]) and self._has_directive(found.verb):
            return after
        claim = reading(tokens, names, Role.IMPLEMENT, (at, found.verb, found.object), found.end).claims[0]
        self._add_vocative(claim)
        return found.end

    def _asked(self, at: int) -> int:
        tokens = self.tokens
        while True:
            word = word_at(tokens, at)
            if word in ("please", "kindly", "now", "then", "just", "go", "ahead", "and"):
                at += 1
            elif word in ("can", "could", "would", "will", "you") and (
                word == "you" or word_at(tokens, at + 1) == "you"
            ):
                at += 1 if word == "you" else 2
            else:
                return at

    def _has_directive(self, start: int) -> bool:
        """Does a delegation of its own follow the address: `Claude, have Codex implement this`?"""
        scene = Scene()
        found = directive(self.tokens, start, scene)
        return found is not None and any(claim.role is Role.IMPLEMENT for claim in found.claims)

    def _closing_vocative(self) -> None:
        """`Please build this, Codex.`"""
        tokens = self.tokens
        last = len(tokens) - 1
        while last > 0 and word_at(tokens, last) in ("please", "thanks"):
            last -= 1
        if (
            last < 2
            or tokens[last - 1].kind != MARK
            or tokens[last - 1].word != ","
            or len(agent_at(tokens, last)) != 1
        ):
            return
        if sum(bool(token.names) for token in tokens) != 1 or agent_at(tokens, last) == ("other",):
            return
        opening = _open(tokens, 0)
        found = verb_phrase(tokens, opening.at, ("base",))
        if found is None or found.role is not Role.IMPLEMENT or not found.is_plain or opening.negated:
            return
        self._add_vocative(
            reading(
                tokens, agent_at(tokens, last), Role.IMPLEMENT, (found.verb, found.object, last), last
            ).claims[0]
        )

    def _add_vocative(self, claim: Claim) -> None:
        if claim.names[0] != self.host:
            self.claims.append(Claim(claim.names, claim.role, claim.words, vocative=True))


# Openings and questions -------------------------------------------------------------------------------------


def _open(tokens: Tokens, start: int) -> _Opening:
    """Skip what may stand before a directive, and gather what it does to it."""
    at = start
    effects: list[str] = []
    while True:
        if (
            at > start
            and at < len(tokens)
            and tokens[at].kind == MARK
            and tokens[at].word in (",", "\u2014", ":")
        ):
            at += 1
            continue
        found = next(
            (
                (entry, effect)
                for entry, effect in words.OPENERS.get(word_at(tokens, at), ())
                if all(word_at(tokens, at + offset) == word for offset, word in enumerate(entry))
                and _is_opener(tokens, at, entry)
            ),
            None,
        )
        if found is None:
            break
        at += len(found[0])
        effects.append(found[1])
    negated = sum(effect.startswith("neg") for effect in effects) % 2 == 1
    return _Opening(
        at,
        negated=negated,
        gerund=any("gerund" in effect for effect in effects),
        wish="wish" in effects,
        hedged="hedge" in effects,
        corrects="fix" in effects,
    )


_OPEN_IF_WANTING = (("i", "want"), ("i", "need"))


def _is_opener(tokens: Tokens, at: int, entry: tuple[str, ...]) -> bool:
    """Some openers are ordinary words elsewhere."""
    after = at + len(entry)
    if entry in (("no",), ("not",)):
        return (
            entry == ("not",)
            or (after < len(tokens) and tokens[after].kind == MARK)
            or base_in(word_at(tokens, after), "gerund") is not None
        )
    if entry == ("do",):
        return base_in(word_at(tokens, after), "base") is not None
    if entry in _OPEN_IF_WANTING:
        return bool(word_at(tokens, after)) and not agent_at(tokens, after)
    if entry == ("let", "us") or entry == ("lets",):
        return not agent_at(tokens, after)
    if entry in (("rather",), ("try",), ("stop",), ("avoid",)):
        return base_in(word_at(tokens, after), "gerund") is not None or entry == ("rather",)
    if entry == ("i", "am"):
        return base_in(word_at(tokens, after), "gerund") in words.CAUSING | words.USING | words.TRANSFERRING
    return True


_TAGS = frozenset(("ok", "okay", "please", "alright", "pls"))


def _is_question(tokens: Tokens, end: str) -> bool:
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


def _has_tag(tokens: Tokens) -> bool:
    last = [token.word for token in tokens[-4:]]
    return bool(last) and (
        last[-1] in _TAGS
        or last[-2:] in (["will", "you"], ["would", "you"], ["can", "you"], ["could", "you"])
        or "please" in [t.word for t in tokens]
    )
