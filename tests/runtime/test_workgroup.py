"""The WorkGroup's id, its file, and the one section of it that is ours."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from relay_runtime.errors import RelayError, UsageError
from relay_runtime.paths import Project
from relay_runtime.workgroup import check_id, create, new_id, replace_section, slug, snapshot
from support.relays import WGID
from support.world import build_tree

MOMENT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def test_an_id_is_made_of_type_slug_and_moment() -> None:
    assert new_id("feat", "Add the Login Page!", MOMENT) == "kc-feat-add-the-login-page-20260102-030405"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x" * 40, "x" * 25),
        ("twenty-four-letters-long-and", "twenty-four-letters-long"),
        ("--a__b--", "a-b"),
        ("../../etc", "etc"),
        ("設計", ""),
    ],
)
def test_a_slug_is_short_and_safe(text: str, expected: str) -> None:
    assert slug(text) == expected


@pytest.mark.parametrize("word", ["", "../x", "kc-feat-20260101-000000", WGID + "\n", WGID + "/..", "-f"])
def test_only_an_id_of_our_form_becomes_a_path(word: str) -> None:
    assert check_id(WGID) == WGID
    with pytest.raises(UsageError):
        check_id(word)


def test_an_existing_workgroup_file_is_kept(tmp_path: Path) -> None:
    build_tree(tmp_path, {f"knowzcode/workgroups/{WGID}.md": "mine\r\n"})
    create(Project(tmp_path), WGID, "goal", ("A",), "now")
    assert (tmp_path / f"knowzcode/workgroups/{WGID}.md").read_bytes() == b"mine\r\n"


def note(project: Project, state: str, round: int = 0, session: str = "pending") -> bytes:
    snapshot(project, WGID, host="claude", target="codex", state=state, round=round, session=session).write()
    return (project.workgroups / f"{WGID}.md").read_bytes()


def test_the_snapshot_names_everything_and_follows_each_change(tmp_path: Path) -> None:
    """REQ SNP-01, SNP-02, SNP-03."""
    project = Project(tmp_path)
    create(project, WGID, "goal", ("NODE_A",), "2026-01-01T00:00:00Z")
    bare = (project.workgroups / f"{WGID}.md").read_text()
    for round in range(9):
        note(project, "REVIEWING", round, f"id-{round}")
    assert note(project, "REVIEWING", 9, "id-9").decode() == bare + (
        "\n## Relay\n\n"
        "**Schema:** 2 | **Host:** claude | **Target:** codex | **State:** REVIEWING | **Round:** 9 | "
        "**Session:** id-9\n"
        f"**State File:** knowzcode/workgroups/{WGID}-relay/state.md\n"
    )


def test_a_workgroup_file_that_is_gone_is_said(tmp_path: Path) -> None:
    with pytest.raises(RelayError, match=WGID):
        note(Project(tmp_path), "PLANNED")


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (b"", b"## Relay\n\nB\n"),
        (b"# t\n", b"# t\n\n## Relay\n\nB\n"),
        (b"# t", b"# t\n\n## Relay\n\nB\n"),
        (b"# t\r\n\r\n## Next\r\n", b"# t\r\n\r\n## Next\r\n\r\n## Relay\r\n\r\nB\r\n"),
        (
            b"## Relay\n\n**Schema:** 2 | x\n**State File:** y\nmine\n\n\n## Next\nz",
            b"## Relay\n\nB\n\nmine\n\n\n## Next\nz",
        ),
        (b"a\n## Relay\n**Schema:** 1\n\n## Next\n", b"a\n## Relay\n\nB\n\n## Next\n"),
        (b"## Relay\n\n**Schema:** 2\n\nx\n## Relay\n**Schema:** 2\ny\n", b"## Relay\n\nB\n\nx\ny\n"),
        (b"```\n## Relay\n```\n", b"```\n## Relay\n```\n\n## Relay\n\nB\n"),
        (b"### Relay\n## Relayed\n", b"### Relay\n## Relayed\n\n## Relay\n\nB\n"),
    ],
)
def test_only_our_lines_are_replaced(document: bytes, expected: bytes) -> None:
    """REQ SNP-02."""
    assert replace_section(document, b"B\n") == expected
