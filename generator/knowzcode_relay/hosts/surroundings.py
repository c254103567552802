"""The machine as an installer sees it: variables, home, working folder, and our own permanent data folder."""

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import platformdirs

from knowzcode_relay.errors import Exit, RelayError

APPLICATION = "knowzcode-relay"


@dataclass(frozen=True)
class Surroundings:
    """`data` is the folder that holds our manifest, our backups and what a client runs in place."""

    environ: Mapping[str, str]
    home: Path
    cwd: Path
    data: Path

    def folder(self, variable: str, default: Path) -> Path:
        """The folder that `variable` names, made absolute; `default` where it is unset or empty."""
        named = self.environ.get(variable, "")
        return self.cwd / named if named else default

    def setting(self, variable: str, value: str) -> "Surroundings":
        """The same machine with one variable set, or unset where `value` is empty."""
        others = {name: each for name, each in self.environ.items() if name != variable}
        return replace(self, environ={**others, variable: value} if value else others)

    def which(self, program: str) -> Path | None:
        """The executable that a command of this name would start."""
        found = shutil.which(program, path=self.environ.get("PATH", ""))
        return Path(found) if found else None


def here() -> Surroundings:
    """The surroundings of this process; without a home folder RelayError (exit 3)."""
    variable = "HOME" if os.name == "posix" else "USERPROFILE"
    home = os.environ.get(variable, "")
    if not Path(home).is_absolute() or not Path(home).is_dir():
        raise RelayError(
            "home.missing",
            f"{variable} does not name a home folder.",
            exit=Exit.HALT,
            hint=f"Set {variable} to your home folder and run the command again.",
        )
    try:
        cwd = Path.cwd()
    except FileNotFoundError as error:
        raise RelayError(
            "cwd.missing",
            "The working folder no longer exists.",
            exit=Exit.HALT,
            hint="Change to another folder.",
        ) from error
    return Surroundings(
        environ=dict(os.environ),
        home=Path(home),
        cwd=cwd,
        data=platformdirs.user_data_path(APPLICATION, appauthor=False),
    )


def repository(start: Path) -> Path:
    """The work tree that holds `start`, or `start` itself outside of one."""
    for folder in (start, *start.parents):
        if (folder / ".git").exists():
            return folder
    return start
