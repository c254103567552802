"""Promises of job headers and blocks that hold for any text."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from relay_runtime.adapters.job import Mode
from relay_runtime.jobs.block import Block, Ended
from relay_runtime.jobs.header import KEYS, HeaderError, parse, split
from support.jobs import LINES

_VALUES = st.one_of(
    st.text(max_size=20),
    st.sampled_from(["codex", "kimi", "write", "yolo", "read-only", "on", "off", "/srv/a", "gpt-5", "k3"]),
)
_LINES = st.tuples(st.sampled_from([*KEYS, "Mode", "x"]), st.sampled_from([":", ": ", " : ", ""]), _VALUES)
_HEADERS = st.lists(_LINES.map("".join), max_size=6).map("\n".join)


@given(st.one_of(st.binary(max_size=80), _HEADERS.map(str.encode)))
def test_any_header_has_a_meaning_or_one_sentence(header: bytes) -> None:
    """REQ JHD-19, JBL-10: nothing else is raised, and the sentence cannot break a line."""
    try:
        found = parse(header)
    except HeaderError as refused:
        assert refused.sentence.isprintable()
        return
    assert all(value.isprintable() for value in (found.model, found.effort, found.cd, *found.add_dirs))
    assert found.mode is not Mode.YOLO or b"yolo" in header


@given(st.binary(max_size=60), st.binary(max_size=200))
def test_the_task_comes_out_byte_for_byte(header: bytes, task: bytes) -> None:
    """REQ JHD-20: whatever it holds, behind the first line of dashes."""
    above, found = split(b"mode: write\n" + header.replace(b"-", b"") + b"\n---\n" + task)
    assert found == task
    assert above.startswith(b"mode: write\n")


@given(error=st.text(max_size=80), thread=st.text(max_size=20), note=st.text(max_size=40), word=st.text())
def test_no_value_begins_a_line_of_the_block(error: str, thread: str, note: str, word: str) -> None:
    """REQ JBL-10: the lines are the listed ones, whatever others said."""
    block = Block(
        state=Ended.FAILED,
        job="a",
        backend=word,
        model=word,
        effort=word,
        mode=word,
        seconds=1,
        report=Path("/state/jobs/a/report.md"),
        error=error,
        thread=thread,
        notes=(note,),
    )
    lines = block.as_bytes().decode().splitlines()
    more = ["error"] * bool(error) + ["automatic-resume"] * bool(thread) + ["note"]
    assert [line.partition(": ")[0] for line in lines] == [*LINES, *more]
