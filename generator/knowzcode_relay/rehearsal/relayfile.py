"""What a relay's state file says, for evidence and checks."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

_VALUE = re.compile(r"^\*\*(?P<label>[^*]+):\*\* (?P<value>.*)$", re.MULTILINE)
_CHECKPOINT = re.compile(r"^\| (?P<label>[CW]\d+) \| (?P<id>[0-9a-f]{40,64}) \|", re.MULTILINE)


@dataclass(frozen=True)
class RelayFile:
    """`folder` holds the relay's artifacts; `checkpoints` are label -> commit. Empty while there is none."""

    wgid: str = ""
    folder: Path = Path()
    values: Mapping[str, str] = field(default_factory=dict[str, str])
    checkpoints: Mapping[str, str] = field(default_factory=dict[str, str])

    def __getitem__(self, label: str) -> str:
        return self.values.get(label, "")

    def summary(self) -> str:
        """State, round, session and commits in one line; empty while there is no relay."""
        if not self.values:
            return ""
        commits = " ".join(f"{label}={commit[:12]}" for label, commit in self.checkpoints.items())
        return (
            f"{self['State']}, round {self['Round']}, session {self['Session ID']}, {commits or 'no commit'}"
        )

    def as_data(self) -> dict[str, object]:
        return {
            "wgid": self.wgid,
            "state": self["State"],
            "round": self["Round"],
            "session_id": self["Session ID"],
            "checkpoints": dict(self.checkpoints),
        }


def read(repository: Path) -> RelayFile:
    """The one relay of `repository`."""
    for path in sorted((repository / "knowzcode" / "workgroups").glob("*-relay/state.md")):
        text = path.read_text("utf-8", "replace")
        return RelayFile(
            wgid=path.parent.name.removesuffix("-relay"),
            folder=path.parent,
            values={found["label"]: found["value"] for found in _VALUE.finditer(text)},
            checkpoints={found["label"]: found["id"] for found in _CHECKPOINT.finditer(text)},
        )
    return RelayFile()
