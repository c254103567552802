"""Where the files of one relay are. Every name is part of the contract with people who look inside."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from relay_runtime.paths import Project


@dataclass(frozen=True)
class RelayFiles:
    """The folder `knowzcode/workgroups/{wgid}-relay/` and what lies in it; nothing here touches the disk."""

    project: Project
    wgid: str

    @property
    def folder(self) -> Path:
        return self.project.workgroups / f"{self.wgid}-relay"

    @property
    def state(self) -> Path:
        return self.folder / "state.md"

    @property
    def legacy_state(self) -> Path:
        return self.folder / "state-schema1.md"

    @property
    def record(self) -> Path:
        return self.folder / "relay.json"

    @property
    def lock(self) -> Path:
        """One for the whole checkout: two relays must not write in it at once."""
        return self.project.workgroups / ".relay.lock"

    def brief(self) -> Path:
        return self.folder / "brief-r0.md"

    def feedback(self, number: int) -> Path:
        return self.folder / f"feedback-r{number}.md"

    def delta_prompt(self, number: int) -> Path:
        return self.folder / f"delta-prompt-r{number}.md"

    def fix_prompt(self, number: int) -> Path:
        return self.folder / f"fix-prompt-r{number}.md"

    def continue_prompt(self, number: int) -> Path:
        return self.folder / f"continue-prompt-r{number}.md"

    def recovery_prompt(self, number: int) -> Path:
        return self.folder / f"recovery-prompt-r{number}.md"

    def log(self, target: str, number: int) -> Path:
        return self.folder / f"{target}-log-r{number}.jsonl"

    def error(self, target: str, number: int) -> Path:
        return self.folder / f"{target}-err-r{number}.log"

    def last_message(self, target: str, number: int) -> Path:
        return self.folder / f"{target}-last-r{number}.md"

    def exit_marker(self, number: int) -> Path:
        return self.folder / f"exit-r{number}"

    def relative(self, path: Path) -> str:
        """`path` as the state file spells it: from the project's root, with slashes."""
        return path.relative_to(self.project.root).as_posix()


def list_wgids(project: Project) -> tuple[str, ...]:
    """The WorkGroups of this checkout that have a relay folder with a state file, oldest id last."""
    suffix = "-relay"
    found = [
        path.parent.name[: -len(suffix)]
        for path in project.workgroups.glob(f"*{suffix}/state.md")
        if path.is_file()
    ]
    return tuple(sorted(found, key=lambda wgid: wgid[-15:], reverse=True))
