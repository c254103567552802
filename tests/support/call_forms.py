"""The commands that a skill's text shows, filled in as the text says."""

import re
from textwrap import dedent

_FENCED = re.compile(r"^( *)```\n(.*?)\n\1```$", re.DOTALL | re.MULTILINE)
_PLACEHOLDER = re.compile(r"^<the whole request.*>$", re.MULTILINE)
_HEREDOC = re.compile(r"<<'(\w+)'")


def call_forms(skill: str) -> list[str]:
    """The fenced blocks of `skill` that call the runtime."""
    blocks = [dedent(block[2]) for block in _FENCED.finditer(skill)]
    return [block for block in blocks if block.startswith(("kc-relay ", "python3 "))]


def request_form(skill: str) -> str:
    """The one form of `skill` that takes the user's request."""
    (form,) = [form for form in call_forms(skill) if _PLACEHOLDER.search(form)]
    return form


def fill(form: str, text: str) -> str:
    """`form` with the user's `text`, under another delimiter where the text has the form's own as a line."""
    filled = _PLACEHOLDER.sub(lambda _: text, form)
    delimiter = _HEREDOC.search(form)
    if delimiter is None or delimiter[1] not in map(str.strip, text.split("\n")):
        return filled
    lines = filled.split("\n")
    other = delimiter[1] + "_2"
    return "\n".join([lines[0].replace(delimiter[1], other), *lines[1:-1], other])
