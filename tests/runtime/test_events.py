"""Reading a growing JSONL log by byte offset."""

import json
import tracemalloc
from pathlib import Path

import pytest

from relay_runtime.attempts.events import LINE_LIMIT, Event, LogReader


def line(number: int) -> bytes:
    return json.dumps({"n": number}).encode() + b"\n"


def numbers(events: object) -> list[object]:
    return [event["n"] for event in events]  # type: ignore[attr-defined]


def test_a_log_that_does_not_exist_yet_has_no_news(tmp_path: Path) -> None:
    assert list(LogReader(tmp_path / "log").rest()) == []


def test_each_event_is_given_once_while_the_log_grows(tmp_path: Path) -> None:
    log = tmp_path / "log"
    reader = LogReader(log)
    log.write_bytes(line(1) + line(2)[:4])
    assert numbers(reader.news()) == [1]
    with log.open("ab") as handle:
        handle.write(line(2)[4:] + line(3))
    assert numbers(reader.news()) == [2, 3]
    assert numbers(reader.news()) == []
    assert reader.offset == log.stat().st_size


def test_another_reader_goes_on_where_the_first_stood(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_bytes(line(1) + line(2) + b'{"n":')
    first = LogReader(log)
    assert numbers(first.news()) == [1, 2]
    with log.open("ab") as handle:
        handle.write(b"3}\n")
    assert numbers(LogReader(log, first.offset).news()) == [3]


def test_junk_is_counted_and_harms_nothing(tmp_path: Path) -> None:
    """REQ PRG-11, field reports 8 and 37: BOM, colours, CRLF, blank lines, bad bytes, other JSON."""
    log = tmp_path / "log"
    log.write_bytes(
        b"\xef\xbb\xbf"
        + line(1).rstrip()
        + b"\r\n\r\n\n"
        + b"\x1b[33mwarning: something\x1b[0m\n"
        + b"\x1b[32m"
        + line(2).rstrip()
        + b"\x1b[0m\r\n"
        + b"[1, 2]\n42\n"
        + b'{"n": "\xff\xfe"}\n'
        + b"{" * 100_000
        + b"\n"
        + line(3)
        + b'{"n": 4'
    )
    reader = LogReader(log)
    assert numbers(reader.rest()) == [1, 2, "\ufffd\ufffd", 3]
    assert reader.junk == 5


def test_a_last_line_without_its_newline_counts_when_it_is_whole(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_bytes(line(1) + line(2).rstrip())
    reader = LogReader(log)
    assert numbers(reader.news()) == [1]
    assert numbers(reader.rest()) == [2]
    assert reader.offset == log.stat().st_size


def test_a_line_of_five_megabytes_is_read(tmp_path: Path) -> None:
    """Field report 36."""
    log = tmp_path / "log"
    log.write_bytes(line(1) + json.dumps({"n": 2, "text": "x" * 5_000_000}).encode() + b"\n" + line(3))
    assert numbers(LogReader(log).news()) == [1, 2, 3]


def test_a_line_beyond_every_bound_is_skipped_in_flat_memory(tmp_path: Path) -> None:
    """Field report 36: memory is bounded whatever the target writes."""
    log = tmp_path / "log"
    with log.open("wb") as handle:
        handle.write(line(1) + b'{"n": "')
        for _ in range(4):
            handle.write(b"x" * LINE_LIMIT)
        handle.write(b'"}\n' + line(3))
    reader = LogReader(log)
    tracemalloc.start()
    try:
        assert numbers(reader.news()) == [1, 3]
        assert tracemalloc.get_traced_memory()[1] < 2.5 * LINE_LIMIT
    finally:
        tracemalloc.stop()
    assert reader.junk == 1
    assert reader.offset == log.stat().st_size


def test_a_line_that_needs_no_reading_is_given_as_its_short_form(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_bytes(b'{"kind":"piece","text":"' + b"x" * 1000 + b'"}\n' + line(2))
    short: Event = {"n": "piece"}
    assert numbers(LogReader(log, brief={b'{"kind":"piece"': short}).news()) == ["piece", 2]


@pytest.mark.parametrize("content", [b"", b"\n", b"\r\n"])
def test_an_empty_log_is_no_junk(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "log").write_bytes(content)
    reader = LogReader(tmp_path / "log")
    assert list(reader.rest()) == []
    assert reader.junk == 0
