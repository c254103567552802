"""One table of exit codes: both halves and the document agree."""

import re
from pathlib import Path

import knowzcode_relay.errors
import relay_runtime.errors

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "exit-codes.md"


def test_both_halves_have_the_same_codes() -> None:
    """The generator's table equals the runtime's."""
    generator = {item.name: item.value for item in knowzcode_relay.errors.Exit}
    runtime = {item.name: item.value for item in relay_runtime.errors.Exit}
    assert runtime == generator


def test_the_document_lists_every_code() -> None:
    """REQ DOC-02: the table in docs/exit-codes.md is the code's."""
    rows = re.findall(r"^\| (\d+) \| `([A-Z]+)` \|", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)
    assert {item.name: item.value for item in relay_runtime.errors.Exit} == {
        name: int(code) for code, name in rows
    }
