"""Whatever text a leg or a person brings, the files of a relay keep their form."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from relay_runtime.gitrepo.run import join_paths, split_paths
from relay_runtime.state.escape import escape, unescape
from relay_runtime.state.relay import Checkpoint, RoundRow
from relay_runtime.state.text import parse, render
from relay_runtime.workgroup import replace_section
from support.relays import a_relay

TEXT = st.text(st.characters(exclude_categories=()))
OWN = b"**Schema:** 2 | **Host:** claude\n**State File:** f\n"
LINE = st.sampled_from(
    [b"## Relay", b"## Next", b"text", b"", b"```", b"~~~", b"**Schema:** 2 | old", b" - x"]
)


@given(TEXT)
def test_escaped_text_is_one_line_and_comes_back(text: str) -> None:
    """REQ STA-15."""
    written = escape(text)
    assert written == written.strip()
    assert len(written.splitlines()) <= 1
    assert unescape(written) == text


@given(TEXT, TEXT, TEXT, st.text(min_size=1))
def test_a_relay_of_arbitrary_strings_comes_back(one: str, two: str, three: str, session: str) -> None:
    """REQ STA-15."""
    relay = a_relay(
        model=one,
        cwd=two,
        session_id=session if session != "pending" else "p",
        checkpoints=(Checkpoint("C0", one, three), Checkpoint("W1", two, one)),
        rounds=(RoundRow(0, one, two, three, one, two), RoundRow(1, three, one, two, three, one)),
    )
    assert parse(render(relay), Path("state.md")) == relay


@given(st.lists(LINE, max_size=12), st.sampled_from([b"\n", b"\r\n"]), st.booleans())
def test_a_second_note_changes_only_our_lines(lines: list[bytes], newline: bytes, ended: bool) -> None:
    """REQ SNP-02: exactly one section, and the update is stable."""
    document = newline.join(lines) + (newline if ended and lines else b"")
    once = replace_section(document, OWN)
    assert replace_section(once, OWN) == once
    assert once.replace(b"\r\n", b"\n").count(OWN) == 1


@given(st.lists(st.binary(min_size=1).filter(lambda path: b"\0" not in path), unique=True))
def test_path_lists_survive_the_trip_to_git_and_back(paths: list[bytes]) -> None:
    """Field report 65."""
    data = b"".join(path + b"\0" for path in paths)
    assert join_paths(split_paths(data)) == data
