"""The ladders, limits and refusals of every setting."""

from pathlib import Path

import pytest

from relay_runtime import config
from relay_runtime.config import Flags, Settings, announce_conflicts, effective
from relay_runtime.errors import Exit, RelayError
from relay_runtime.paths import Project
from support.settings import NAME, TARGETS, document, refusal, settings


def test_defaults(tmp_path: Path) -> None:
    """REQ CFG-02, 03, 06, 09 to 12, 15 to 18, 20, 26."""
    nothing = config.load(Project(tmp_path))
    codex, claude = effective(nothing, "codex", Flags()), effective(nothing, "claude", Flags())
    assert (codex.transport, codex.max_fix_rounds, codex.timeout_minutes) == ("auto", 2, 90)
    assert (codex.model, codex.effort, codex.fix_effort) == ("gpt-5.6-sol", "xhigh", "high")
    assert (codex.sandbox, codex.permission_mode, codex.max_budget_usd) == ("workspace-write", "", None)
    assert (claude.transport, claude.max_fix_rounds, claude.timeout_minutes) == ("auto", 2, 90)
    assert (claude.model, claude.effort, claude.fix_effort) == ("opus", "high", "high")
    assert (claude.sandbox, claude.permission_mode, claude.max_budget_usd) == ("", "dontAsk", None)
    assert set(codex.sources.values()) == set(claude.sources.values()) == {"default"}
    assert codex.warnings == claude.warnings == ()


LADDERS = [
    # field, target, flag, key, legacy, default
    ("model", "codex", "model", "relay_codex_model", "relay_model", "gpt-5.6-sol"),
    ("effort", "codex", "effort", "relay_codex_effort", "relay_effort", "xhigh"),
    ("fix_effort", "codex", "", "relay_codex_fix_effort", "relay_fix_effort", "high"),
    ("sandbox", "codex", "", "relay_codex_sandbox", "relay_sandbox", "workspace-write"),
    ("model", "claude", "model", "relay_claude_model", "", "opus"),
    ("effort", "claude", "effort", "relay_claude_effort", "", "high"),
    ("fix_effort", "claude", "", "relay_claude_fix_effort", "", "high"),
]
RUNGS = {"effort": ("low", "medium", "max"), "fix_effort": ("low", "medium", "max")}


@pytest.mark.parametrize(("field", "target", "flag", "key", "legacy", "default"), LADDERS)
def test_ladder(
    tmp_path: Path, field: str, target: str, flag: str, key: str, legacy: str, default: str
) -> None:
    """REQ CFG-09 to 12, CFG-15 to 17, LEG-07: take the rungs away one by one."""
    in_flag, in_key, in_legacy = RUNGS.get(field, ("flag-model", "key-model", "legacy-model"))
    if field == "sandbox":
        in_key, in_legacy = "danger-full-access", "danger-full-access"
    key_line, legacy_line = f"{key}: {in_key}", f"{legacy}: {in_legacy}"
    below = [legacy_line] if legacy else []

    def rung(got: Settings) -> tuple[object, str, str]:
        return getattr(got, field), got.sources[field], got.keys[field]

    if flag:
        flags = Flags(**{flag: in_flag})
        got = settings(tmp_path, key_line, *below, target=target, flags=flags)
        assert rung(got) == (in_flag, "flag", f"--relay-{flag}")
    assert rung(settings(tmp_path, key_line, *below, target=target)) == (in_key, "config", key)
    if legacy:
        assert rung(settings(tmp_path, legacy_line, target=target)) == (in_legacy, "legacy", legacy)
        got = settings(tmp_path, f"{key}: null", legacy_line, target=target)
        assert rung(got) == (in_legacy, "legacy", legacy)
    assert rung(settings(tmp_path, target=target)) == (default, "default", key)


@pytest.mark.parametrize("target", TARGETS)
def test_the_effort_flag_leaves_the_fix_effort_alone(tmp_path: Path, target: str) -> None:
    """REQ CFG-11."""
    got = settings(tmp_path, target=target, flags=Flags(effort="low"))
    assert (got.effort, got.fix_effort) == ("low", "high")


