"""The probe half of every target, whichever are registered."""

import re
import shlex
from pathlib import Path

import pytest

from relay_runtime.adapters import ADAPTERS
from relay_runtime.adapters.base import Adapter, Login, Status

every_target = pytest.mark.parametrize("adapter", ADAPTERS.values(), ids=ADAPTERS)
PAGE = Path(__file__).resolve().parents[2] / "docs" / "troubleshooting.md"
GARBAGE = ("", "null", "[]", "true", '{"loggedIn": true', "\ufffd\x00", "[" * 60_000, "9" * 5000)


@every_target
def test_each_unready_status_has_its_remedy(adapter: Adapter) -> None:
    """REQ DET-11: nobody is left without the next thing to do."""
    assert set(adapter.CLIENT.remedies) == set(Status) - {Status.READY}
    assert all(remedy.endswith(".") for remedy in adapter.CLIENT.remedies.values())


@every_target
def test_login_command_is_a_call_of_the_program(adapter: Adapter) -> None:
    """What a person is told to run is the program that was looked for."""
    assert shlex.split(adapter.CLIENT.login_command)[0] == adapter.CLIENT.program
    assert adapter.CLIENT.login_command in adapter.CLIENT.remedies[Status.UNAUTHED]


@every_target
@pytest.mark.parametrize("output", GARBAGE, ids=range(len(GARBAGE)))
@pytest.mark.parametrize("code", [1, 2, 127, -9])
def test_a_failed_login_probe_is_never_a_login(adapter: Adapter, output: str, code: int) -> None:
    """REQ DET-03, DET-05: whatever was printed."""
    assert adapter.read_login(code, output).logged_in is False
    assert adapter.read_login(code, '{"loggedIn": true}').logged_in is False


@every_target
@pytest.mark.parametrize("output", GARBAGE, ids=range(len(GARBAGE)))
def test_garbage_is_read_without_a_fault(adapter: Adapter, output: str) -> None:
    """Exit 0 with nonsense is an answer, not an exception."""
    assert adapter.read_login(0, output).method == ""


@every_target
def test_no_credential_without_a_login(adapter: Adapter) -> None:
    """An empty environment and no login pay with nothing, and nothing is said about it."""
    logged_out = Login(logged_in=False)
    environ = {"HOME": "/nowhere"}
    assert (adapter.payer(logged_out, environ), adapter.credential_notes(logged_out, environ)) == ("none", ())


@every_target
def test_home_follows_the_environment(adapter: Adapter, tmp_path: Path) -> None:
    """The client's own folder lies below the home that it is started with."""
    assert tmp_path in adapter.home({"HOME": str(tmp_path)}).parents
    assert tmp_path in adapter.home({"USERPROFILE": str(tmp_path)}).parents


@every_target
def test_troubleshooting_page_agrees(adapter: Adapter) -> None:
    """The page names the same floor and the same commands as the program does."""
    page = PAGE.read_text("utf-8")
    advised = {
        command for remedy in adapter.CLIENT.remedies.values() for command in re.findall(r"`([^`]+)`", remedy)
    }
    assert ".".join(map(str, adapter.CLIENT.minimum)) in page
    assert {command for command in advised if f"`{command}`" not in page} == set()
