"""Which tool calls the hook of the Claude package lets run unasked."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from relay_runtime.approval.approve import UNASKED_VERBS, Own, approval
from relay_runtime.approval.shellcall import Call, parse
from relay_runtime.cli import VERBS
from support.approvals import ALLOWED, BIG, REPORT_3, SILENT, SILENT_WITHOUT_SHELL
from support.runtime_package import Completed, package_of, run_runtime
from support.world import World, build_tree

OWN = Own("kc-relay", "knowzcode", frozenset({"knowzcode:relay", "knowzcode:work"}))
SKILL_FILE = '---\nname: x\ndescription: "x"\n---\nx\n'


def payload(tool: str, arguments: object, cwd: str = "/srv/repo") -> bytes:
    event = {
        "session_id": "s",
        "cwd": cwd,
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": tool,
        "tool_input": arguments,
        "tool_use_id": "toolu_1",
    }
    return json.dumps(event).encode()


def approved(tool: str, arguments: object) -> bool:
    return approval(payload(tool, arguments), OWN) is not None


@pytest.mark.parametrize("name", ALLOWED)
def test_one_call_of_ours_is_approved(name: str) -> None:
    """REQ NL-13: the call forms that skills print run without a question."""
    assert approved("Bash", {"command": ALLOWED[name]})


@pytest.mark.parametrize("name", [*SILENT, *SILENT_WITHOUT_SHELL])
def test_anything_else_gets_no_answer(name: str) -> None:
    """Field report 3: text that a shell would act on is never approved."""
    found = approval(payload("Bash", {"command": {**SILENT, **SILENT_WITHOUT_SHELL}[name]}), OWN)
    # What names a folder is approved only after a look at the disk, which the verb takes.
    assert found is None or found.projects


def test_words_and_stdin_are_read_as_a_shell_reads_them() -> None:
    command = f"kc-relay resolve --file='a b'/c\"d e\" '' <<'KC_END'\n{REPORT_3}\nKC_END\n"
    assert parse(command, "kc-relay") == Call(("resolve", "--file=a b/cd e", ""), REPORT_3 + "\n")


def test_reading_is_quick_whatever_the_line() -> None:
    """A hook runs before each call; no line may make its expressions try all ways."""
    for command in (
        "kc-relay " + "a" * 100_000 + ";",
        "kc-relay " + "'a' " * 30_000 + ";",
        f"kc-relay {BIG}",
    ):
        assert parse(command, "kc-relay") is None


@pytest.mark.parametrize(
    ("more", "answered"),
    [
        ({"description": "Show the relay", "timeout": 120_000, "run_in_background": False}, True),
        ({"dangerouslyDisableSandbox": True}, False),
        ({"something_new": 1}, False),
    ],
)
def test_the_bash_tools_other_arguments(more: Mapping[str, object], answered: bool) -> None:
    """A call that leaves the host's sandbox, or says what we do not know, is the person's to approve."""
    assert approved("Bash", {"command": "kc-relay status", **more}) is answered


@pytest.mark.parametrize(
    ("skill", "answered"),
    [
        ("knowzcode:relay", True),
        ("knowzcode:work", True),
        ("relay", False),
        ("knowzcode:other", False),
        ("Knowzcode:relay", False),
        ("knowzcode:relay ", False),
        ("other:relay", False),
        ("", False),
        (None, False),
        (["knowzcode:relay"], False),
    ],
)
def test_only_our_skills_by_their_full_names(skill: object, answered: bool) -> None:
    assert approved("Skill", {"skill": skill, "args": "--relay=codex add $(touch x)"}) is answered


@pytest.mark.parametrize("tool", ["Write", "bash", "Agent", "mcp__x__Bash", ""])
def test_other_tools_get_no_answer(tool: str) -> None:
    assert not approved(tool, {"command": "kc-relay status", "skill": "knowzcode:relay"})


GOOD = payload("Bash", {"command": "kc-relay status"})
MALFORMED = {
    "nothing": b"",
    "no JSON": b"kc-relay status",
    "half": GOOD[:-5],
    "a list": b"[" + GOOD + b"]",
    "text": b'"kc-relay status"',
    "deep": b'{"a":' * 100_000,
    "not UTF-8": GOOD.replace(b"status", b"stat\xff"),
    "no arguments": payload("Bash", None),
    "a command that is a list": payload("Bash", {"command": ["kc-relay", "status"]}),
    "another event": GOOD.replace(b"PreToolUse", b"PostToolUse"),
    "no folder": GOOD.replace(b'"cwd"', b'"cmd"'),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_payload_gets_silence(world: World, name: str) -> None:
    done = run_runtime(world, "claude", "approve", stdin=MALFORMED[name])
    assert done == Completed(0, "", "")


def test_a_hook_that_fails_vetoes_nothing(world: World) -> None:
    """The host reads exit 2 as a refusal, and the hook is asked about the skills of others too."""
    event = payload("Bash", {"command": "kc-relay detect"})
    assert run_runtime(world, "claude", "approve", "--nonsense", stdin=event) == Completed(0, "", "")
    wrong = world.environ(KNOWZCODE_RELAY_REHEARSAL="elsewhere")
    assert run_runtime(world, "claude", "approve", stdin=event, environ=wrong) == Completed(0, "", "")
    (package_of(world, "claude") / "relay-package.json").write_text("{")
    assert run_runtime(world, "claude", "approve", stdin=event) == Completed(0, "", "")


def ask(
    world: World, tool: str, arguments: object, *, host: str = "claude", cwd: Path | None = None
) -> Completed:
    return run_runtime(world, host, "approve", stdin=payload(tool, arguments, str(cwd or world.home)))


def test_the_answer_is_the_hooks_json(world: World) -> None:
    done = ask(world, "Bash", {"command": "kc-relay approve"})
    assert done == Completed(0, "", "")
    done = ask(world, "Bash", {"command": "kc-relay detect"})
    assert (done.code, done.err) == (0, "")
    answer = done.json()["hookSpecificOutput"]
    assert (answer["hookEventName"], answer["permissionDecision"]) == ("PreToolUse", "allow")
    assert "kc-relay detect" in answer["permissionDecisionReason"]


def test_a_host_without_a_command_of_its_own_is_left_alone(world: World) -> None:
    assert ask(world, "Bash", {"command": "kc-relay detect"}, host="codex") == Completed(0, "", "")


@pytest.mark.parametrize(
    ("named", "answered"),
    [(".", True), ("sub", True), ("sub/../sub", True), ("..", False), ("/", False), ("out", False)],
)
def test_a_named_project_must_be_the_one_at_hand(world: World, named: str, answered: bool) -> None:
    """The call that the host's rules tie to the project does not reach another one by an option."""
    repository = build_tree(world.root / "repo", {".git/HEAD": "", "sub/x": ""})
    (repository / "out").symlink_to(world.home)
    done = ask(world, "Bash", {"command": f"kc-relay detect --project {named}"}, cwd=repository)
    assert bool(done.out) is answered


