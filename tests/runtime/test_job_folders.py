"""Where jobs are kept, on every system."""

from pathlib import Path

import pytest

from relay_runtime.errors import RelayError
from relay_runtime.jobs.folder import folders, plain

HOME = {"HOME": "/home/me"}


@pytest.mark.parametrize(
    ("platform", "environ", "root"),
    [
        ("linux", HOME, "/home/me/.local/state/knowzcode-relay"),
        ("linux", {**HOME, "XDG_STATE_HOME": "/state"}, "/state/knowzcode-relay"),
        ("linux", {**HOME, "XDG_STATE_HOME": "relative"}, "/home/me/.local/state/knowzcode-relay"),
        ("linux", {**HOME, "KNOWZCODE_RELAY_STATE_DIR": "/mine"}, "/mine"),
        ("darwin", HOME, "/home/me/Library/Application Support/knowzcode-relay"),
        ("win32", {"LOCALAPPDATA": "/c/local"}, "/c/local/knowzcode-relay"),
    ],
)
def test_the_users_state_folder(platform: str, environ: dict[str, str], root: str) -> None:
    """A-J18: by the system's own rule, or by one variable."""
    place = folders(environ, platform)
    assert place.root == Path(root)
    assert place.job("a").report == Path(root, "jobs", "a", "report.md")  # REQ JRP-02


@pytest.mark.parametrize(
    ("platform", "environ"),
    [("linux", {}), ("win32", HOME), ("linux", {**HOME, "KNOWZCODE_RELAY_STATE_DIR": "mine"})],
)
def test_without_a_folder_it_says_so(platform: str, environ: dict[str, str]) -> None:
    with pytest.raises(RelayError) as refused:
        folders(environ, platform)
    assert refused.value.problem == "job.state-dir"


@pytest.mark.parametrize("name", ["a", "a1b2", "wf_1a-B.2", "x" * 128])
def test_plain_names(name: str) -> None:
    assert plain("job id", name) == name
