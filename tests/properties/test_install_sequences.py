"""Any order of install, edit, upgrade, downgrade, uninstall and a kill loses no byte of the user's."""

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from knowzcode_relay.errors import RelayError
from support.installing import Machine, claude_package, codex_package, killed_at, skill
from support.world import build_tree, make_world, tree_digest

_NEW = skill("knowzcode-new")
PACKAGES = [
    (codex_package("1.0.0"), claude_package("1.0.0")),
    (codex_package("1.1.0", knowzcode_new__SKILL=_NEW), claude_package("1.1.0", skills__new__SKILL="new")),
    (codex_package("2.0.0", knowzcode_work__SKILL=None), claude_package("2.0.0", skills__work__SKILL=None)),
]
PLACES = [
    ".codex/skills/knowzcode-work/SKILL.md",
    ".codex/skills/knowzcode-new/SKILL.md",
    ".codex/skills/knowzcode-relay/notes.txt",
    ".claude/skills/knowzcode/skills/work/SKILL.md",
    ".claude/skills/knowzcode/notes.txt",
    ".claude/skills/mine/SKILL.md",
]


class Sequences(RuleBasedStateMachine):
    """The user writes texts that nobody else has, so that a lost one can be told."""

    def __init__(self) -> None:
        super().__init__()
        self.root = Path(tempfile.mkdtemp(prefix="sequences-"))
        self.machine = Machine(make_world(self.root / "world"))
        self.texts: set[bytes] = set()
        self.number = 0

    def teardown(self) -> None:
        shutil.rmtree(self.root, ignore_errors=True)

    @rule(place=st.sampled_from(PLACES))
    def write(self, place: str) -> None:
        path = self.machine.world.home / place
        self._lose(path)
        self.number += 1
        text = f"the user's text {self.number}".encode()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
        self.texts.add(text)

    @rule(place=st.sampled_from(PLACES))
    def delete(self, place: str) -> None:
        path = self.machine.world.home / place
        self._lose(path)
        path.unlink(missing_ok=True)

    @rule(
        version=st.sampled_from(range(len(PACKAGES))),
        verb=st.sampled_from(["install", "upgrade"]),
        replace=st.booleans(),
    )
    def change(self, version: int, verb: str, replace: bool) -> None:
        self._attempt(lambda: self.machine.install(*PACKAGES[version], verb=verb, replace=replace))

    @rule(replace=st.booleans())
    def uninstall(self, replace: bool) -> None:
        self._attempt(lambda: self.machine.uninstall(replace=replace))

    @rule(version=st.sampled_from(range(len(PACKAGES))), step=st.integers(1, 150), replace=st.booleans())
    def killed_install(self, version: int, step: int, replace: bool) -> None:
        killed_at(step, lambda: self.machine.install(*PACKAGES[version], replace=replace))

    @rule(step=st.integers(1, 80), replace=st.booleans())
    def killed_uninstall(self, step: int, replace: bool) -> None:
        killed_at(step, lambda: self.machine.uninstall(replace=replace))

    @precondition(lambda self: self.texts)
    @invariant()
    def no_text_is_lost(self) -> None:
        there = {path.read_bytes() for path in self.machine.world.home.rglob("*") if path.is_file()}
        assert self.texts <= there

    def _lose(self, path: Path) -> None:
        """The user gives up what is there, unless a copy of ours has it too."""
        if path.is_file():
            self.texts.discard(path.read_bytes())

    def _attempt(self, act: Callable[[], Any]) -> None:
        try:
            act()
        except RelayError as refused:
            assert refused.problem in ("place.taken", "install.missing"), refused.message


class Restores(RuleBasedStateMachine):
    """The user edits and deletes only what we installed: after an uninstall the first tree is there again."""

    def __init__(self) -> None:
        super().__init__()
        self.root = Path(tempfile.mkdtemp(prefix="restores-"))
        self.machine = Machine(make_world(self.root / "world"))
        build_tree(
            self.machine.world.home,
            {
                ".codex/skills/knowzcode-work/SKILL.md": "from before",
                ".codex/skills/mine/SKILL.md": skill("mine"),
                ".claude/skills/knowzcode/bin/kc-relay": "from before too",
            },
        )
        (self.machine.codex / "knowzcode-new").mkdir()
        self.first = self._tree()

    def teardown(self) -> None:
        shutil.rmtree(self.root, ignore_errors=True)

    @rule(version=st.sampled_from(range(len(PACKAGES))), replace=st.booleans())
    def change(self, version: int, replace: bool) -> None:
        try:
            self.machine.install(*PACKAGES[version], replace=replace)
        except RelayError as refused:
            assert refused.problem == "place.taken"

    @rule(version=st.sampled_from(range(len(PACKAGES))), step=st.integers(1, 150))
    def killed_install(self, version: int, step: int) -> None:
        killed_at(step, lambda: self.machine.install(*PACKAGES[version], replace=True))

    @rule(step=st.integers(1, 80))
    def killed_uninstall(self, step: int) -> None:
        killed_at(step, lambda: self.machine.uninstall(replace=True))

    @precondition(lambda self: self.settled)
    @rule(number=st.integers(0, 30), delete=st.booleans())
    def edit(self, number: int, delete: bool) -> None:
        ours = [
            Path(install["real"]) / path
            for install in self.machine.manifest()["installs"]
            for path in install["files"]
        ]
        path = ours[number % len(ours)]
        if delete:
            path.unlink(missing_ok=True)
        elif path.parent.is_dir():
            path.write_bytes(path.read_bytes() + b"more" if path.exists() else b"again")

    @rule()
    def uninstall(self) -> None:
        self.machine.uninstall(replace=True)
        assert self._tree() == self.first

    @property
    def settled(self) -> bool:
        """Something is installed and nothing is half done."""
        data = self.machine.data
        return (data / "manifest.json").exists() and not (data / "journal.json").exists()

    def _tree(self) -> dict[str, tuple[int, bytes]]:
        tree = tree_digest(self.machine.world.home)
        return {path: what for path, what in tree.items() if not path.startswith(".local")}


_FEW = settings(
    max_examples=25,
    stateful_step_count=12,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
TestSequences = Sequences.TestCase
TestSequences.settings = _FEW
TestRestores = Restores.TestCase
TestRestores.settings = _FEW