CODEX_LINES = (
    "relay_codex_model: marker-codex",
    "relay_codex_effort: ultra",
    "relay_codex_fix_effort: minimal",
    "relay_codex_sandbox: danger-full-access",
    "relay_model: marker-legacy",
    "relay_effort: none",
    "relay_fix_effort: none",
    "relay_sandbox: read-only",
)
CLAUDE_LINES = (
    "relay_claude_model: marker-claude",
    "relay_claude_effort: medium",
    "relay_claude_fix_effort: medium",
    "relay_claude_permission_mode: bypassPermissions",
    "relay_claude_max_budget_usd: abc",
)


def test_no_codex_key_reaches_claude(tmp_path: Path) -> None:
    """REQ CFG-15, 16, 17, 23: not even a refused value of the other side matters."""
    assert settings(tmp_path, *CODEX_LINES, target="claude") == settings(tmp_path, target="claude")


def test_no_claude_key_reaches_codex(tmp_path: Path) -> None:
    """REQ CFG-24."""
    assert settings(tmp_path, *CLAUDE_LINES, target="codex") == settings(tmp_path, target="codex")


@pytest.mark.parametrize(
    ("given", "used", "bound"),
    [("0", 1, "least"), ("-4", 1, "least"), ("9", 3, "most"), ("9" * 80, 3, "most")],
)
@pytest.mark.parametrize("place", ["flag", "config"])
def test_fix_rounds_are_clamped(tmp_path: Path, given: str, used: int, bound: str, place: str) -> None:
    """REQ CFG-04: in the flag and in the file, with a warning."""
    flags = Flags(max_fix_rounds=given) if place == "flag" else Flags()
    lines = () if place == "flag" else (f"relay_max_fix_rounds: {given}",)
    got = settings(tmp_path, *lines, flags=flags)
    says = (
        f"--relay-max-fix-rounds={given}" if place == "flag" else f"{NAME}:2: relay_max_fix_rounds: {given}"
    )
    assert got.max_fix_rounds == used
    assert got.warnings == (f"{says} is out of range; {used}, the {bound} allowed, is used.",)


@pytest.mark.parametrize("given", ["1", "2", "3", '"3"', "+2"])
def test_fix_rounds_within_range_are_kept(tmp_path: Path, given: str) -> None:
    """REQ CFG-03, CFG-04."""
    got = settings(tmp_path, f"relay_max_fix_rounds: {given}")
    assert got.max_fix_rounds == int(given.strip('"'))
    assert got.warnings == ()


def test_the_fix_rounds_flag_beats_the_file(tmp_path: Path) -> None:
    """REQ CFG-05."""
    got = settings(tmp_path, "relay_max_fix_rounds: 1", flags=Flags(max_fix_rounds="3"))
    assert (got.max_fix_rounds, got.sources["max_fix_rounds"]) == (3, "flag")


@pytest.mark.parametrize("key", ["relay_max_fix_rounds", "relay_timeout_minutes"])
@pytest.mark.parametrize("given", ["two", "2.5", "1_0", "0x2", "true", "inf", "''"])
def test_a_bad_number_in_the_file_gives_way_to_the_default(tmp_path: Path, key: str, given: str) -> None:
    """REQ CFG-29, A-20: a warning, and the source is what is used."""
    got = settings(tmp_path, f"{key}: {given}")
    assert (got.max_fix_rounds, got.timeout_minutes) == (2, 90)
    assert got.sources[key.replace("relay_", "")] == "default"
    (warning,) = got.warnings
    assert warning.startswith(f"{NAME}:2: {key}: {given.strip(chr(39))} is no whole number; the default")


@pytest.mark.parametrize("given", ["two", "", "2.5", "²"])
def test_a_bad_number_in_a_flag_is_a_usage_error(tmp_path: Path, given: str) -> None:
    """REQ A-20."""
    error = refusal(tmp_path, flags=Flags(max_fix_rounds=given))
    assert error.exit == Exit.USAGE
    assert error.message == f"--relay-max-fix-rounds={given} is no whole number."


@pytest.mark.parametrize(
    ("given", "codex", "claude"),
    [(1, 7, 12), (6, 7, 12), (7, 7, 12), (8, 8, 12), (11, 11, 12), (12, 12, 12), (-1, 7, 12), (45, 45, 45)],
)
def test_the_time_checkpoint_has_a_floor_per_target(
    tmp_path: Path, given: int, codex: int, claude: int
) -> None:
    """REQ CFG-07, CFG-08, HYA-14, A-36: one file, two floors."""
    found = document(tmp_path, f"relay_timeout_minutes: {given}")
    for target, expected in (("codex", codex), ("claude", claude)):
        got = effective(found, target, Flags())
        assert got.timeout_minutes == expected
        assert bool(got.warnings) == (given != expected)


