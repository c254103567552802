"""Installing against the real clients: each lists what it should, and after an uninstall nothing."""

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from knowzcode_relay.errors import RelayError
from knowzcode_relay.hosts import HOSTS
from knowzcode_relay.hosts.surroundings import Surroundings
from knowzcode_relay.install.request import bundled
from knowzcode_relay.install.verify import verify
from knowzcode_relay.package import PLAIN, File, Package
from knowzcode_relay.rehearsal import endpoints
from knowzcode_relay.rehearsal.model_server import ModelServer
from knowzcode_relay.rehearsal.script import Text
from support.clients import client
from support.installing import Machine, skill
from support.run_client import Run, run_client
from support.world import World, build_tree, tree_digest

NAMES = ("continue", "relay", "setup", "status", "work")
ID = "knowzcode@knowzcode-relay"


@pytest.fixture
def machine(world: World) -> Machine:
    """A machine with every client on PATH and a repository."""
    for name in ("claude", "codex", "gemini", "opencode"):
        (world.bin / name).symlink_to(client(name))
    machine = Machine(world)
    subprocess.run(["git", "init", "-q", machine.project], check=True)
    return machine


def run(machine: Machine, *argv: str, **more: str) -> Run:
    return run_client(
        argv, cwd=machine.project, environ=machine.world.environ(**more), logs=machine.world.root / "logs"
    )


def claude_skills(machine: Machine) -> list[str]:
    words = ("--output-format", "stream-json", "--verbose", "--no-session-persistence")
    events = map(json.loads, run(machine, "claude", "-p", "/config", *words).out.splitlines())
    start = next(event for event in events if event.get("subtype") == "init")
    return sorted(name for name in start["skills"] if "knowzcode" in name)


def codex_skills(machine: Machine) -> list[str]:
    listing = run(machine, "codex", "debug", "prompt-input", "hi").out
    return [name for name in NAMES if f"- knowzcode-{name}: " in listing]


def others_listing_us(machine: Machine) -> list[str]:
    """Of the clients that must have none, those that mention one. User scope and a trusted project."""
    gemini = run(machine, "gemini", "skills", "list", "--all", GEMINI_CLI_TRUST_WORKSPACE="true").out
    assert "skill-creator" in gemini
    opencode = run(machine, "opencode", "debug", "skill").out
    assert json.loads(opencode)
    return [name for name, out in (("gemini", gemini), ("opencode", opencode)) if "knowzcode" in out]


def packages(version: str = "", **more: str) -> list[Package]:
    """The real packages; with a version, changed as another version would be."""
    real = bundled(tuple(HOSTS)).values()
    if not version:
        return list(real)
    extra = tuple(File(path, text.encode(), PLAIN) for path, text in more.items())
    return [replace(each, version=version, files=tuple(sorted((*each.files, *extra)))) for each in real]


def traces(machine: Machine) -> list[str]:
    """The files of Claude Code's side that still name us. Its own backups and transcripts are the user's."""
    config = machine.world.home / ".claude"
    kept = {config / "backups", config / "projects"}
    return [
        str(path)
        for path in config.rglob("*")
        if not kept & {*path.parents}
        and ("knowzcode" in path.name or (path.is_file() and b"knowzcode" in path.read_bytes()))
    ]


def codex_side(machine: Machine) -> dict[str, tuple[int, bytes]]:
    """Codex's folder without what it names at random in every run, or makes in some runs only."""
    tree = tree_digest(machine.world.home / ".codex")
    return {path: what for path, what in tree.items() if path.split("/")[0] not in ("tmp", "shell_snapshots")}


@pytest.mark.client("claude", "codex", "gemini", "opencode")
def test_each_host_lists_its_skills_and_nobody_else_does_and_uninstall_ends_it(machine: Machine) -> None:
    """REQ PKG-05, PKG-07, PKG-08."""
    machine.install(*packages())

    assert claude_skills(machine) == [f"knowzcode:{name}" for name in NAMES]
    assert codex_skills(machine) == list(NAMES)
    assert others_listing_us(machine) == []
    assert verify(("claude", "codex"), True, machine.project, machine.around).differences == ()

    machine.uninstall()

    assert claude_skills(machine) == []
    assert codex_skills(machine) == []
    assert others_listing_us(machine) == []
    assert traces(machine) == []
    assert not machine.data.exists()


