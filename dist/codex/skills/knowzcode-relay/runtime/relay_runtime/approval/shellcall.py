"""Read a shell command line that is exactly one call of ours; anything else is not read at all.

The grammar is a small part of the shell's, in which sh, bash, dash and zsh agree to the byte:

    line    = name (SP+ word)+ [SP+ "<<" quoted-delimiter] SP* [LF body]
    word    = plain characters, '…' and "…" side by side, free of anything that a shell would expand
    body    = lines of text, then the delimiter alone on the last line

No other shell syntax is known here, so nothing can be approved by being misunderstood.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_PLAIN = r"[A-Za-z0-9_./:,+@%=-]"
_QUOTED = r"'[^']*'|\"[^\"$`\\!]*\""
# zsh replaces a word that begins with = by the path of a program.
_WORD = rf"(?!=)(?:{_PLAIN}|{_QUOTED})+"
_LINE = re.compile(
    rf"(?P<words>[A-Za-z0-9_-]+(?: +{_WORD})+)(?: +<<(?P<quote>['\"])(?P<end>[A-Za-z0-9_]+)(?P=quote))? *"
)
# Clients refuse these in a command, and shells disagree about some; a tab and a line's end are text.
_CONTROL = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f]")
_WORDS = re.compile(_WORD)
_QUOTES = re.compile(_QUOTED)


@dataclass(frozen=True)
class Call:
    """`words` as the program will get them, without its name; `stdin` is the heredoc's body."""

    words: tuple[str, ...]
    stdin: str | None


def parse(command: str, name: str) -> Call | None:
    """The one call of `name` that `command` is, or None."""
    head, _, rest = command.partition("\n")
    # Not printable: controls, every space but the ordinary one, marks without width or of direction.
    if not head.isprintable():
        return None
    line = _LINE.fullmatch(head)
    if line is None:
        return None
    called, *words = (_unquoted(word) for word in _WORDS.findall(line["words"]))
    if called != name:
        return None
    if line["end"] is None:
        return None if rest else Call(tuple(words), None)
    body = _body(rest, line["end"])
    return None if body is None else Call(tuple(words), body)


def _unquoted(word: str) -> str:
    return _QUOTES.sub(lambda quoted: quoted[0][1:-1], word)


def _body(text: str, end: str) -> str | None:
    """The lines before the delimiter, when that closes `text` and no line before could pass for it."""
    lines = text.split("\n")
    if lines[-1] == "" and len(lines) > 1:
        lines.pop()
    if lines.pop() != end or _CONTROL.search(text):
        return None
    if any(_bare(line) == end for line in lines if end in line):
        return None
    return "".join(line + "\n" for line in lines)


def _bare(line: str) -> str:
    """`line` without what some shell might overlook: blanks and invisible characters."""
    return "".join(character for character in line if character.isprintable() and character != " ")