def test_a_project_named_from_below_it(world: World) -> None:
    repository = build_tree(world.root / "repo", {".git/HEAD": "", "sub/x": ""})
    done = ask(world, "Bash", {"command": "kc-relay detect --project .."}, cwd=repository / "sub")
    assert done.out


def own_skill(world: World) -> dict[str, str]:
    """The name of a skill that this world's package lists."""
    index = package_of(world, "claude") / "relay-package.json"
    record = json.loads(index.read_text())
    record["files"]["skills/relay/SKILL.md"] = {"sha256": "", "mode": "644"}
    index.write_text(json.dumps(record))
    return {"skill": "knowzcode:relay"}


def test_a_skill_that_the_package_lists(world: World) -> None:
    arguments = own_skill(world)
    assert ask(world, "Skill", arguments).out
    assert not ask(world, "Skill", {"skill": "knowzcode:other"}).out


@pytest.mark.parametrize(
    "stranger",
    [
        ".claude/skills/knowzcode:relay/SKILL.md",
        ".claude/skills/Knowzcode:relay/SKILL.md",
        ".claude/commands/knowzcode/relay.md",
        ".claude/commands/knowzcode:relay.md",
    ],
)
def test_a_file_of_the_project_that_takes_the_skills_name(world: World, stranger: str) -> None:
    """The client would launch the project's file, with the tools which that file allows itself."""
    arguments = own_skill(world)
    repository = build_tree(world.root / "repo", {".git/HEAD": "", stranger: SKILL_FILE, "sub/x": ""})
    assert not ask(world, "Skill", arguments, cwd=repository).out
    assert not ask(world, "Skill", arguments, cwd=repository / "sub").out


@pytest.mark.parametrize(
    "harmless", [".claude/skills/relay/SKILL.md", ".claude/commands/other/relay.md", ".claude/skills"]
)
def test_other_skills_of_the_project_do_not_matter(world: World, harmless: str) -> None:
    arguments = own_skill(world)
    repository = build_tree(world.root / "repo", {".git/HEAD": "", harmless: SKILL_FILE})
    assert ask(world, "Skill", arguments, cwd=repository).out


def test_the_folder_that_the_session_began_in_counts_after_a_cd(world: World) -> None:
    arguments = own_skill(world)
    repository = build_tree(
        world.root / "repo", {".git/HEAD": "", ".claude/skills/knowzcode:relay/SKILL.md": SKILL_FILE}
    )
    done = run_runtime(
        world,
        "claude",
        "approve",
        stdin=payload("Skill", arguments, str(world.home)),
        environ=world.environ(CLAUDE_PROJECT_DIR=str(repository)),
    )
    assert done.out == ""


@pytest.mark.parametrize("folder", ["/elsewhere", "node_modules/.bin", "."])
def test_another_program_of_our_name_first_on_path(world: World, folder: str) -> None:
    """The shell would start the stranger, so a person decides."""
    repository = build_tree(world.root / "repo", {".git/HEAD": ""})
    place = world.root / "elsewhere" if folder.startswith("/") else repository / folder
    search = str(place) if folder.startswith("/") else folder
    environ = world.environ(PATH=f"{search}:/usr/bin:/bin")
    event = payload("Bash", {"command": "kc-relay detect"}, str(repository))
    assert run_runtime(world, "claude", "approve", stdin=event, environ=environ).out
    build_tree(place, {"kc-relay": "#!/bin/sh\n"})
    assert not run_runtime(world, "claude", "approve", stdin=event, environ=environ).out


def test_every_verb_is_thought_of() -> None:
    """A verb that is added runs unasked only when it is named here or there."""
    assert set(VERBS) - UNASKED_VERBS <= {"approve", "job", "mcp-leg", "runs", "supervise"}


def test_the_verb_is_called_internal(world: World) -> None:
    done = run_runtime(world, "claude", "--help")
    (line,) = [line for line in done.out.splitlines() if line.split()[:1] == ["approve"]]
    assert "internal" in line
