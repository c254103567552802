"""docs/relay-files.md names every label and key that the runtime writes."""

import dataclasses
from pathlib import Path

from relay_runtime.state.record import Attempt, Pending, Record
from relay_runtime.state.text import CHECKPOINT_COLUMNS, LABELS, ROUND_COLUMNS

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "relay-files.md"


def test_every_label_column_and_key_is_documented() -> None:
    words = [
        "Schema",
        *(label for label, _ in LABELS),
        *CHECKPOINT_COLUMNS,
        *ROUND_COLUMNS,
        *(field.name for kind in (Record, Attempt, Pending) for field in dataclasses.fields(kind)),
    ]
    text = DOCUMENT.read_text("utf-8")
    assert [word for word in words if f"`{word}`" not in text] == []
