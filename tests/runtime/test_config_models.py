"""Which models and efforts a configuration or a flag may name."""

from pathlib import Path

import pytest

from relay_runtime.config import Flags
from relay_runtime.errors import Exit
from support.settings import NAME, TARGETS, refusal, settings


@pytest.mark.parametrize(
    ("target", "efforts"),
    [
        ("codex", "none minimal low medium high xhigh max ultra"),
        ("claude", "low medium high xhigh max"),
    ],
)
def test_efforts_per_target(tmp_path: Path, target: str, efforts: str) -> None:
    """REQ A-52."""
    for effort in efforts.split():
        assert settings(tmp_path, target=target, flags=Flags(effort=effort)).effort == effort
    error = refusal(tmp_path, f"relay_{target}_effort: banana", target=target)
    assert error.message == f"{NAME}:2: relay_{target}_effort: banana is not one of its values."
    assert error.hint == "One of: " + efforts


@pytest.mark.parametrize("key", ["relay_claude_effort", "relay_claude_fix_effort"])
@pytest.mark.parametrize("word", ["banana", "ultra", "minimal", "none", "High"])
def test_an_effort_claude_does_not_know_halts(tmp_path: Path, key: str, word: str) -> None:
    """REQ CLA-11: Claude would only warn and take its default."""
    assert refusal(tmp_path, f"{key}: {word}", target="claude").exit == Exit.HALT


def test_a_bad_effort_in_a_flag_is_a_usage_error(tmp_path: Path) -> None:
    """REQ A-20, A-52."""
    error = refusal(tmp_path, flags=Flags(effort="banana"))
    assert error.exit == Exit.USAGE
    assert error.message == "--relay-effort=banana is not one of its values."


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "name", ["gpt-5.5", "opus[1m]", "claude-opus-4@20250514", "us.anthropic.claude-v1:0"]
)
def test_model_names(tmp_path: Path, target: str, name: str) -> None:
    """Whatever the clients and their cloud providers call a model."""
    assert settings(tmp_path, f"relay_{target}_model: {name}", target=target).model == name


@pytest.mark.parametrize("target", TARGETS)
def test_a_model_with_its_effort_glued_on_is_refused(tmp_path: Path, target: str) -> None:
    """Field report 13: rejected, never split and never sent."""
    error = refusal(tmp_path, f"relay_{target}_model: gpt-x/medium", target=target)
    assert error.exit == Exit.HALT
    assert error.message == (
        f"{NAME}:2: relay_{target}_model: gpt-x/medium holds a slash, and a model name has none."
    )


@pytest.mark.parametrize("name", ["", "-m", "--model", "a b", "$(touch x)", "a\nb", "über", "x" + "\0"])
def test_what_is_no_model_name_is_refused(tmp_path: Path, name: str) -> None:
    """The name becomes an argument of the client: it must not look like an option or hold anything odd."""
    assert refusal(tmp_path, flags=Flags(model=name)).exit == Exit.USAGE
