"""Ask the installed runtime whether both targets are ready. What it finds never fails an install."""

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from knowzcode_relay.hosts.client import run
from knowzcode_relay.hosts.settings import table
from knowzcode_relay.hosts.surroundings import Surroundings


@dataclass(frozen=True)
class Target:
    """`status` is the runtime's word for it; `remedy` what to do, or empty; `notes` what else it found."""

    status: str
    version: str
    remedy: str
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Readiness:
    """Each target by name. `problem` says why there is no answer."""

    targets: Mapping[str, Target] = field(default_factory=dict[str, Target])
    problem: str = ""

    def version_of(self, target: str) -> str:
        """The version of a target's client, or nothing."""
        return self.targets[target].version if target in self.targets else ""

    def lines(self) -> tuple[str, ...]:
        """One line per target and one per remedy, for a person."""
        if self.problem:
            return (f"readiness: unknown; {self.problem}",)
        out: list[str] = []
        for name, target in self.targets.items():
            out.append(" ".join(("target", name, target.status, target.version)).strip())
            out += [f"  {each}" for each in (*target.notes, target.remedy) if each]
        return tuple(out)

    def as_data(self) -> dict[str, object]:
        return {
            name: {
                "status": each.status,
                "version": each.version or None,
                "remedy": each.remedy,
                "notes": list(each.notes),
            }
            for name, each in self.targets.items()
        }


def ask(runtime: Path, project: Path, around: Surroundings) -> Readiness:
    """Run `detect` of the runtime at this path. It is bounded by itself and once more here."""
    answer = run([sys.executable, "-I", "-S", runtime, "detect", "--json"], env=around.environ, cwd=project)
    try:
        targets = table(json.loads(answer.out)["data"]["targets"])
    except (ValueError, KeyError, TypeError):
        return Readiness(problem=f"{runtime} did not say: {answer.last_words}")
    return Readiness({name: _target(table(entry)) for name, entry in targets.items()})


def _target(entry: Mapping[str, object]) -> Target:
    notes = entry.get("notes")
    found = cast("list[object]", notes) if isinstance(notes, list) else []
    return Target(
        status=str(entry.get("status", "unknown")),
        version=str(entry.get("version") or ""),
        remedy=str(entry.get("remediation") or ""),
        notes=tuple(str(table(each).get("text", "")) for each in found),
    )
