"""What the forms share: the tokens around them and what earlier clauses left behind."""

from __future__ import annotations

from relay_runtime.intent.cursor import word_at
from relay_runtime.intent.roles import VerbPhrase
from relay_runtime.intent.tokens import Tokens
from relay_runtime.intent.verbs import base_in


class Scene:
    """What the clauses read so far leave behind for the next one."""

    def __init__(
        self, antecedent: tuple[str, ...] = (), labels: bool = False, role: VerbPhrase | None = None
    ) -> None:
        self.antecedent = antecedent  # whom "it" or "them" means
        self.labels = labels  # "Codex: plan" was read, so "Claude: implement" is one too
        self.role = role  # what a pro-verb ("Codex does") repeats
        self.negated = self.wish = self.gerund = False  # what opens the clause
        self.elliptic = False  # "have Claude plan and Codex implement": the second verb needs no "have"
        self.documents = False  # an earlier clause made something that "it" may mean instead
        self.main: VerbPhrase | None = None  # the work that a plain imperative of this sentence asks for
        self.preamble: VerbPhrase | None = None  # "for the coding, …"


def verb_here(tokens: Tokens, start: int, among: frozenset[str], scene: Scene) -> str | None:
    """The verb at `start` if it is one of these in the form that the opening calls for."""
    word = word_at(tokens, start)
    base = base_in(word, "gerund") if scene.gerund else base_in(word, "base")
    if base is None and scene.wish:
        base = base_in(word, "past")
    if base is None and word == "like":
        base = "like"
    return base if base in among else None