@pytest.mark.client("codex")
def test_the_codex_side_of_the_home_is_that_of_the_bare_client(machine: Machine, tmp_path: Path) -> None:
    """REQ PKG-07: byte for byte, the client's own random id apart."""
    (machine.world.bin / "claude").unlink()
    bare = Machine(replace(machine.world, root=tmp_path / "bare"))
    (bare.world.home / ".codex").mkdir(parents=True)
    (bare.world.root / "tmp").mkdir()
    bare.world.bin.symlink_to(machine.world.bin)
    subprocess.run(["git", "init", "-q", bare.project], check=True)
    codex_skills(bare)

    machine.install(*packages())
    codex_skills(machine)
    machine.upgrade(*packages("9.9.9"))
    machine.uninstall()

    ours, theirs = (codex_side(each) for each in (machine, bare))
    assert ours.keys() == theirs.keys()
    assert {path for path in ours if ours[path] != theirs[path]} <= {"installation_id"}
    assert not (machine.world.home / ".claude").exists()


@pytest.mark.client("claude", "codex")
def test_nothing_of_ours_is_left_after_a_whole_life(machine: Machine) -> None:
    """Installed as a drop-in, moved, upgraded, used, downgraded, installed again, uninstalled."""
    claude = machine.world.bin / "claude"
    claude.rename(machine.world.root / "claude")
    machine.install(*packages("0.0.1"))
    claude.symlink_to(client("claude"))
    assert claude_skills(machine) == [f"knowzcode:{name}" for name in NAMES]

    machine.upgrade(*packages("9.9.9", **{"skills/knowzcode-new/SKILL.md": skill("knowzcode-new")}))
    assert not machine.drop_in.exists()
    assert "knowzcode:knowzcode-new" in claude_skills(machine)
    with ModelServer([Text("Done.")]) as server:
        endpoint = endpoints.claude(server.url)
        run(machine, "claude", "-p", *endpoint.arguments, "/knowzcode:relay x", **endpoint.environ)

    machine.upgrade(*packages())
    machine.install(*packages())
    assert claude_skills(machine) == [f"knowzcode:{name}" for name in NAMES]
    assert codex_skills(machine) == list(NAMES)
    machine.uninstall()

    assert claude_skills(machine) == []
    assert codex_skills(machine) == []
    assert traces(machine) == []


@pytest.mark.client("claude")
def test_a_plugin_and_a_marketplace_of_our_names_are_displaced_and_given_back(machine: Machine) -> None:
    """REQ PKG-07: the client repoints a marketplace without a word; we ask first."""
    ours = next(each for each in packages() if each.host == "claude")
    for marketplace in ("knowzcode-relay", "team"):
        folder = machine.world.root / marketplace
        entry = {"name": "knowzcode", "source": "./knowzcode", "description": "d"}
        manifest = {"name": marketplace, "owner": {"name": "x"}, "description": "d", "plugins": [entry]}
        build_tree(
            folder,
            {
                ".claude-plugin/marketplace.json": json.dumps(manifest),
                "knowzcode/.claude-plugin/plugin.json": json.dumps({"name": "knowzcode", "version": "1.0.0"}),
                f"knowzcode/skills/{marketplace}/SKILL.md": skill(marketplace),
            },
        )
        assert run(machine, "claude", "plugin", "marketplace", "add", str(folder)).code == 0
        assert run(machine, "claude", "plugin", "install", f"knowzcode@{marketplace}").code == 0
    before, files = claude_skills(machine), tree_digest(machine.world.home)

    with pytest.raises(RelayError) as caught:
        machine.install(ours)
    assert len(caught.value.data["conflicts"]) == 2  # type: ignore[arg-type]
    assert tree_digest(machine.world.home) == files

    machine.install(ours, replace=True)
    assert claude_skills(machine) == [f"knowzcode:{name}" for name in NAMES]

    machine.uninstall()
    assert claude_skills(machine) == before


@pytest.mark.client("gemini")
@pytest.mark.parametrize(
    "place", ["home/.gemini", "home/.agents", "home/.gemini/extensions/e", "project/.agents"]
)
def test_verify_asks_gemini_without_touching_the_users_home(machine: Machine, place: str) -> None:
    """REQ PKG-05: what the client itself lists is found, and it writes into a home of its own."""
    build_tree(
        machine.world.root,
        {
            f"{place}/skills/x/SKILL.md": skill("knowzcode-relay"),
            **(
                {f"{place}/gemini-extension.json": '{"name": "e", "version": "1.0.0"}'}
                if "ext" in place
                else {}
            ),
        },
    )
    before = tree_digest(machine.world.home)

    found = verify(("claude", "codex"), False, machine.project, machine.around)

    assert found.gemini_asked
    assert {each.path for each in found.differences} >= {
        "knowzcode-relay",
        str(machine.world.root / place / "skills/x/SKILL.md"),
    }
    assert tree_digest(machine.world.home) == before


def test_surroundings_are_the_worlds(machine: Machine) -> None:
    """What these tests install with is what the program itself would find."""
    assert isinstance(machine.around, Surroundings)
    assert machine.around.which("claude") == machine.world.bin / "claude"
