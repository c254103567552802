"""`config show` and `config explain` as a host calls them."""

from pathlib import Path

import pytest

from relay_runtime.config import keys
from support.pythons import python
from support.runtime_package import Completed, run_runtime
from support.world import World, build_tree, tree_digest

NAME = "knowzcode/knowzcode_orchestration.md"
SHARED = "transport=auto max_fix_rounds=2 timeout_minutes=90"
CODEX = f"{SHARED} model=gpt-5.6-sol effort=xhigh fix_effort=high sandbox=workspace-write"
CLAUDE = f"{SHARED} model=opus effort=high fix_effort=high permission_mode=dontAsk max_budget_usd=null"


def project(world: World, *lines: str) -> Path:
    return build_tree(world.root / "project", {NAME: "\n".join(("```yaml", *lines, "```", ""))})


def call(world: World, *words: str, host: str = "claude") -> Completed:
    return run_runtime(world, host, "config", *words, "--project", str(world.root / "project"))


def test_show_without_a_file(world: World) -> None:
    """REQ CFG-01, CFG-26: defaults of both targets, and nothing is written."""
    root = build_tree(world.root / "project", {"a.txt": "a"})
    before = tree_digest(root)
    done = call(world, "show")
    assert done.code == 0
    assert done.out == (
        f"[RELAY-CONFIG] file: {NAME} (missing; defaults apply)\n"
        "[RELAY-CONFIG] relay: none (default)\n"
        f"[RELAY-CONFIG] codex: {CODEX}\n"
        f"[RELAY-CONFIG] claude: {CLAUDE}\n"
        f"next: kc-relay status --project {root}\n"
    )
    assert tree_digest(root) == before


def test_explain_names_source_key_and_line(world: World) -> None:
    """REQ CFG-30."""
    project(world, "relay: other", "relay_model: old", "relay_codex_effort: low", "profile: teams")
    done = call(world, "explain", "codex", "--relay-max-fix-rounds=3")
    assert done.out.splitlines()[:-1] == [
        f"[RELAY-CONFIG] file: {NAME}",
        "[RELAY-CONFIG] relay: other (config)",
        "[RELAY-CONFIG] codex transport = auto (default; relay_transport)",
        "[RELAY-CONFIG] codex max_fix_rounds = 3 (flag --relay-max-fix-rounds)",
        "[RELAY-CONFIG] codex timeout_minutes = 90 (default; relay_timeout_minutes)",
        "[RELAY-CONFIG] codex model = old (legacy relay_model, line 3)",
        "[RELAY-CONFIG] codex effort = low (config relay_codex_effort, line 4)",
        "[RELAY-CONFIG] codex fix_effort = high (default; relay_codex_fix_effort)",
        "[RELAY-CONFIG] codex sandbox = workspace-write (default; relay_codex_sandbox)",
        "[RELAY-CONFIG] codex profile = teams (config profile, line 5)",
    ]


def test_explain_as_json(world: World) -> None:
    """REQ CFG-30: value, source, key and line of each."""
    project(world, "relay_claude_max_budget_usd: 2.5")
    data = call(world, "explain", "--json").json()["data"]
    assert data["targets"]["claude"]["max_budget_usd"] == {
        "value": 2.5,
        "source": "config",
        "key": "relay_claude_max_budget_usd",
        "line": 2,
    }
    assert data["targets"]["codex"]["model"] == {
        "value": "gpt-5.6-sol",
        "source": "default",
        "key": "relay_codex_model",
        "line": None,
    }
    assert data["selector"] == {"value": "none", "source": "default"}


@pytest.mark.parametrize(
    ("host", "target", "other"), [("claude", "codex", "claude"), ("codex", "claude", "codex")]
)
def test_flags_are_for_the_hosts_target(world: World, host: str, target: str, other: str) -> None:
    """REQ CFG-09, CFG-15, RES-12, RES-13: the agent that is not the host."""
    project(world)
    data = call(world, "show", "--relay-model=marker", "--json", host=host).json()["data"]["targets"]
    assert data[target]["model"]["value"] == "marker"
    assert data[other]["model"]["source"] == "default"


def test_a_flag_selector_is_shown_as_one(world: World) -> None:
    """REQ RES-05."""
    project(world, "relay: none")
    assert "[RELAY-CONFIG] relay: codex (flag)\n" in call(world, "show", "--relay=codex").out


@pytest.mark.parametrize(
    "flag", ["--relay-timeout=5", "--relay-sandbox=x", "--relay-fix-effort=low", "--relay-transport=mcp"]
)
def test_there_are_exactly_four_flags(world: World, flag: str) -> None:
    """REQ CFG-28, CFG-13."""
    done = call(world, "show", flag)
    assert done.code == 2
    assert f"Unrecognized arguments: {flag}." in done.out


@pytest.mark.parametrize("word", ["gemini", "Codex2", ""])
def test_a_selector_flag_takes_five_words(world: World, word: str) -> None:
    """REQ RES-04, RES-25."""
    project(world)
    done = call(world, "show", f"--relay={word}")
    assert done.code == 2
    assert "hint: One of: none auto other claude codex" in done.out


