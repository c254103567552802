"""What the forms share: the tokens around them and what earlier clauses left behind."""

from __future__ import annotations

from dataclasses import dataclass

from relay_runtime.intent.cursor import word_at
from relay_runtime.intent.roles import VerbPhrase
from relay_runtime.intent.tokens import Tokens
from relay_runtime.intent.verbs import base_in


@dataclass
class Scene:
    """What the clauses read so far leave behind for the next one."""

    negated: bool = False
    wish: bool = False
    gerund: bool = False
    elliptic: bool = False  # "have Claude plan and Codex implement": the second verb needs no "have"
    labels: bool = False  # "Codex: plan" was read, so "Claude: implement" is one too
    role: VerbPhrase | None = None  # what a pro-verb ("Codex does") repeats
    main: VerbPhrase | None = None  # the work that a plain imperative of this sentence asks for
    preamble: VerbPhrase | None = None  # "for the coding, …"
    antecedent: tuple[str, ...] = ()  # whom "it" or "them" means
    documents: bool = False  # an earlier clause made something that "it" may mean instead


def verb_here(tokens: Tokens, start: int, among: frozenset[str], scene: Scene) -> str | None:
    """The verb at `start` if it is one of these in the form that the opening calls for."""
    word = word_at(tokens, start)
    base = base_in(word, "gerund") if scene.gerund else base_in(word, "base")
    if base is None and scene.wish:
        base = base_in(word, "past")
    if base is None and word == "like":
        base = "like"
    return base if base in among else None
