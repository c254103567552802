"""verify, status and doctor: what they find, and that they change nothing."""

import json
from pathlib import Path
from typing import Any

import pytest

from knowzcode_relay.install.doctor import Finding, Level, diagnose
from knowzcode_relay.install.status import Status, status
from knowzcode_relay.install.verify import Verified, verify
from support.installing import Machine, claude_package, codex_package, kill_when, skill
from support.world import World, build_tree, tree_digest

BOTH = ("claude", "codex")
ID = "knowzcode@knowzcode-relay"


@pytest.fixture
def machine(world: World) -> Machine:
    machine = Machine(world).with_claude()
    machine.install(claude_package(), codex_package())
    return machine


def check(machine: Machine, *names: str) -> Verified:
    return verify(names or BOTH, bool(names), machine.project, machine.around)


def problems(machine: Machine) -> list[tuple[str, str]]:
    return [(each.path, each.problem) for each in check(machine).differences]


def look(machine: Machine, version: str = "1.0.0") -> Status:
    packages = {"claude": claude_package(version), "codex": codex_package(version)}
    return status(BOTH, packages, machine.project, machine.around)


def states(machine: Machine, version: str = "1.0.0") -> dict[str, str]:
    return {each.install.site.platform: each.state for each in look(machine, version).standings}


def findings(machine: Machine) -> list[Finding]:
    return list(diagnose(look(machine), machine.around))


def rewrite(path: Path, **changes: Any) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def test_what_was_just_installed_has_no_difference_and_looking_changes_nothing(machine: Machine) -> None:
    before = tree_digest(machine.world.home)

    assert check(machine, *BOTH).differences == ()
    assert states(machine) == {"claude": "current", "codex": "current"}
    findings(machine)

    assert tree_digest(machine.world.home) == before


@pytest.mark.parametrize("name", ["codex", "claude"])
def test_one_changed_byte_in_any_file_is_found(machine: Machine, name: str) -> None:
    """REQ PKG-04: the installed mirrors too."""
    root = machine.codex if name == "codex" else machine.plugin.parent
    for path in [path for path in root.rglob("*") if path.is_file()]:
        data = path.read_bytes()
        path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
        assert (str(path), "changed") in problems(machine)
        path.write_bytes(data)
    assert problems(machine) == []


def test_a_missing_file_a_mode_and_a_link_are_found(machine: Machine) -> None:
    (machine.codex / "knowzcode-work/SKILL.md").unlink()
    (machine.plugin / "bin/kc-relay").chmod(0o644)
    (machine.plugin / "skills").rename(machine.world.root / "skills")
    (machine.plugin / "skills").symlink_to(machine.world.root / "skills")

    found = dict(problems(machine))

    assert found[str(machine.codex / "knowzcode-work/SKILL.md")] == "missing"
    assert found[str(machine.plugin / "bin/kc-relay")] == "mode 644, written 755"
    assert found[str(machine.plugin / "skills/work/SKILL.md")] == "behind a link or a file"


def test_packages_that_do_not_mirror_each_other_are_found(machine: Machine) -> None:
    """REQ PKG-04."""
    machine.upgrade(codex_package("1.0.0", knowzcode_relay__runtime__more="x"))

    found = [problem for _, problem in problems(machine)]

    assert "runtime/more is not the same in every package" in found


def test_a_mirrored_file_with_other_bytes_is_found(machine: Machine) -> None:
    """REQ PKG-04."""
    machine.upgrade(codex_package("1.0.0", **{"knowzcode-work/references/relay-execution.md": "# Another\n"}))

    ((places, problem),) = problems(machine)

    assert problem == "work/references/relay-execution.md is not the same in every package"
    assert str(machine.plugin) in places


def test_versions_that_differ_are_found(machine: Machine) -> None:
    """REQ PKG-11."""
    machine.upgrade(codex_package("2.0.0"))
    assert problems(machine) == [("", "the installed versions differ: claude 1.0.0, codex 2.0.0")]


def test_a_platform_that_was_named_and_is_not_installed_is_found(machine: Machine) -> None:
    machine.uninstall("codex")
    assert [each.problem for each in check(machine, "codex").differences] == ["not installed"]
    assert check(machine).differences == ()


@pytest.mark.parametrize(
    "place",
    [
        "home/.gemini/skills/{}/SKILL.md",
        "home/.agents/skills/{}/SKILL.md",
        "home/.gemini/extensions/some/skills/{}/SKILL.md",
        "project/.gemini/skills/{}/SKILL.md",
        "project/.agents/skills/{}/SKILL.md",
    ],
)
def test_a_relay_skill_anywhere_that_gemini_reads_is_found(machine: Machine, place: str) -> None:
    """REQ PKG-05: by its folder, by its declared name, and by what it calls."""
    harmless = place.format("work")
    build_tree(machine.world.root, {harmless: skill("work", "Our status, nothing more.")})
    assert problems(machine) == []

    for folder, text in (
        ("knowzcode-relay", skill("x")),
        ("x", skill("knowzcode-work")),
        ("y", skill("y", "Run `kc-relay start`.")),
        ("z", skill("z", "python3 ../knowzcode-relay/runtime/relay.py resolve")),
    ):
        path = machine.world.root / place.format(folder)
        build_tree(machine.world.root, {place.format(folder): text})
        assert (str(path), "a relay skill or text that Gemini reads") in problems(machine)
        path.unlink()


