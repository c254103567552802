"""Where the clauses of a sentence begin, and what each of them says."""

from __future__ import annotations

from relay_runtime.intent import words
from relay_runtime.intent.addresses import addressed
from relay_runtime.intent.claims import Claim, Reading, Scene, marked, reading
from relay_runtime.intent.cursor import agent_at, at_end, names_at, skip_adverbs, word_at
from relay_runtime.intent.directives import directive, refusal
from relay_runtime.intent.nouns import Thing, noun_phrase
from relay_runtime.intent.openers import Opening, is_question, open_clause
from relay_runtime.intent.roles import Role, complement, role_of, verb_phrase
from relay_runtime.intent.tokens import MARK, Token
from relay_runtime.intent.words import base_in

_BEFORE_A_DETERMINER = words.PREPOSITIONS | words.VERBS.keys()  # where "that" begins no clause
_FREE_RELATIVES = frozenset(("what", "whatever", "everything", "that", "which"))
_BEFORE_WORK = words.DETERMINERS | words.THIS
_CALLING = words.CAUSING | words.USING
_MAKING_NOTHING = words.ADVISING - {"document"}


_DOUBTING = frozenset(("or", "maybe", "perhaps", "hmm", "hm"))


_SHOWN = frozenset(("example", "sample", "phrase", "sentence", "text", "headline", "prompt"))


_FREE, _RELATIVE, _DEEP = range(3)


