"""Git repositories for tests: made with the real git, in a closed world."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

from relay_runtime.gitrepo.run import Git
from support.world import World, build_tree

IDENTITY = "[user]\n\tname = Test\n\temail = test@example.com\n[init]\n\tdefaultBranch = main\n"


@dataclass(frozen=True)
class Repo:
    """A repository at `root`; `git` is the one under test, `__call__` the test's own."""

    root: Path
    environ: dict[str, str]

    @property
    def git(self) -> Git:
        return Git(self.root, self.environ)

    def __call__(self, *words: str) -> str:
        """Run git and give its output without the last newline."""
        done = subprocess.run(
            ["git", *words], cwd=self.root, env=self.environ, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.rstrip("\n")

    def commit(self, files: dict[str, str | bytes], message: str = "a commit") -> str:
        """Write `files`, commit everything, and give the commit's id."""
        build_tree(self.root, files)
        self("add", "-A")
        self("commit", "-q", "-m", message)
        return self("rev-parse", "HEAD")

    def hook(self, name: str, script: str) -> None:
        path = self.root / ".git" / "hooks" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("#!/bin/sh\n" + script)
        path.chmod(0o755)


def make_repo(world: World, name: str = "repo", *, empty: bool = False) -> Repo:
    """A repository on `main` with one commit, or none when `empty`; git knows who commits."""
    (world.home / ".gitconfig").write_text(IDENTITY)
    root = world.root / name
    root.mkdir()
    repo = Repo(root, world.environ())
    repo("init", "-q")
    if not empty:
        repo.commit({"README.md": "hello\n"})
    return repo
