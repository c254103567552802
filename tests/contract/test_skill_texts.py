"""What the rendered skill texts say, and what they must never say."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from knowzcode_relay.hosts import facts
from support.checkout import ROOT

SKILLS = {host: ROOT / "dist" / host / "skills" for host in ("claude", "codex")}
NAMES = ("continue", "relay", "setup", "status", "work")
PREFIX = {"claude": "", "codex": "knowzcode-"}
RUNNER = ROOT / "dist/claude/agents/relay-runner.md"
HOSTS = pytest.mark.parametrize("host", SKILLS)

# The verbs that stand in a whole command; others are only named, and `next:` spells them out.
_BOTH = {"resolve", "start", "poll", "review", "status", "resume", "setup"}
CALLED = {"claude": _BOTH | {"packet"}, "codex": _BOTH}

BUDGET = 20_500  # a quarter of the 82,000 characters that the original loads for a full relay


def skill(host: str, name: str) -> str:
    return (SKILLS[host] / f"{PREFIX[host]}{name}" / "SKILL.md").read_text(encoding="utf-8")


def texts(host: str) -> dict[Path, str]:
    """Everything that a host may load: skills, references, agents."""
    root = ROOT / "dist" / host
    found = (path for path in root.rglob("*.md") if "runtime" not in path.relative_to(root).parts)
    return {path: path.read_text(encoding="utf-8") for path in found}


def commands(text: str) -> Iterator[str]:
    """Every line of an unnamed code block that starts a program; a heredoc's body is not one."""
    inside, until = "", ""
    for line in (each.strip() for each in text.splitlines()):
        if line.startswith("```"):
            inside = "" if inside else line
        elif inside == "```" and until:
            until = "" if line == until else until
        elif inside == "```":
            yield line
            heredoc = re.search(r"<<'(\w+)'$", line)
            until = heredoc[1] if heredoc else ""
    assert (inside, until) == ("", ""), "a block or a heredoc is never closed"


@HOSTS
def test_the_host_is_fixed_in_every_skill_and_in_the_index(host: str) -> None:
    """REQ RES-01, REQ RES-02, REQ PKG-06."""
    index = next((ROOT / "dist" / host).rglob("relay-package.json"))

    assert json.loads(index.read_bytes())["host"] == host
    for name in NAMES:
        assert re.findall(r"RELAY_HOST = (\w+)", skill(host, name)) == [host]


@HOSTS
def test_a_package_has_the_five_skills_and_the_reference(host: str) -> None:
    """REQ PKG-01."""
    assert sorted(path.name for path in SKILLS[host].iterdir()) == [f"{PREFIX[host]}{name}" for name in NAMES]
    assert (SKILLS[host] / f"{PREFIX[host]}work/references/relay-execution.md").is_file()


def test_the_reference_is_the_same_bytes_for_both_hosts() -> None:
    """REQ PKG-04."""
    claude, codex = (
        SKILLS[host] / f"{PREFIX[host]}work/references/relay-execution.md" for host in ("claude", "codex")
    )
    assert claude.read_bytes() == codex.read_bytes()


@HOSTS
@pytest.mark.parametrize("name", NAMES)
def test_front_matter_is_what_the_client_reads(host: str, name: str) -> None:
    """REQ PKG-08: name equal to the folder, a description, and nothing that the client does not know."""
    _, block, _ = skill(host, name).split("---\n", 2)
    values = yaml.safe_load(block)

    assert values.pop("name") == f"{PREFIX[host]}{name}"
    assert 20 < len(values.pop("description")) <= 1024
    if host == "codex":
        assert values == {}
    else:
        assert values.pop("allowed-tools") == "Bash(kc-relay *)"
        assert set(values) <= {"argument-hint"}


@HOSTS
def test_texts_are_plain_files(host: str) -> None:
    for path in texts(host):
        data = path.read_bytes()
        assert not path.is_symlink()
        assert not data.startswith(b"\xef\xbb\xbf")
        assert b"\r" not in data
        assert data.endswith(b"\n")