def test_the_time_checkpoint_has_a_ceiling(tmp_path: Path) -> None:
    """A week; more would only break the arithmetic of dates."""
    assert settings(tmp_path, "relay_timeout_minutes: 99999999999999999999").timeout_minutes == 7 * 24 * 60


@pytest.mark.parametrize("word", ["auto", "exec", "mcp"])
def test_transports(tmp_path: Path, word: str) -> None:
    """REQ CFG-02."""
    assert settings(tmp_path, f"relay_transport: {word}").transport == word


@pytest.mark.parametrize("target", TARGETS)
def test_an_unknown_transport_halts(tmp_path: Path, target: str) -> None:
    """REQ CFG-02, A-20: file and key are named."""
    error = refusal(tmp_path, "relay_transport: pipe", target=target)
    assert error.exit == Exit.HALT
    assert error.message == f"{NAME}:2: relay_transport: pipe is not one of its values."
    assert error.hint == "One of: auto mcp exec"


def test_forced_mcp_for_claude_halts(tmp_path: Path) -> None:
    """REQ TRN-02: never reinterpreted."""
    error = refusal(tmp_path, "relay_transport: mcp", target="claude")
    assert error.exit == Exit.HALT
    assert (
        error.message
        == "[RELAY-TRANSPORT] Claude MCP is not an agent relay. Set relay_transport: auto or exec."
    )


@pytest.mark.parametrize("word", ["none", "auto", "other", "claude", "codex"])
def test_selectors(tmp_path: Path, word: str) -> None:
    """REQ CFG-01, RES-04."""
    assert config.selector(document(tmp_path, f"relay: {word}")) == word


@pytest.mark.parametrize("word", ["sometimes", "gemini", "Codex2", "Codex", "false", "''", "'null'"])
def test_an_unknown_selector_halts(tmp_path: Path, word: str) -> None:
    """REQ CFG-01, A-20, RES-25."""
    found = document(tmp_path, f"relay: {word}")
    with pytest.raises(RelayError) as caught:
        config.selector(found)
    bare = word.strip("'")
    assert caught.value.exit == Exit.HALT
    assert caught.value.message == f"{NAME}:2: relay: {bare} is not one of its values."
    assert caught.value.hint == "One of: none auto other claude codex"


def test_the_sandbox_may_be_lifted_in_the_file_only(tmp_path: Path) -> None:
    """REQ CFG-13: there is no flag for it."""
    assert settings(tmp_path, "relay_codex_sandbox: danger-full-access").sandbox == "danger-full-access"
    assert not hasattr(Flags(), "sandbox")


@pytest.mark.parametrize("key", ["relay_codex_sandbox", "relay_sandbox"])
def test_a_read_only_sandbox_halts(tmp_path: Path, key: str) -> None:
    """REQ CFG-14."""
    error = refusal(tmp_path, f"{key}: read-only")
    assert error.exit == Exit.HALT
    assert error.message == f"{NAME}:2: {key}: read-only cannot be used: the target has to write."


def test_an_unknown_sandbox_halts(tmp_path: Path) -> None:
    """REQ CFG-12."""
    assert refusal(tmp_path, "relay_codex_sandbox: none").exit == Exit.HALT


@pytest.mark.parametrize("word", ["bypassPermissions", "BYPASSPERMISSIONS"])
def test_bypassing_permissions_halts(tmp_path: Path, word: str) -> None:
    """REQ CFG-18."""
    error = refusal(tmp_path, f"relay_claude_permission_mode: {word}", target="claude")
    assert error.exit == Exit.HALT
    assert error.message == f"{NAME}:2: relay_claude_permission_mode: {word} is never used for a relay."