def test_a_repeated_flag(world: World) -> None:
    """REQ A-50: the same twice is fine, two different values are not."""
    project(world)
    assert call(world, "show", "--relay-effort=low", "--relay-effort=low").code == 0
    done = call(world, "show", "--relay-effort=low", "--relay-effort=max")
    assert done.code == 2
    assert "--relay-effort is given twice with different values." in done.out


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("relay: sometimes", "relay: sometimes is not one of its values."),
        ("relay_transport: pipe", "relay_transport: pipe is not one of its values."),
        (
            "relay_codex_sandbox: read-only",
            "relay_codex_sandbox: read-only cannot be used: the target has to write.",
        ),
        (
            "relay_claude_permission_mode: bypassPermissions",
            "relay_claude_permission_mode: bypassPermissions is never used for a relay.",
        ),
        ("relay_claude_max_budget_usd: 0", "relay_claude_max_budget_usd: 0 is no amount above zero."),
    ],
)
@pytest.mark.parametrize("host", ["claude", "codex"])
def test_a_bad_value_halts_on_either_host(world: World, host: str, line: str, message: str) -> None:
    """REQ CFG-02, 14, 18, 22, A-20: file, line and key, whichever target the value is for."""
    project(world, line)
    done = call(world, "show", host=host)
    assert done.code == 3
    assert f"[RELAY-HALT] {NAME}:2: {message}" in done.out


@pytest.mark.parametrize(("host", "code"), [("claude", 0), ("codex", 3)])
def test_forced_mcp_halts_where_claude_is_the_target(world: World, host: str, code: int) -> None:
    """REQ TRN-02: a bad pair, not a bad value. Codex can be asked for it."""
    project(world, "relay_transport: mcp")
    done = call(world, "show", host=host)
    assert done.code == code
    assert (
        "\n[RELAY-TRANSPORT] Claude MCP is not an agent relay. Set relay_transport: auto or exec.\n"
        in done.out
    )


def test_warnings_are_shown_once(world: World) -> None:
    """Field report 14, REQ CFG-29: both targets have them, the reader needs them once."""
    project(world, "relay_max_fix_rounds: 9", "relay_modle: x", "profile: advisor")
    done = call(world, "show")
    assert [line for line in done.out.splitlines() if line.startswith("[RELAY-WARNING]")] == [
        f"[RELAY-WARNING] {NAME}:3: relay_modle is no setting; relay_model is one.",
        f"[RELAY-WARNING] {NAME}:2: relay_max_fix_rounds: 9 is out of range; 3, the most allowed, is used.",
        "[RELAY-WARNING] profile: advisor routes a native builder, and a relay replaces that builder.",
    ]


def test_defaults_leave_the_file_aside(world: World) -> None:
    """REQ DOC-02: what documents are compared with."""
    project(world, "relay: codex", "relay_model: x", "relay_transport: broken")
    data = call(world, "show", "--defaults", "--json").json()["data"]
    assert data["limits"] == {"max_fix_rounds": [1, 3], "timeout_minutes_floor": {"codex": 7, "claude": 12}}
    assert data["selector"]["value"] == "none"
    assert data["targets"]["codex"]["model"]["value"] == "gpt-5.6-sol"


def test_a_codex_host_gets_the_command_it_can_run(world: World) -> None:
    """`next:` is complete on either host."""
    project(world)
    last = call(world, "show", host="codex").out.splitlines()[-1]
    assert last.startswith("next: python3 ")
    assert " status --project " in last


def test_the_bundled_template_is_the_defaults(world: World) -> None:
    """REQ DOC-02, CFG-26: every key once, with the value that its absence has."""
    template = Path(keys.__file__).parents[1] / "project" / "knowzcode_orchestration.md"
    build_tree(world.root / "project", {NAME: template.read_bytes()})
    given = call(world, "show", "--json").json()["data"]
    default = call(world, "show", "--defaults", "--json").json()["data"]
    assert given["warnings"] == []
    for target in keys.TARGETS:
        assert {field: each["value"] for field, each in given["targets"][target].items()} == {
            field: each["value"] for field, each in default["targets"][target].items()
        }
    text = template.read_text()
    for key in keys.RELAY_KEYS:
        assert text.count(f"\n{key.name}: ") == 1
        assert not key.legacy or f"\n{key.legacy}:" not in text


@pytest.mark.parametrize("version", ["3.9", "3.11", "3.13"])
def test_the_same_on_every_python(world: World, version: str) -> None:
    """REQ PKG-09: setup, status and config on the oldest and the newest."""
    root = build_tree(world.root / "project", {"a.txt": "a"})
    binary = python(version)
    lines = [
        run_runtime(world, "claude", *words, "--project", str(root), python=binary).out.splitlines()[1]
        for words in (
            ("setup",),
            ("config", "persist"),
            ("config", "explain", "--relay-max-fix-rounds=9"),
            ("status",),
        )
    ]
    assert lines == [
        "[RELAY-SETUP] made knowzcode/",
        f"next: kc-relay status --project {root}",
        "[RELAY-CONFIG] relay: other (config)",
        f"[RELAY-STATUS] project {root}, in no git repository, which a relay needs",
    ]
