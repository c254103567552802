"""Where a client's program is, on the systems that we are not on too."""

from pathlib import Path

import pytest

from relay_runtime.readiness.executable import find

SHIMS = r"C:\Program Files x"


def find_on_windows(path: str, *files: str) -> str | None:
    return find("codex", {"PATH": path}, platform="win32", usable=lambda name: name in files)


def test_only_a_shim_in_a_folder_with_a_space() -> None:
    """Field report 7: `codex.cmd` below `Program Files x` is found and is one word."""
    assert find_on_windows(SHIMS, rf"{SHIMS}\codex.cmd") == rf"{SHIMS}\codex.cmd"


def test_program_beats_shim_in_one_folder() -> None:
    """Field report 7: a real program needs no interpreter, so it is taken."""
    found = find_on_windows(SHIMS, rf"{SHIMS}\codex.cmd", rf"{SHIMS}\codex.exe")
    assert found == rf"{SHIMS}\codex.exe"


def test_earlier_folder_beats_later_program() -> None:
    """PATH's order counts before the kind of file."""
    found = find_on_windows(rf"C:\npm;{SHIMS}", r"C:\npm\codex.cmd", rf"{SHIMS}\codex.exe")
    assert found == r"C:\npm\codex.cmd"


def test_a_script_without_suffix_is_no_program_on_windows() -> None:
    """npm puts a shell script `codex` beside the shim; Windows cannot run it."""
    assert find_on_windows(r"C:\npm", r"C:\npm\codex") is None


def test_quoted_folder_of_windows_path() -> None:
    """PATH entries may be quoted there."""
    assert find_on_windows(rf'"{SHIMS}"', rf"{SHIMS}\codex.exe") == rf"{SHIMS}\codex.exe"


@pytest.mark.parametrize("path", ["", ".", "bin", "::", "./bin:."])
def test_relative_entries_are_passed_over(path: str) -> None:
    """They would run a file of the repository."""
    assert find("codex", {"PATH": path}, platform="linux", usable=lambda _: True) is None


def test_no_path_at_all() -> None:
    """Without PATH nothing is installed."""
    assert find("codex", {}, platform="linux", usable=lambda _: True) is None


def test_first_usable_file_on_this_system(tmp_path: Path) -> None:
    """A folder and a file without the exec bit are passed over, as a shell does."""
    for name in ("folder", "plain", "right"):
        (tmp_path / name).mkdir()
    (tmp_path / "folder" / "codex").mkdir()
    (tmp_path / "plain" / "codex").write_text("x")
    (tmp_path / "right" / "codex").write_text("x")
    (tmp_path / "right" / "codex").chmod(0o755)
    path = ":".join(str(tmp_path / name) for name in ("folder", "plain", "right"))
    assert find("codex", {"PATH": path}) == str(tmp_path / "right" / "codex")