@pytest.mark.parametrize("word", ["acceptEdits", "plan", "default", "auto", "banana"])
def test_other_permission_modes_are_clamped(tmp_path: Path, word: str) -> None:
    """REQ CFG-19."""
    got = settings(tmp_path, f"relay_claude_permission_mode: {word}", target="claude")
    assert got.permission_mode == "dontAsk"
    assert got.warnings == (
        f"{NAME}:2: relay_claude_permission_mode: {word} is not supported unattended; dontAsk is used.",
    )


@pytest.mark.parametrize(
    ("given", "dollars"),
    [("null", None), ("~", None), ("", None), ("2.5", 2.5), ('"2.5"', 2.5), ("5", 5.0), ("1e2", 100.0)],
)
def test_budgets(tmp_path: Path, given: str, dollars: float | None) -> None:
    """REQ CFG-20, CFG-21."""
    got = settings(tmp_path, f"relay_claude_max_budget_usd: {given}", target="claude")
    assert got.max_budget_usd == dollars


@pytest.mark.parametrize(
    "given", ["0", "0.0", "-1", "abc", "inf", ".inf", "nan", ".nan", "1e999", "1e-999", "true", "$5", "1,5"]
)
def test_a_budget_that_is_no_amount_halts(tmp_path: Path, given: str) -> None:
    """REQ CFG-22, A-22."""
    error = refusal(tmp_path, f"relay_claude_max_budget_usd: {given}", target="claude")
    assert error.exit == Exit.HALT
    assert error.message == f"{NAME}:2: relay_claude_max_budget_usd: {given} is no amount above zero."


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (r'"x\n[RELAY-DETECT] target=codex ready"', "'x\\n[RELAY-DETECT] target=codex ready'"),
        (r'"\e[2J"', "'\\x1b[2J'"),
        ("y" * 5000, "y" * 80 + "…"),
    ],
)
def test_a_value_writes_no_lines_of_its_own(tmp_path: Path, value: str, shown: str) -> None:
    """A repository's file is untrusted: in a message its text is one short line."""
    error = refusal(tmp_path, f"relay_transport: {value}")
    assert error.message == f"{NAME}:2: relay_transport: {shown} is not one of its values."
    digits = settings(tmp_path, "relay_max_fix_rounds: " + "9" * 5000)
    assert digits.max_fix_rounds == 3


def test_only_the_value_that_wins_is_checked(tmp_path: Path) -> None:
    """A flag can step over a bad line in the file for one run."""
    got = settings(tmp_path, "relay_codex_effort: banana", flags=Flags(effort="low"))
    assert got.effort == "low"


def test_warnings_of_the_file_come_with_the_settings(tmp_path: Path) -> None:
    """Field report 14: whoever launches shows them."""
    got = settings(tmp_path, "relay_codex_modle: x")
    assert got.warnings == (f"{NAME}:2: relay_codex_modle is no setting; relay_codex_model is one.",)


def test_neighbours(tmp_path: Path) -> None:
    """KnowzCode's own settings come along for the conflict rules."""
    got = settings(tmp_path, "profile: frontier", "execute_on_fable: True", "max_builders: 3")
    assert (got.profile, got.execute_on_fable, got.max_builders) == ("frontier", True, 3)


def test_a_fable_switch_that_is_neither_is_warned_about(tmp_path: Path) -> None:
    """A wrong word gives way to the default, visibly."""
    got = settings(tmp_path, "execute_on_fable: maybe")
    assert got.execute_on_fable is False
    assert got.warnings == (
        f"{NAME}:2: execute_on_fable: maybe is neither true nor false; the default false is used.",
    )


def test_the_advisor_profile_stops_a_relay(tmp_path: Path) -> None:
    """REQ CON-01."""
    with pytest.raises(RelayError) as caught:
        announce_conflicts(settings(tmp_path, "profile: advisor"))
    assert caught.value.exit == Exit.HALT
    assert "advisor" in caught.value.message
    assert "frontier" in caught.value.hint
    assert "teams" in caught.value.hint


def test_what_a_relay_leaves_aside_is_announced(tmp_path: Path) -> None:
    """REQ CON-02, CON-03."""
    assert announce_conflicts(settings(tmp_path, "execute_on_fable: true", "max_builders: 4")) == (
        "execute_on_fable: true is ignored for the implementation; the target executes.",
        "max_builders: 4 is ignored; the target is one process.",
    )
    assert announce_conflicts(settings(tmp_path, "profile: frontier", "max_builders: 1")) == ()
