"""Promises about arbitrary configuration files."""

import re

import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from relay_runtime.config import Flags, effective, selector
from relay_runtime.config.document import decode, parse
from relay_runtime.config.keys import READ, TARGETS
from relay_runtime.config.persist import with_selector
from relay_runtime.config.scalars import ScalarError, read_scalar
from relay_runtime.errors import RelayError

NAME = "knowzcode/knowzcode_orchestration.md"

KEYS = st.sampled_from([*sorted(READ), "relay_x", "other", "- relay", '"relay"'])
VALUES = st.sampled_from(
    ["", "none", "other", "codex", "~", '"codex"', "'codex'", "2", "9" * 30, "[x", "&a", "a: b", "# x", "|"]
) | st.text(max_size=8)
LINES = st.one_of(
    st.builds("{}{}:{}{}".format, st.sampled_from(["", "  ", "    ", "\t"]), KEYS, st.just(" "), VALUES),
    st.sampled_from(
        ["```yaml", "```", "~~~yaml", "~~~", "````", "```bash", "  ```yml", "<!--", "-->", "", "---", "text"]
    ),
    st.text(max_size=12),
)
NEWLINES = st.sampled_from(["\n", "\r\n", "\r"])


@st.composite
def documents(draw: st.DrawFn) -> bytes:
    bom = draw(st.sampled_from(["", "\ufeff"]))
    text = draw(NEWLINES).join(draw(st.lists(LINES, max_size=14)))
    end = draw(st.sampled_from(["", "\n", "\r\n"]))
    return (bom + text + end).encode("utf-8", "surrogatepass")


BYTES = st.one_of(documents(), st.binary(max_size=80))


@given(BYTES)
def test_reading_gives_settings_or_a_refusal(data: bytes) -> None:
    """REQ CFG-26, CFG-29: no file makes us crash, and every refusal names the file."""
    try:
        document = parse(decode(data, NAME), NAME)
    except RelayError as error:
        assert NAME in error.message
        return
    for ask in (lambda: selector(document), *(lambda t=t: effective(document, t, Flags()) for t in TARGETS)):
        try:
            ask()
        except RelayError as error:
            assert error.message.startswith((NAME, "[RELAY-TRANSPORT]"))


@given(BYTES, st.sampled_from(["other", "none"]))
@example(b"relay:\n", "other")
@example(b"```yaml\n```", "other")
@example(b"<!--", "other")
def test_persisting_keeps_all_other_bytes(data: bytes, word: str) -> None:
    """REQ RES-21, field report 84: take our words out again and the old bytes are there."""
    try:
        before = parse(decode(data, NAME), NAME)
        after = with_selector(data, word, NAME)
    except RelayError:
        return
    assert selector(parse(decode(after, NAME), NAME)) == word
    assert with_selector(after, word, NAME) == after
    old = before.entries.get("relay")
    if old is not None and old.value == word:
        assert after == data
        return
    if old is None:
        assert _without_one_piece(after, data, f"relay: {word}".encode())
        return
    text = decode(data, NAME)
    places = [each for each in (old, *before.repeated) if each.key == "relay"]
    kept = _cut(text, [(each.start, each.end) for each in places])
    now = parse(decode(after, NAME), NAME)
    new_places = [now.entries["relay"], *(each for each in now.repeated if each.key == "relay")]
    spans = [(each.start - (each.start > 0 and old.value is None), each.end) for each in new_places]
    assert _cut(decode(after, NAME), spans).replace(" ", "") == kept.replace(" ", "")


@given(st.text(alphabet=st.sampled_from(list("ab1-?:,[]{}#&*!|>'\"%@`~\\ nulx0/é.")), max_size=12))
def test_a_value_that_is_read_means_what_yaml_says(text: str) -> None:
    """REQ CFG-27: whatever we accept, a full YAML parser reads the same; the rest is refused, not guessed."""
    line = "key: " + text
    try:
        value = read_scalar(line, len("key:")).value
    except ScalarError:
        return
    expected = yaml.load(line, Loader=yaml.BaseLoader)["key"]  # noqa: S506  strings only
    if value is None:
        assert expected in ("", "~", "null")
    else:
        assert value == expected


YAML_LINES = st.sampled_from(
    [
        "a: 1",
        "b: [x,",
        "  y]",
        "c: |",
        "  text",
        "- d",
        "e:",
        "  f: 2",
        "  - g",
        "# h",
        "",
        "---",
        "...",
        '"i": j',
    ]
)


@given(st.lists(YAML_LINES, max_size=7), st.sampled_from(["", "  "]), st.sampled_from(["other", "none"]))
@example(["- d"], "", "other")
@example(["a: 1", "...", ""], "", "other")
def test_a_block_that_was_yaml_is_yaml_with_one_key_more(lines: list[str], indent: str, word: str) -> None:
    """REQ RES-21: KnowzCode reads the same blocks with a YAML parser of its own."""
    block = "".join(f"{indent}{line}\n" for line in lines)
    try:
        before = yaml.safe_load(block)
    except yaml.YAMLError:
        return
    after = decode(with_selector(f"```yaml\n{block}```\n".encode(), word, NAME), NAME)
    first, *more = [yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", after, re.DOTALL)]
    if more:
        assert (first, more) == (before, [{"relay": word}])
    else:
        assert first == {**(before or {}), "relay": word}


def _cut(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in sorted(spans, reverse=True):
        text = text[:start] + text[end:]
    return text


def _without_one_piece(after: bytes, before: bytes, needle: bytes) -> bool:
    """Whether `after` is `before` with one piece put in that holds `needle`."""
    start = next((i for i in range(len(before)) if after[i] != before[i]), len(before))
    grown = len(after) - len(before)
    for at in range(start + 1):
        piece = after[at : at + grown]
        if after[:at] + after[at + grown :] == before and needle in piece:
            return True
    return False