@HOSTS
def test_every_command_is_one_simple_command_of_the_runtime(host: str) -> None:
    """Field report 86, field report 21, field report 3: nothing around it, and no words of the user in it."""
    call = facts.load(ROOT / f"skill_templates/hosts/{host}.toml").call
    found = [line for text in texts(host).values() for line in commands(text)]

    assert len(found) >= 8
    for line in found:
        assert line.startswith(f"{call} "), line
        rest = re.sub(r" <<'\w+'$", "", line.removeprefix(call))
        assert re.fullmatch(r"[A-Za-z0-9 -]+", rest), line


@HOSTS
def test_the_verbs_of_whole_commands_are_the_known_ones(host: str) -> None:
    """A skill cannot tell a host to call what the runtime does not have."""
    call = re.escape(facts.load(ROOT / f"skill_templates/hosts/{host}.toml").call)
    called = {verb for text in texts(host).values() for verb in re.findall(rf"{call} ([a-z]+)", text)}

    assert called == CALLED[host]


@HOSTS
def test_every_poll_has_a_limit_below_what_the_host_allows(host: str) -> None:
    """REQ EXE-06, field report 34: the wait ends before the tool's own limit, and both are written out."""
    known = facts.load(ROOT / f"skill_templates/hosts/{host}.toml")
    for text in texts(host).values():
        for line in text.splitlines():
            if re.search(r"(kc-relay|relay\.py\"?) poll(?!` and)", line):
                assert f"poll --wait {known.poll_wait}" in line
                assert str(known.poll_limit_ms) in text

    assert known.poll_wait * 1000 < known.poll_limit_ms <= known.shell_limit * 1000
    assert known.poll_wait < {"claude": 120, "codex": 30}[host]


@HOSTS
def test_the_calls_of_a_leg_have_the_limit_too(host: str) -> None:
    """REQ EXE-06: a launch and a checkpoint may take longer than a host gives a command by itself."""
    known = facts.load(ROOT / f"skill_templates/hosts/{host}.toml")
    limit = f"each with {known.limit_option} at {known.poll_limit_ms}"
    assert f"`launch`, polls and `checkpoint`, {limit}" in skill(host, "work")


def test_a_codex_host_polls_its_exec_session_and_leaves_its_sandbox_by_one_call() -> None:
    """REQ HST-03, Field report 30."""
    text = skill("codex", "work")
    assert "A call that runs on returns a session: poll that one." in text
    assert "`next:` holds an `exec_command` call. Make just that, with the same heredoc" in text


@HOSTS
def test_work_is_a_workflow_without_a_relay_too(host: str) -> None:
    """Tiers, phases, gates, test first, the WorkGroup, tracker and log, and the way back from a relay."""
    text = skill(host, "work")
    for words in (
        "Tier 1 micro",
        "Tier 2 light",
        "Tier 3 full",
        "Phase 1A: Change Set, Gate #1",
        "Phase 1B: Specs, Gate #2",
        "Phase 2A: Build",
        "Phase 2B: Review, Gate #3",
        "Phase 3: Finish",
        "Native (no relay, exit 5, takeover): per criterion a failing test, then the code",
        "Next Step in the WorkGroup",
        "tracker and log where the project has them",
        "On `HOST_TAKEOVER` close the listed gaps natively, then answer its question yourself.",
    ):
        assert words in text


@HOSTS
def test_nobody_is_told_to_wait_for_a_notification(host: str) -> None:
    """REQ TRN-12: poll is the only wait, in the same turn."""
    for path, text in texts(host).items():
        assert not re.search(r"you will be (notified|told|informed)|end your turn|wait for a notif", text), (
            path
        )
    assert "in this same turn" in skill(host, "work")


@HOSTS
def test_nothing_is_started_in_the_background_by_the_shell(host: str) -> None:
    """Field report 21."""
    for path, text in texts(host).items():
        assert not re.search(r"nohup|setsid|run_in_background|\s&$", text, flags=re.MULTILINE), path


