"""Whatever is approved is one call of ours in every shell, with the words and the input that we read."""

import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from relay_runtime.answer import Next
from relay_runtime.approval.shellcall import Call, parse
from support.approvals import ALLOWED, SILENT
from support.observed import Observed, calls, place

SHELLS = [shell for shell in ("sh", "bash", "dash", "zsh") if shutil.which(shell)]

# What an attack or a slip is made of, thick enough that a hole in the grammar would be found.
PIECES = [
    *("kc-relay", "status", "resolve", "--json", "--file", "a", "x=1", "touch PWNED", "EOF", "é", "-", "--"),
    *(" ", "  ", "\t", "\n", "\r", "\\", "\u00a0", "\u200b", "'", '"', "`", "$", "$(", ")", "(", "{", "}"),
    *(";", "&", "|", "<", ">", "<<", "<<<", "<<'EOF'", '<<"EOF"', "<<EOF", "\nEOF", "\nEOF\n", "#", "!", "~"),
    *("*", "?", "[", "]", "=", "%", "@", "^", ",", ":", "+", "/", ".", "0", "1", "'a b'", '"c;d"', "''"),
]
LOOSE = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
PLAIN = st.text(st.sampled_from("abcXYZ019_./:,+@%=-"), min_size=1, max_size=8)
PRINTABLE = st.characters(min_codepoint=32, max_codepoint=0x2FFF, exclude_categories=("Cs", "Cn"))
QUOTED = st.text(PRINTABLE, max_size=12).map(lambda text: "'" + text.replace("'", "") + "'")
DOUBLE = st.text(PRINTABLE, max_size=12).map(lambda text: '"' + text + '"')
WORD = st.lists(st.one_of(PLAIN, QUOTED, DOUBLE), min_size=1, max_size=3).map("".join)
BODY = st.lists(st.one_of(st.text(PRINTABLE, max_size=20), st.sampled_from(PIECES)), max_size=6).map(
    "\n".join
)
HEREDOC = st.tuples(st.sampled_from(["'EOF'", '"EOF"']), BODY).map(lambda h: f" <<{h[0]}\n{h[1]}\nEOF")
SHAPED = st.tuples(
    st.lists(WORD, min_size=1, max_size=4), st.one_of(st.just(""), HEREDOC), st.sampled_from(["", " ", "\n"])
).map(lambda made: f"kc-relay {' '.join(made[0])}{made[1]}{made[2]}")
LINES = st.one_of(SHAPED, st.tuples(SHAPED, LOOSE).map("".join), LOOSE.map(lambda more: f"kc-relay {more}"))


def run(shell: str, command: str) -> tuple[list[Observed], list[str]]:
    """The calls that `command` made in an empty folder where nothing but recording programs is on PATH, and
    the files that it left."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        observers = place(folder / "bin", "touch", "ls", "tee", "cat", "env", "sh", "true")
        (empty := folder / "empty").mkdir()
        subprocess.run(
            [str(shutil.which(shell)), "-c", command],
            cwd=empty,
            env={"PATH": str(observers), "OBSERVED": str(folder / "log"), "HOME": str(empty)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=30,
        )
        return calls(folder / "log"), sorted(path.name for path in empty.iterdir())


def check(command: str) -> None:
    call = parse(command, "kc-relay")
    assert call is not None
    expected = [Observed("kc-relay", call.words, call.stdin or "")]
    for shell in SHELLS:
        assert run(shell, command) == (expected, []), shell


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(LINES)
@example("kc-relay a <<'EOF'\n$(touch PWNED)\n\\\nEOF\n")
def test_an_approved_line_is_one_call_in_every_shell(command: str) -> None:
    """REQ NL-13: words and input arrive as they were read, and nothing else happens."""
    assume(parse(command, "kc-relay") is not None)
    check(command)


@pytest.mark.parametrize("name", ALLOWED)
def test_every_approved_line_of_the_table_is_one_call(name: str) -> None:
    """Field report 3: no PWNED file, the text unchanged."""
    check(ALLOWED[name])


@given(st.lists(st.text(PRINTABLE, max_size=12), max_size=4))
def test_what_next_prints_is_read_back(words: list[str]) -> None:
    """`next:` quotes every word that a shell would act on; the host copies the line and the hook knows it."""
    assume(all(word.isprintable() and not word.startswith("=") for word in words))
    line = Next(argv=("kc-relay", "status", *words)).as_text()
    assert parse(line.removeprefix("next: "), "kc-relay") == Call(("status", *words), None)


@pytest.mark.parametrize("name", ["a semicolon", "a command substitution", "a heredoc that expands"])
def test_the_observers_see_what_a_silent_line_would_do(name: str) -> None:
    """The check above can fail: these lines start something else."""
    seen, _ = run("sh", SILENT[name])
    assert [call.name for call in seen] != ["kc-relay"]
