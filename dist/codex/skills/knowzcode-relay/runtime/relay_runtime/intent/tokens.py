"""From a masked text to sentences of tokens.

A token is a word (contractions taken apart), something opaque (a quotation, a path, an identifier, a
number), or a mark. Marks that end a sentence do not become tokens; the sentence remembers which it was.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from relay_runtime.intent.masking import MASK
from relay_runtime.intent.words import NAMES, VERBS, word_set

WORD = "word"
OPAQUE = "opaque"
MARK = "mark"


class Token:
    """`word` is lower case and mended, `raw` as written; `names` are the agents that it mentions, if any."""

    __slots__ = ("kind", "names", "raw", "word")

    def __init__(self, kind: str, word: str, raw: str, names: tuple[str, ...] = ()) -> None:
        self.kind = kind
        self.word = word
        self.raw = raw
        self.names = names


Tokens = Sequence[Token]


class Sentence(NamedTuple):
    """`end` is the mark that ended it, empty at a line break. `is_item` is true of a list item or heading."""

    tokens: tuple[Token, ...]
    end: str
    is_item: bool = False


# Long runs without any mark are cut: nobody writes such a sentence, and the reading is bounded.
LONGEST = 160

# Compiled when used, and most words need none of them.
_CHUNK = r"\S+|\n+"
_PIECE = (
    r"--+|[-\u2013\u2014]+>?|=>|\u2192|\.\.+|\u2026|[,;:!?|=()\[\]{}]"
    r"|[^\s,;:!?|=()\[\]{}\u2013\u2014\u2192\u2026]+"
)
_ITEM = r"(?:[-*+\u2022]|\d{1,3}[.)]|#{1,6}|\[[ xX]?\])$"
_ENDS = frozenset(".!?;")
_DASHES = frozenset(("--", "-", "\u2013", "\u2014", "...", "\u2026", "---"))
_ARROWS = frozenset(("->", "=>", "\u2192", "-->", "\u2013>", "\u2014>"))
_ABBREVIATIONS = frozenset(("e.g", "i.e", "etc", "vs", "cf", "approx", "incl", "resp", "no", "fig"))
_WRAP_WIDTH = 50
_FIRST_EAST_ASIAN = "\u2e80"
_CONTRACTIONS = {
    "n't": "not",
    "'ll": "will",
    "'d": "would",
    "'ve": "have",
    "'re": "are",
    "'m": "am",
}
_WHOLE = {
    "won't": ("will", "not"),
    "can't": ("can", "not"),
    "cannot": ("can", "not"),
    "shan't": ("shall", "not"),
    "ain't": ("is", "not"),
    "let's": ("let", "us"),
    "it's": ("it", "is"),
    "that's": ("that", "is"),
    "isn't": ("is", "not"),
    "dont": ("do", "not"),
    "doesnt": ("does", "not"),
    "shouldnt": ("should", "not"),
    "isnt": ("is", "not"),
    "wont": ("will", "not"),
    "cant": ("can", "not"),
    "didnt": ("did", "not"),
    "mustnt": ("must", "not"),
    "wouldnt": ("would", "not"),
    "lemme": ("let", "me"),
    "pls": ("please",),
    "plz": ("please",),
    "u": ("you",),
    "ur": ("your",),
    "im": ("i", "am"),
    "gonna": ("going", "to"),
    "wanna": ("want", "to"),
    "id": ("id",),
    "plan's": ("plan", "is"),
    "one's": ("one", "is"),
    "here's": ("here", "is"),
    "what's": ("what", "is"),
    "who's": ("who", "is"),
    "there's": ("there", "is"),
}


def sentences(masked: str) -> list[Sentence]:
    """Cut a masked text into sentences, in order."""
    return _Cutter(masked.replace("\u2019", "'").replace("\u00a0", " ")).run()


class _Cutter:
    def __init__(self, text: str) -> None:
        self.text = text
        self.done: list[Sentence] = []
        self.tokens: list[Token] = []
        self.is_item = False
        self.line_start = 0

    def run(self) -> list[Sentence]:
        fresh_line = True
        for found in re.finditer(_CHUNK, self.text):
            chunk = found[0]
            if chunk[0] == "\n":
                self._line_break(found)
                fresh_line = True
                continue
            if (fresh_line or self._numbers(chunk)) and re.match(_ITEM, chunk):
                self._end("")
                self.is_item = True
                continue
            fresh_line = False
            self._chunk(chunk.strip('*_"\u201c\u201d').lstrip("'"))
        self._end("")
        return self.done

    def _numbers(self, chunk: str) -> bool:
        """`1) plan 2) build`: items on one line; not the end of `(see section 2)`."""
        return chunk[0].isdigit() and chunk[-1] == ")" and all(token.word != "(" for token in self.tokens)

    def _line_break(self, found: re.Match[str]) -> None:
        """A single break inside a wrapped sentence is a space; any other one ends the sentence."""
        width = found.start() - self.line_start
        self.line_start = found.end()
        following = self.text[found.end() : found.end() + 1]
        if len(found[0]) == 1 and following.isalpha() and self.tokens and self.tokens[-1].kind == WORD:
            last = self.tokens[-1].word
            begins = re.compile(_FIRST_WORD).match(self.text, found.end())
            directive = begins is not None and begins[0].lower() in _DIRECTIVE_STARTS
            labels = begins is not None and self.text[begins.end() : begins.end() + 1] == ":"
            labelled = len(self.tokens) > 1 and self.tokens[-2].word == ":" and last in NAMES
            if labels or labelled:
                pass  # "Implementation: Claude" is a line of its own
            elif last in _OPEN_ENDS or last in NAMES or (width >= _WRAP_WIDTH and not directive):
                return
        self._end("")

    def _end(self, mark: str) -> None:
        if self.tokens:
            self.done.append(Sentence(tuple(self.tokens), mark, self.is_item))
            self.tokens = []
        elif mark and self.done and not self.done[-1].end:
            last = self.done[-1]
            self.done[-1] = Sentence(last.tokens, mark, last.is_item)
        self.is_item = False

    def _chunk(self, chunk: str) -> None:
        """One run of non-space characters: a word with its marks, or something opaque."""
        if not chunk:
            return
        core = chunk.rstrip(".,;:!?")
        lower = core.lower()
        if _is_plain(core) and core[0] < _FIRST_EAST_ASIAN:
            self._word(core)
            self._marks(chunk[len(core) :], lower)
        elif chunk[0] >= _FIRST_EAST_ASIAN:
            self.tokens.append(Token(MARK, ",", chunk))
        elif MASK in chunk or _is_opaque(core):
            self.tokens.append(Token(OPAQUE, "", ""))
            self._marks(chunk[len(core) :] if MASK not in core else chunk[chunk.rindex(MASK) + 1 :], lower)
        else:
            for piece in re.findall(_PIECE, chunk):
                self._piece(piece)
        if len(self.tokens) > LONGEST:
            self._end("")

    def _piece(self, piece: str) -> None:
        core = piece.rstrip(".").strip('*_~"')
        if _is_plain(core) or (core.startswith("@") and core[1:].lower() in NAMES):
            self._word(core.lstrip("@"))
            self._marks(piece[len(core) :] if piece.endswith(".") else "", core.lower())
        elif piece in _ENDS:
            self._end(piece)
        elif piece in _DASHES:
            self.tokens.append(Token(MARK, "\u2014", piece))
        elif piece in _ARROWS:
            self.tokens.append(Token(MARK, ":", piece))
        elif len(piece) == 1 and not piece.isalnum():
            if piece == "&":
                self.tokens.append(Token(WORD, "&", "&"))
            elif piece in ",:|=()":
                self.tokens.append(Token(MARK, {"|": ":", "=": ":"}.get(piece, piece), piece))
        elif "-" in core and all(part.isalpha() for part in core.split("-")):
            self._hyphened(core)
        elif "/" in core and _are_alternatives(core.lower().split("/")):
            for index, part in enumerate(core.split("/")):
                if index:
                    self.tokens.append(Token(WORD, "/", "/"))
                self._word(part)
        else:
            self.tokens.append(Token(OPAQUE, "", ""))
            if piece.endswith("."):
                self._end(".")

    def _marks(self, marks: str, before: str) -> None:
        if marks == "." and before in _ABBREVIATIONS:
            return
        if marks.startswith(".."):
            self.tokens.append(Token(MARK, "\u2014", marks))
            return
        for mark in marks:
            if mark in _ENDS:
                self._end("?" if "?" in marks else mark)
                return
            if mark in ",:)":
                self.tokens.append(Token(MARK, mark, mark))

    def _word(self, raw: str) -> None:
        lower = raw.lower().rstrip("'")
        whole = _WHOLE.get(lower)
        if whole is not None:
            self._spread(raw, whole)
            return
        if "'" in lower:
            for ending, word in _CONTRACTIONS.items():
                if lower.endswith(ending):
                    self._spread(raw, (lower[: -len(ending)], word))
                    return
            if lower.endswith("'s"):
                self._spread(raw[:-2], (lower[:-2],))
                self.tokens.append(Token(WORD, "'s", ""))
                return
        self.tokens.append(Token(WORD, lower, raw))

    def _hyphened(self, core: str) -> None:
        """`claude-code` and `hand-off` are their words; a longer compound is a name for something."""
        lower = core.lower()
        if lower in _SPLIT_COMPOUNDS:
            parts = core.split("-")
            for part in parts:
                self._word(part)
        else:
            self.tokens.append(Token(OPAQUE, "", ""))

    def _spread(self, raw: str, words: tuple[str, ...]) -> None:
        for index, word in enumerate(words):
            self.tokens.append(Token(WORD, word, "" if index else raw))


def _is_plain(core: str) -> bool:
    """A word of letters and apostrophes, or `2A`."""
    if core.isalpha() or core in ("2A", "2a"):
        return True
    return "'" in core and all(part.isalpha() for part in core.rstrip("'").split("'"))


def _are_alternatives(parts: list[str]) -> bool:
    """`Claude/Codex` and `implement/test` are words; `src/codex` is a path."""
    named = [part in NAMES for part in parts]
    return all(named) or (not any(named) and all(part in VERBS or part in ("and", "or") for part in parts))


def _is_opaque(core: str) -> bool:
    """Paths, addresses, identifiers, flags, versions: never a mention of anybody."""
    return core.startswith(("--", "/", "\\", "$", "#", "./", "~")) or "://" in core or "_" in core.strip("_")


_SPLIT_COMPOUNDS = word_set(
    "claude-code codex-cli claude-cli hand-off counter-part co-dex openai-codex end-to-end"
)
_FIRST_WORD = r"[A-Za-z]+"
_DIRECTIVE_STARTS = word_set("have let use get ask hand send please claude codex delegate do never")
_OPEN_ENDS = word_set(
    "the a an to of for by with and or have let get ask use that this other from into on in should will "
    "must can please your our my is be not do write implement build code hand send pass"
)