@HOSTS
@pytest.mark.parametrize("name", NAMES)
def test_no_skill_sends_the_model_to_itself(host: str, name: str) -> None:
    """Field report 75: else the model loads the same text again and again."""
    own = {"claude": f"knowzcode:{name}", "codex": f"knowzcode-{name}/SKILL.md"}[host]

    assert own not in skill(host, name)


def test_the_relay_skill_goes_on_with_the_work_skill() -> None:
    assert "Skill tool with `knowzcode:work`" in skill("claude", "relay")
    assert "`../knowzcode-work/SKILL.md`" in skill("codex", "relay")


@HOSTS
def test_a_runtime_that_does_not_start_stops_the_work(host: str) -> None:
    """Field report 76: the host never does the target's part and calls it the target's."""
    for name in ("relay", "work", "continue"):
        assert "If the runtime does not start: stop and say so." in skill(host, name)
        assert "Never do the target's part yourself and call it the target's." in skill(host, name)
    assert "only when `status` shows that leg's session and exit" in skill(host, "work")


@HOSTS
@pytest.mark.parametrize("name", ["relay", "work"])
def test_the_request_travels_by_quoted_heredoc_or_file(host: str, name: str) -> None:
    """Field report 3, REQ RES-24: the words as the user wrote them, flags included, never a shell word."""
    text = skill(host, name)

    assert f"resolve --entry {name} <<'KC_REQUEST'" in text
    assert "--relay flags included" in text
    assert "If the text has the delimiter as a line, take another." in text
    assert "--file PATH" in text


@HOSTS
def test_no_placeholder_of_a_client_stands_in_a_skill(host: str) -> None:
    """Claude replaces $1 and $ARGUMENTS, and runs !`…`, before the model sees the text."""
    for name in NAMES:
        assert not re.search(r"(?<!\\)\$(\d|ARGUMENTS)|!`|\$\{", skill(host, name))


@HOSTS
def test_every_exit_code_of_the_runtime_has_a_reaction(host: str) -> None:
    """REQ CON-04 and the pauses: fallback, pause, clarification and halt are handled in one table."""
    table = re.findall(r"^\| ([\d, ]+) \|", skill(host, "work"), flags=re.MULTILINE)

    assert sorted(int(code) for row in table for code in row.split(",")) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 70]


@HOSTS
def test_autonomous_work_still_pauses_where_a_person_must_decide(host: str) -> None:
    """REQ REV-12."""
    text = skill(host, "work")
    sentence = text[text.index("autonomous work") :].split("\n\n")[0]

    for word in ("Gate #3", "Logins", "quota", "wait for the user"):
        assert word in sentence


@HOSTS
def test_the_user_sees_the_time_check_and_a_running_leg_takes_no_prompt(host: str) -> None:
    """REQ TIM-13, REQ TIM-14."""
    line = next(each for each in skill(host, "work").splitlines() if each.startswith("`[RELAY-TIME-CHECK]`"))

    assert "show it to the user" in line
    assert "`continue-live`, `interrupt-and-resume` or `stop`" in line
    assert "go on polling meanwhile" in line
    assert "A running leg takes no new prompt." in line


@HOSTS
def test_after_a_cleared_context_the_state_file_comes_first(host: str) -> None:
    """REQ RSM-01."""
    text = skill(host, "continue")

    assert text.index("## Relay") < text.index(" resume\n") < text.index("knowzcode/workgroups/*.md")


def test_the_runner_is_only_a_live_approved_team_member() -> None:
    """REQ HST-01, REQ HST-02, REQ PRG-14."""
    text = skill("claude", "work")

    for words in (
        "You poll yourself.",
        "approved by the user and reachable by live messages",
        "Never dispatch it as an ordinary named agent.",
        "one targeted message per teammate",
    ):
        assert words in text
    assert "Never use it as an ordinary agent" in RUNNER.read_text(encoding="utf-8")


def test_the_runner_has_no_agent_tool_uses_no_git_and_edits_nothing() -> None:
    """REQ HST-08, REQ ART-07, REQ EXE-01, REQ EXE-11."""
    _, block, body = RUNNER.read_text(encoding="utf-8").split("---\n", 2)

    assert yaml.safe_load(block)["tools"] == "Bash, SendMessage"
    assert "You edit no file, write no state, brief or feedback, and use no git." in body
    assert "compose and change none" in body
    assert "or a part of the packet is missing, say so and stop before you run anything." in body


