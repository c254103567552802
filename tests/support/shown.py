"""Every command of ours that a text shows, as the words after the program, with the text's placeholders."""

import re

from relay_runtime.cli import VERBS

RUNTIME = re.compile(r"^(?:kc-relay|python3 \"<dir>/\.\./knowzcode-relay/runtime/relay\.py\") ")
PROGRAM = re.compile(r"^(?:\.venv/bin/)?knowzcode-relay (?=[a-z])")
_BLOCK = re.compile(r"^ *```\w*\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)
_HEREDOC = re.compile(r" <<'(\w+)'$")


def runtime_commands(text: str) -> set[str]:
    """Calls of the runtime, also those that a sentence names without the program."""
    words = {RUNTIME.sub("", line) for line in _lines(text)}
    return {_HEREDOC.sub("", line) for line in words if line.split()[:1] and line.split()[0] in VERBS}


def program_commands(text: str) -> set[str]:
    """Calls of `knowzcode-relay`, comments and pipes cut off."""
    return {
        re.split(r" +#| \| | < ", PROGRAM.sub("", line))[0].strip()
        for line in _lines(text)
        if PROGRAM.match(line)
    }


def _lines(text: str) -> list[str]:
    blocks = [line.strip() for block in _BLOCK.findall(text) for line in block.splitlines()]
    steps = [step.strip() for line in blocks for step in line.split("&&")]
    return [*steps, *re.findall(r"`([^`\n]+)`", _BLOCK.sub("", text))]
