"""The configuration reference says what the code does."""

import re
from pathlib import Path

import pytest

from relay_runtime import config
from relay_runtime.config import keys
from relay_runtime.config.keys import Key
from relay_runtime.paths import Project
from support.runtime_package import run_runtime
from support.world import World, build_tree

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "configuration.md"


def words(values: tuple[str, ...]) -> str:
    return ", ".join(f"`{value}`" for value in values)


def limits(key: Key) -> str:
    """What a key takes, in words."""
    low, high = keys.FIX_ROUNDS
    floors = ", ".join(f"{floor} for {name.title()}" for name, floor in keys.TIMEOUT_FLOOR.items())
    efforts = words(keys.EFFORTS[key.target]) if key.target else ""
    return {
        "selector": words(keys.SELECTORS),
        "transport": words(keys.TRANSPORTS),
        "max_fix_rounds": f"{low} to {high}",
        "timeout_minutes": f"at least {floors}; at most {keys.TIMEOUT_CEILING}",
        "model": "a model name",
        "effort": efforts,
        "fix_effort": efforts,
        "sandbox": f"{words(keys.SANDBOXES)}; only the file can choose the second",
        "permission_mode": f"`{keys.PERMISSION_MODE}`",
        "max_budget_usd": "dollars per leg, above zero; `null` sets no limit",
    }[key.field]


def row(key: Key) -> str:
    flag = f"`{key.flag}=`" if key.flag else "—"
    name = f"`{key.name}`" + (f", then `{key.legacy}`" if key.legacy else "")
    return f"| {name} | {flag} | `{key.default or 'null'}` | {limits(key)} |"


def settings_block() -> str:
    head = "| Key | Flag | Default | Values |\n|---|---|---|---|\n"
    return head + "".join(row(key) + "\n" for key in keys.RELAY_KEYS)


def test_the_settings_table_is_the_codes() -> None:
    """REQ DOC-02: keys, flags, legacy keys, defaults, clamps, floors and values."""
    found = re.search(r"<!-- settings:begin -->\n(.*?)<!-- settings:end -->", PAGE.read_text(), re.DOTALL)
    assert found is not None
    assert found[1] == settings_block(), f"put this between the markers:\n{settings_block()}"


def test_the_defaults_command_is_the_codes(world: World) -> None:
    """REQ DOC-02: the numbers that documents are compared with."""
    data = run_runtime(world, "claude", "config", "show", "--defaults", "--json").json()["data"]
    for key in (*keys.SHARED, *keys.CODEX, *keys.CLAUDE):
        for target in (key.target,) if key.target else keys.TARGETS:
            shown = data["targets"][target][key.field]
            assert (None if shown["value"] is None else str(shown["value"])) == key.default
            assert shown["key"] == key.name


@pytest.mark.parametrize("key", keys.RELAY_KEYS, ids=lambda key: f"{key.name}")
def test_the_page_names_each_key_once_in_its_table(key: Key) -> None:
    """REQ DOC-02."""
    assert PAGE.read_text().count(f"\n| `{key.name}`") == 1


def test_claude_mcp_is_documented_as_deferred() -> None:
    """REQ DOC-03."""
    assert "Claude MCP is deferred" in PAGE.read_text()


def test_the_example_on_the_page_is_read_as_it_says(tmp_path: Path) -> None:
    """REQ CFG-27: the page's own yaml block works, without a warning."""
    build_tree(tmp_path, {"knowzcode/knowzcode_orchestration.md": PAGE.read_text()})
    document = config.load(Project(tmp_path))
    claude = config.effective(document, "claude")
    assert config.selector(document) == "other"
    assert config.effective(document, "codex").effort == "max"
    assert claude.max_budget_usd == 2.5
    assert claude.warnings == ()