class Walk:
    """Goes through one sentence and reads a form wherever a clause may begin."""

    def __init__(self, tokens: list[Token], end: str, scene: Scene, *, said_before: bool) -> None:
        self.said_before = said_before
        self.tokens = tokens
        self.end = end
        self.scene = scene
        self.claims: list[Claim] = []
        self.depth = _FREE
        self.leading = False  # inside a subordinate clause or phrase that the sentence begins with
        self.is_directive = False
        self.is_writing = False  # "document the relay: …"
        self.resumes = -1  # where a phrase that the sentence begins with is over
        self.described = False  # "in our product, …": what follows tells how things are

    def run(self) -> list[Claim]:
        tokens = self.tokens
        if not tokens:
            return []
        address = addressed(tokens, labels=self.scene.labels)
        self.claims += address.claims
        first = index = address.end
        question = is_question(tokens[first:], self.end)
        fresh = True
        while index < len(tokens):
            if fresh and (not question or word_at(tokens, index) in _DOUBTING):
                end = self._clause(index)
                if end is not None:
                    index = max(end, index + 1)
                    fresh = False
                    continue
            if index == first:
                self._begin(index)
            fresh = self._step(index, question)
            index += 1
        if question:
            return [claim for claim in map(self._doubted, self.claims) if claim.hedged or claim.vocative]
        return self.claims

    def _doubted(self, claim: Claim) -> Claim:
        """`Hmm, Claude?` corrects nothing, and with nothing before it an alternative is only a question."""
        in_doubt = self.said_before and (claim.hedged or claim.corrects)
        return claim._replace(hedged=in_doubt, corrects=False)

    def _begin(self, index: int) -> None:
        word = word_at(self.tokens, index)
        as_whom = complement(self.tokens, index + 1) if word == "as" else None
        if as_whom is not None and as_whom.role is Role.IMPLEMENT:
            self.scene.preamble, self.leading = as_whom, True
        elif word in ("once", "when", "after", "as", "if", "before", "until", "while", "since", "whenever"):
            self.leading, self.depth = True, _RELATIVE
        elif word in words.PREPOSITIONS or word in ("this", "today"):
            self.leading = True
            role = role_of(self.tokens, index + 1, index) if word in ("for", "on", "as", "in") else None
            self.scene.preamble = role
            named_work = role is not None and role.role is not Role.NONE and role.is_plain
            self.resumes = role.end if role is not None and word != "as" else -1
            self.described = word == "in" and (word_at(self.tokens, index + 1) == "it" or not named_work)

    def _step(self, index: int, question: bool) -> bool:
        """Pass one token; is the next one the beginning of a clause?"""
        token = self.tokens[index]
        if token.kind == MARK:
            return self._mark(index, question)
        word = token.word
        if word in words.CLAUSE_WORDS:
            before = self.tokens[index - 1] if index else token
            if word in ("while", "whereas") and index and not self.claims:
                self.depth = max(self.depth, _RELATIVE)  # "show a spinner while Codex writes the code"
                return False
            if word == "so" and before.kind != MARK and self._enables(index + 1):
                self.depth = max(self.depth, _RELATIVE)  # "add an action so Codex can implement issues"
                return False
            if before.kind == MARK or word in ("but", "then", "so"):
                self.depth = _FREE if self.depth == _RELATIVE or before.kind == MARK else self.depth
            return not question
        if index and word in words.EMBEDDERS and not (word == "as" and self.leading):
            interrogative = word in ("how", "whether", "what")
            if word != "that" or word_at(self.tokens, index - 1) not in _BEFORE_A_DETERMINER:
                self.depth = _DEEP if interrogative else max(self.depth, _RELATIVE)
        elif (
            word == "to"
            and word_at(self.tokens, index - 1) in words.MAKERS
            and base_in(word_at(self.tokens, index + 1), "base")
        ):
            self.depth = _DEEP
        if self.depth == _FREE and word_at(self.tokens, index + 1) in ("with", "via", "using", "through"):
            return not question and bool(agent_at(self.tokens, index + 2)) and word not in words.PREPOSITIONS
        if (
            self.depth == _FREE
            and word_at(self.tokens, index + 1) == "without"
            and self.scene.main is not None
        ):
            return not question and self.scene.main.role is Role.IMPLEMENT
        if index + 1 == self.resumes and not self.described:
            return not question  # "for this ticket Codex writes the code"
        return self.leading and not question and self._calls_for(index + 1)

    def _mark(self, index: int, question: bool) -> bool:
        token = self.tokens[index]
        if token.word in (":", "\u2014") or (token.word == "," and self.leading):
            # "Implement the state machine: …" and "Document the relay: …" go on with subject matter.
            spelled_out = token.word == ":" and (self._makes_something() or self.is_writing)
            self.depth = _RELATIVE if self.described or spelled_out else _FREE
            if token.word == ":" and word_at(self.tokens, index - 1) in _SHOWN:
                self.depth = _DEEP
            self.leading = False
        return not question

    def _enables(self, index: int) -> bool:
        states = any(token.word in words.BE | words.MODALS for token in self.tokens[: index - 1])
        asks = word_at(self.tokens, 1) in words.DETERMINERS and not states  # "expose a setting so …"
        return (
            (asks or self.scene.documents or self.scene.main is not None)
            and bool(agent_at(self.tokens, index))
            and word_at(self.tokens, index + 1) in ("can", "could", "may")
        )

    def _makes_something(self) -> bool:
        """Not `do it like this: …`, `split the work: …`."""
        work = self.scene.main
        if work is None:
            return False
        own = work.is_plain and base_in(word_at(self.tokens, work.verb), "base") in words.WORKING
        return not own

    def _calls_for(self, index: int) -> bool:
        """`once the plan is approved have Codex …`: no comma, but unmistakable."""
        base = base_in(word_at(self.tokens, index), "base")
        before, after = word_at(self.tokens, index - 1), word_at(self.tokens, index + 1)
        if base in (None, "like") or before == "to" or before in words.DETERMINERS:
            return False
        if base in words.TRANSFERRING and after in _BEFORE_WORK:
            return True
        return base in _CALLING and bool(agent_at(self.tokens, index + 1))

    def _clause(self, start: int) -> int | None:
        """Read what begins at `start`; its end, or None where nothing of ours begins."""
        opening = open_clause(self.tokens, start)
        at = opening.at
        if at >= len(self.tokens):
            return None
        scene = self.scene
        scene.negated, scene.gerund, scene.wish = opening.negated, opening.gerund, opening.wish
        scene.hedged = opening.hedged
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
        instead = skip_adverbs(self.tokens, found.end)
        replaces = any(word_at(self.tokens, place) == "instead" for place in range(at, instead))
        found = marked(found, hedged=opening.hedged, corrects=opening.corrects or replaces)
        self.claims += found.claims
        self.claims += self._reviewed(found)
        return found.end

    def _reviewed(self, found: Reading) -> list[Claim]:
        """`Claude reviews what Codex builds`: the object says who implements."""
        at = found.end + (not agent_at(self.tokens, found.end))
        named = agent_at(self.tokens, at)
        advising = any(claim.role is Role.ADVISE and claim.names != named for claim in found.claims)
        if not (advising and named and (at == found.end or word_at(self.tokens, at - 1) in _FREE_RELATIVES)):
            return []
        work = verb_phrase(self.tokens, at + 1, ("third",))
        if (
            work is None
            or base_in(word_at(self.tokens, at + 1), "third") not in words.IMPLEMENTING | words.BUILDING
        ):
            return []
        return list(reading(self.tokens, named, Role.IMPLEMENT, (at, at + 1), at + 2).claims)

    def _is_imperative(self, at: int) -> bool:
        word = word_at(self.tokens, at)
        return base_in(word, "base") is not None and not self.tokens[at].names

    def _remember(self, at: int) -> None:
        """An imperative of another kind: `it` in a later clause may mean what it makes."""
        base = base_in(word_at(self.tokens, at), "base")
        if base is None or self.depth != _FREE:
            return
        self.is_writing = base in words.WRITING
        if base in words.DOING:
            self.is_directive = True
            self.scene.main = verb_phrase(self.tokens, at, ("base",))
        elif base in words.ADVISING:
            self.scene.main = None  # "implement it with Claude, review it with Codex"
        made = noun_phrase(self.tokens, at + 1)
        own_work = made is not None and made.thing in (Thing.IMPLEMENTATION, Thing.THIS)
        if base not in _MAKING_NOTHING and not own_work:
            self.scene.documents = True

    def _fragment(self, at: int, opening: Opening) -> Reading | None:
        """An agent and nothing else: a correction, an alternative, or the answer to `for the coding, …`."""
        if (opening.hedged or opening.corrects) and word_at(self.tokens, at) in ("to", "with", "by"):
            at += 1  # "give it to Claude, or to Codex"
        names = names_at(self.tokens, at) if opening.hedged else agent_at(self.tokens, at)
        after = skip_adverbs(self.tokens, at + 1)
        if not names or not (at_end(self.tokens, after) or word_at(self.tokens, after) == "if"):
            return None
        end = at + 1
        if len(names) == 2 and not opening.negated:
            return None
        if opening.negated and word_at(self.tokens, at - 1) == "never":
            return None
        if opening.negated:
            return reading(self.tokens, names, Role.IMPLEMENT, (at,), end, negated=True)
        if opening.hedged and not (self.claims or self.said_before):
            return None
        if self.scene.preamble is not None:
            return reading(
                self.tokens, names, self.scene.preamble.role, (self.scene.preamble.object, at), end
            )
        if opening.hedged or opening.corrects:
            return reading(self.tokens, names, Role.IMPLEMENT, (at,), end)
        return None
