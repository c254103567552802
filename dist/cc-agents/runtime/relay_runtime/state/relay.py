"""A relay as its state file tells it: 24 labelled values and two tables."""

from __future__ import annotations

from dataclasses import dataclass

from relay_runtime.state.values import HOSTS, SELECTORS, SOURCES, TARGETS, TRANSPORTS, State

SCHEMA = 2


@dataclass(frozen=True)
class Checkpoint:
    """A commit of the host: `label` is C0, C1, … or W1, … for work in progress."""

    label: str
    sha: str
    meaning: str


@dataclass(frozen=True)
class RoundRow:
    """One leg of the target or one review of the host. `ended` and `exit` are a dash while there is none."""

    round: int
    leg: str
    started: str
    ended: str
    exit: str
    result: str


@dataclass(frozen=True)
class Relay:
    """None stands for `pending` (of `pid`: `none`). Times are ISO, paths of evidence relative to `cwd`."""

    wgid: str
    host: str
    target: str
    selector: str
    source: str
    state: State
    round: int
    max_fix_rounds: int
    session_id: str | None
    manual_attach: str | None
    target_version: str | None
    transport: str
    model: str
    effort: str
    isolation: str
    branch: str
    cwd: str
    pid: int | None
    log_path: str
    error_path: str
    last_message_path: str
    result_subtype: str | None
    last_output: str | None
    updated: str
    checkpoints: tuple[Checkpoint, ...] = ()
    rounds: tuple[RoundRow, ...] = ()

    def __post_init__(self) -> None:
        """Refuse (ValueError) what no state file may say, whether it was read or is to be written."""
        for label, value, allowed in (
            ("Host", self.host, HOSTS),
            ("Target", self.target, TARGETS),
            ("Selector", self.selector, SELECTORS),
            ("Intent Source", self.source, SOURCES),
            ("Transport", self.transport, TRANSPORTS),
        ):
            if value not in allowed:
                raise ValueError(f"{label} is {value!r}, not one of {', '.join(allowed)}")
        if not 1 <= self.max_fix_rounds <= 3:
            raise ValueError(f"Max Fix Rounds is {self.max_fix_rounds}, not 1 to 3")
        if not 0 <= self.round <= self.max_fix_rounds:
            raise ValueError(f"Round is {self.round}, not 0 to {self.max_fix_rounds}")

    @property
    def to_review(self) -> str:
        """The label of the checkpoint that the present round leads to."""
        return f"C{self.round + 1}"

    def checkpoint(self, label: str) -> str | None:
        """The commit that `label` names, the newest when there are several."""
        return next((row.sha for row in reversed(self.checkpoints) if row.label == label), None)
