"""The execution reference as a document: complete, with the labels and lines that others rely on."""

import re

import pytest

from relay_runtime.config import keys
from support.checkout import ROOT

TEXT = (ROOT / "dist/claude/skills/work/references/relay-execution.md").read_text(encoding="utf-8")

HEADINGS = [
    "",
    "# Cross-Agent Relay — Execution Reference",
    "## Host and Target Resolution",
    "## RELAY_DETECT — Live Target Readiness",
    "### Codex target",
    "### Claude target",
    "### Remediation and fallback",
    "## Configuration and Precedence",
    "## Transport Invariant",
    "### Codex MCP transport",
    "### Exec transport",
    "### Relay progress bridge",
    "### Time-budget checkpoint and dialogue",
    "## Provider Headless Hygiene",
    "### Codex (mandatory)",
    "### Claude (mandatory)",
    "## Conflicts and Tier Rules",
    "## Relay Artifacts",
    "### Schema 2 `state.md`",
    "### Manual Attach line",
    "### WorkGroup `## Relay` snapshot",
    "### Legacy schema-1 mapping",
    "## Prompt Schemas",
    "## Preflight — Before Touching the Tree",
    "## Codex Target Adapter",
    "## Claude Target Adapter (exec only)",
    "## Host Process-Monitor Contract",
    "## Review Loop",
    "## State Machine",
    "## Failure / Fallback Matrix",
    "## Resume After Context Clear",
    "## Related",
    "",
][1:-1]

LINES = (
    "[RELAY-FALLBACK] configured relay target {target} equals host {host} — running native Phase 2A",
    "[RELAY-FALLBACK] {target} CLI {not found|broken} — running native Phase 2A",
    "[RELAY-DETECT] target=codex ready ({version}, authed)",
    "installed-unauthed — run: codex login",
    "[RELAY-TRANSPORT] Claude MCP is not an agent relay. Set relay_transport: auto or exec.",
    "KnowzCode relay: {Target} round {N} for {wgid}",
    "**Schema:** 2 | **Host:** {host} | **Target:** {target} | **State:** {state} | **Round:** {n} | "
    "**Session:** {id|pending}",
    "**ARC Completion:** {X}%   **Security:** {status}   **Verdict:** FIX_ROUND | ACCEPT | TAKEOVER",
)


def outside_blocks() -> list[str]:
    return re.sub(r"```.*?```", "", TEXT, flags=re.DOTALL).splitlines()


def test_the_headings_are_the_contracts_and_in_order() -> None:
    assert [line for line in outside_blocks() if line.startswith("#")] == HEADINGS


@pytest.mark.parametrize("line", LINES)
def test_a_tagged_line_is_verbatim(line: str) -> None:
    assert line in TEXT


@pytest.mark.parametrize("key", keys.RELAY_KEYS, ids=lambda key: key.name)
def test_every_setting_has_its_key_flag_and_default(key: keys.Key) -> None:
    """REQ DOC-02: the same as the runtime's."""
    row = next(line for line in outside_blocks() if f"| `{key.name}`" in line)
    _, _, flag, names, default, _ = (cell.strip() for cell in row.split("|"))

    assert flag == (f"`{key.flag}=`" if key.flag else "—")
    assert names == ", ".join(f"`{name}`" for name in (key.name, key.legacy) if name)
    assert re.split("[; ]", default)[0].strip("`") == (key.default or "null")


def test_limits_are_the_runtimes() -> None:
    """REQ DOC-02."""
    low, high = keys.FIX_ROUNDS

    assert f"| 2; {low}-{high} |" in TEXT
    assert f"floor {keys.TIMEOUT_FLOOR['codex']} Codex, {keys.TIMEOUT_FLOOR['claude']} Claude" in TEXT


def test_every_flag_selector_and_source_is_named() -> None:
    for word in (
        "--relay=",
        "--relay-model=",
        "--relay-effort=",
        "--relay-max-fix-rounds=",
        "none|auto|other|claude|codex",
        "flag-named",
        "flag-automatic",
        "natural-named",
        "natural-automatic",
        "config",
        "entry-default",
    ):
        assert f"`{word}" in TEXT


def test_the_state_file_has_its_24_lines_and_two_tables() -> None:
    block = re.search(r"```markdown\n(.*?)```", TEXT, flags=re.DOTALL)

    assert block is not None
    assert re.findall(r"^\*\*(.+?):\*\*", block[1], flags=re.MULTILINE) == [
        "Schema",
        "Host",
        "Target",
        "Selector",
        "Intent Source",
        "State",
        "Round",
        "Max Fix Rounds",
        "Session ID",
        "Manual Attach",
        "Target Version",
        "Transport",
        "Model",
        "Effort",
        "Isolation",
        "Branch",
        "CWD",
        "PID",
        "Log Path",
        "Error Path",
        "Last Message Path",
        "Result Subtype",
        "Last Output",
        "Updated",
    ]
    assert "## Checkpoints\n| Label | SHA | Meaning |" in block[1]
    assert "## Round Log\n| Round | Leg | Started | Ended | Exit | Result |" in block[1]


def test_all_eleven_states_are_drawn() -> None:
    block = re.search(r"```text\n(.*?)```", TEXT, flags=re.DOTALL)

    assert block is not None
    assert set(re.findall(r"[A-Z_]{4,}", block[1])) == {
        "INIT",
        "PLANNED",
        "TARGET_IMPLEMENTING",
        "TARGET_FAILED",
        "TARGET_DONE",
        "REVIEWING",
        "FIX_ROUND",
        "HOST_TAKEOVER",
        "FINALIZING",
        "DONE",
        "ABORTED",
    }


def test_attach_commands_are_for_people_and_never_a_link_for_claude() -> None:
    """REQ MAN-02, REQ MAN-04, REQ MAN-05."""
    section = TEXT[TEXT.index("### Manual Attach line") : TEXT.index("### WorkGroup `## Relay` snapshot")]

    assert "codex resume {SESSION_ID}" in section
    assert "claude --resume {SESSION_ID}" in section
    assert "after a leg" in section
    assert "Never opened, never used to monitor or resume." in section
    assert "claude-cli" not in TEXT


def test_the_hosts_own_profile_is_left_alone() -> None:
    """REQ CON-07."""
    assert "the host's planning and review profile stays" in TEXT


def test_regrouping_needs_only_the_two_references() -> None:
    """REQ SNP-04."""
    assert "Next Step and References name WorkGroup and state file; regroup needs no more." in TEXT


def test_no_relay_for_gemini() -> None:
    """REQ PKG-05."""
    assert "Gemini is not a relay host." in TEXT
