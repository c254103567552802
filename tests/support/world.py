"""A closed world for one test: its own home, its own temporary folder, its own PATH."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

SYSTEM_PATH = os.pathsep.join(("/usr/bin", "/bin"))

# What a user's shell, a coding agent around us or CI may have set and no test may see.
_KEPT = ("LANG", "LC_ALL", "TZ", "CI")


@dataclass(frozen=True)
class World:
    """`home` is empty at first; `bin` stands first on PATH and is empty too."""

    root: Path
    variables: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def bin(self) -> Path:
        return self.root / "bin"

    def environ(self, **more: str) -> dict[str, str]:
        """A child's whole environment. TMPDIR lies apart from the home, as Codex's sandbox wants it."""
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        home = str(self.home)
        own = {
            "HOME": home,
            "CODEX_HOME": f"{home}/.codex",
            "CLAUDE_CONFIG_DIR": f"{home}/.claude",
            "XDG_CONFIG_HOME": f"{home}/.config",
            "XDG_DATA_HOME": f"{home}/.local/share",
            "XDG_STATE_HOME": f"{home}/.local/state",
            "XDG_CACHE_HOME": f"{home}/.cache",
            "TMPDIR": str(self.root / "tmp"),
            "PATH": os.pathsep.join((str(self.bin), SYSTEM_PATH)),
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        }
        return {**kept, **own, **self.variables, **more}


def make_world(root: Path) -> World:
    """Create the folders of a World below `root`."""
    world = World(root)
    for folder in (world.home, world.bin, root / "tmp", world.home / ".codex"):
        folder.mkdir(parents=True)
    return world


def build_tree(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write `files` (relative path -> content) below `root` and give `root`."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def tree_digest(root: Path) -> dict[str, tuple[int, bytes]]:
    """Every path below `root` with its mode and bytes (a link's target), to compare before and after."""
    found: dict[str, tuple[int, bytes]] = {}
    for path in sorted(root.rglob("*")):
        name = str(path.relative_to(root))
        if path.is_symlink():
            found[name] = (0, str(path.readlink()).encode())
        elif path.is_file():
            found[name] = (path.stat().st_mode & 0o777, path.read_bytes())
        else:
            found[name] = (path.stat().st_mode & 0o777, b"")
    return found