def test_the_runner_names_the_whole_packet() -> None:
    """REQ HST-04."""
    body = RUNNER.read_text(encoding="utf-8")

    for key in (
        "TARGET",
        "TRANSPORT",
        "COMMAND",
        "TOOL_ARGS",
        "SESSION_ID_COMMAND",
        "COMPLETION_COMMAND",
        "RESULT_SUBTYPE_COMMAND",
        "PROGRESS_COMMAND",
        "PROGRESS_INTERVAL_SECONDS",
        "POLL_COMMAND",
        "DECIDE_COMMAND",
        "RESUME_COMMAND",
        "LOG_PATH",
        "ERROR_PATH",
        "LAST_MESSAGE_PATH",
        "EXIT_PATH",
        "CWD",
        "ROUND",
        "TIMEOUT_MINUTES",
    ):
        assert f"`{key}`" in body


def test_the_codex_package_knows_nothing_of_claude_teams() -> None:
    """REQ PKG-02, REQ HST-03, REQ HST-07."""
    root = ROOT / "dist/codex"
    words = re.compile(
        r"SendMessage|TeamCreate|TeamDelete|TeammateTool|TaskCreate|TaskUpdate|Agent Teams?|\bteammates?\b|"
        r"relay-runner|subagent_type|CLAUDE_PLUGIN_ROOT",
        re.IGNORECASE,
    )

    assert [path for path in root.rglob("*") if path.name == "agents"] == []
    for path, text in texts("codex").items():
        assert not words.search(text), path
    assert "only while it holds the same live exec session" in skill("codex", "work")


def test_no_text_offers_claude_mcp_as_a_relay() -> None:
    """REQ TRN-03, REQ DOC-03."""
    for host in SKILLS:
        for path, text in texts(host).items():
            assert "claude mcp serve" not in text, path
    reference = SKILLS["claude"] / "work/references/relay-execution.md"
    assert "Claude MCP is deferred" in reference.read_text(encoding="utf-8")


@HOSTS
def test_every_link_resolves(host: str) -> None:
    """REQ PKG-10, REQ DOC-04."""
    found = 0
    for path, text in texts(host).items():
        for target in re.findall(r"\]\(([^)#]+)\)|`(\.\./[^`]+/SKILL\.md)`", text):
            place = path.parent / (target[0] or target[1])
            assert place.is_file(), f"{path}: {target}"
            found += 1
    assert found >= 2


@pytest.mark.parametrize(
    "path",
    [
        "README.md",
        "docs/workflow.md",
        "docs/configuration.md",
        "runtime/relay_runtime/project/knowzcode_orchestration.md",
    ],
    ids=["readme", "workflow", "configuration", "project"],
)
def test_the_pages_state_the_same_rules(path: str) -> None:
    """REQ DOC-01."""
    table = (ROOT / "skill_templates/partials/relay-table.md").read_text(encoding="utf-8")

    assert table in (ROOT / path).read_text(encoding="utf-8")


@HOSTS
def test_setup_status_and_reference_state_the_same_rules(host: str) -> None:
    """REQ DOC-01: precedence, roles, fallback and directions in one table, the same everywhere."""
    table = (ROOT / "skill_templates/partials/relay-table.md").read_text(encoding="utf-8")
    reference = SKILLS[host] / f"{PREFIX[host]}work/references/relay-execution.md"

    for text in (skill(host, "setup"), skill(host, "status"), reference.read_text(encoding="utf-8")):
        assert table in text


@HOSTS
def test_what_a_host_loads_for_a_full_relay_fits_the_budget(host: str) -> None:
    """All five skills and every reference, in characters."""
    sizes = {
        str(path.relative_to(ROOT)): len(text) for path, text in texts(host).items() if "skills" in path.parts
    }
    total = sum(sizes.values())

    print(f"{host}: {total} of {BUDGET} characters")
    assert total <= BUDGET, sizes