@pytest.mark.parametrize(
    "place",
    [
        "home/.gemini/commands/kc/go.toml",
        "home/.gemini/extensions/some/commands/go.toml",
        "project/.gemini/commands/go.toml",
    ],
)
def test_a_command_that_calls_the_runtime_is_found(machine: Machine, place: str) -> None:
    """REQ PKG-05: implicit relay text."""
    build_tree(machine.world.root, {place: 'prompt = "Run kc-relay resolve"\n'})
    assert problems(machine) == [(str(machine.world.root / place), "a relay skill or text that Gemini reads")]


def test_the_folder_that_gemini_uses_instead_of_the_home_is_looked_at(machine: Machine) -> None:
    """REQ PKG-05."""
    moved = Machine(machine.world, {"GEMINI_CLI_HOME": str(machine.world.root / "g")})
    build_tree(machine.world.root, {"g/.gemini/skills/knowzcode-relay/SKILL.md": skill("x")})
    assert len(problems(moved)) == 1


def test_status_names_what_drifted(machine: Machine) -> None:
    (machine.codex / "knowzcode-work/SKILL.md").write_text("mine")
    (machine.plugin / "skills/work/SKILL.md").unlink()

    assert states(machine) == {"claude": "user-deleted", "codex": "edited"}
    codex = look(machine).standings[1]
    assert [each.path for each in codex.drift] == ["knowzcode-work/SKILL.md"]
    assert codex.runtime == machine.codex / "knowzcode-relay/runtime/relay.py"


def test_status_of_another_version_is_stale(machine: Machine) -> None:
    assert states(machine, "2.0.0") == {"claude": "stale", "codex": "stale"}


def test_status_reads_the_registration_back(machine: Machine) -> None:
    settings = machine.world.home / ".claude/settings.json"
    rewrite(settings, enabledPlugins={ID: False})
    assert states(machine)["claude"] == "disabled"
    assert (str(machine.plugin), "disabled in the client's settings") in problems(machine)

    (machine.world.home / ".claude/plugins/known_marketplaces.json").write_text("{}")
    rewrite(settings, extraKnownMarketplaces={})
    assert states(machine)["claude"] == "unregistered"


def test_status_says_that_a_change_was_interrupted_and_leaves_it(machine: Machine) -> None:
    kill_when(
        lambda: machine.upgrade(claude_package("2.0.0"), codex_package("2.0.0")),
        lambda: (machine.plugin / "version.txt").read_text() == "2.0.0",
    )
    before = tree_digest(machine.world.home)

    assert look(machine).interrupted == "upgrade"
    assert set(states(machine).values()) == {"interrupted"}
    assert any(each.problem.startswith("an interrupted upgrade") for each in check(machine).differences)
    assert tree_digest(machine.world.home) == before


def test_status_survives_malformed_files_of_the_client(machine: Machine) -> None:
    path = machine.world.home / ".claude/settings.json"
    path.write_text("{,}")

    assert states(machine)["claude"] == "unregistered"
    assert any(str(path) in sentence for sentence in look(machine).shadows)


def test_shadowing_copies_are_told(machine: Machine) -> None:
    """Field report 80: which copy a host would load."""
    build_tree(
        machine.world.root,
        {
            "home/.agents/skills/knowzcode-relay/SKILL.md": skill("knowzcode-relay"),
            "project/.codex/skills/knowzcode-relay/SKILL.md": skill("knowzcode-relay"),
            "home/.codex/skills/copy/SKILL.md": skill("knowzcode-relay"),
            "home/.claude/skills/old/.claude-plugin/plugin.json": '{"name": "knowzcode"}',
            "project/.claude/settings.local.json": json.dumps({"enabledPlugins": {ID: False}}),
        },
    )

    told = " ".join(look(machine).shadows)

    for place in (
        machine.world.home / ".agents/skills/knowzcode-relay",
        machine.project / ".codex/skills",
        machine.codex / "copy/SKILL.md",
        machine.world.home / ".claude/skills/old/.claude-plugin/plugin.json",
        machine.project / ".claude/settings.local.json",
    ):
        assert str(place) in told
    assert f"claude loads {machine.plugin}, version 1.0.0, current" in [
        each.text for each in findings(machine)
    ]


def test_readiness_comes_from_the_installed_runtime(machine: Machine) -> None:
    assert look(machine).readiness.lines() == ("target codex ready 1.2.3",)

    (machine.plugin / "runtime/relay.py").write_text("raise SystemExit('broken')")
    assert "broken" in look(machine).readiness.problem


def test_doctor_gives_every_problem_a_remedy(world: World) -> None:
    machine = Machine(world, {"PATH": str(world.bin), "KNOWZCODE_RELAY_DEPTH": "1"})
    machine.install(codex_package())

    bad = [each for each in findings(machine) if each.level is Level.PROBLEM]

    assert {each.subject for each in bad} >= {"python3", "git", "nesting"}
    assert all(each.remedy for each in bad)


def test_doctor_names_a_python_that_is_too_old_for_the_runtime(machine: Machine) -> None:
    old = machine.world.bin / "python3"
    old.write_text("#!/bin/sh\necho Python 3.8.1\n")
    old.chmod(0o755)

    (found,) = (each for each in findings(machine) if each.subject == "python3")

    assert (found.level, found.text) == (Level.PROBLEM, f"{old} is Python 3.8.1, too old")


def test_doctor_shows_no_value_of_a_variable(world: World) -> None:
    secrets: dict[str, str] = dict.fromkeys(
        ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "CODEX_THREAD_ID"), "sk-very-secret"
    )
    machine = Machine(world, secrets)
    machine.install(codex_package())

    assert "sk-very-secret" not in repr(findings(machine))
