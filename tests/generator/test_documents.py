"""Blocks in documents: filled between their marks, and nothing else of the document is touched."""

import pytest

from knowzcode_relay.errors import RelayError
from knowzcode_relay.render.documents import fill

BLOCKS = {"rules": "one\ntwo\n"}


def test_a_block_is_filled_and_the_rest_is_kept() -> None:
    text = "# Title\n<!-- rules:begin -->\nold\n<!-- rules:end -->\nrest\n"

    filled = fill("README.md", text, BLOCKS)

    assert filled == "# Title\n<!-- rules:begin -->\none\ntwo\n<!-- rules:end -->\nrest\n"
    assert fill("README.md", filled, BLOCKS) == filled


@pytest.mark.parametrize(
    "text",
    [
        "no marks\n",
        "<!-- rules:begin -->\n",
        "<!-- rules:end -->\n<!-- rules:begin -->\n",
        "<!-- rules:begin -->\n<!-- rules:end -->\n" * 2,
    ],
)
def test_marks_that_do_not_fit_are_refused(text: str) -> None:
    with pytest.raises(RelayError, match=r"README\.md has not one <!-- rules:begin -->"):
        fill("README.md", text, BLOCKS)
