"""docs/jobs.md tells what the code does."""

import argparse
import re

from relay_runtime.adapters.codex_job import ADD_DIR_FLOOR
from relay_runtime.adapters.job import Mode
from relay_runtime.attempts.supervise import PERMISSION_WAIT, SAME_DENIAL_LIMIT
from relay_runtime.jobs.backends import BACKENDS
from relay_runtime.jobs.header import KEYS, parse
from relay_runtime.jobs.work import IDLE_SECONDS, MINUTES
from relay_runtime.verbs.job import KEEP, add_arguments
from support.checkout import ROOT
from support.jobs import LINES, block_of

PAGE = (ROOT / "docs" / "jobs.md").read_text(encoding="utf-8")


def table(first: str) -> list[list[str]]:
    """The rows of the table whose head begins with this cell, without backquotes."""
    rows = re.search(rf"^\| {first} \|.*\n\|[-|]+\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    assert rows is not None, first
    return [[cell.strip().replace("`", "") for cell in row.split("|")[1:-1]] for row in rows[1].splitlines()]


def test_the_keys_are_the_codes() -> None:
    """REQ JHD-01."""
    assert tuple(row[0] for row in table("key")) == KEYS


def test_the_backends_are_the_codes() -> None:
    """REQ JHD-06, JHD-07, A-J10."""
    titles = {"codex": "Codex", "opencode": "OpenCode"}
    assert table("backend") == [
        [
            backend.name,
            titles[backend.target],
            backend.provider or "none",
            backend.default_model or "none",
            ", ".join(backend.aliases) or "none",
        ]
        for backend in BACKENDS.values()
    ]


def test_the_modes_are_the_codes() -> None:
    assert [row[0] for row in table("mode")] == [mode.value for mode in Mode]
    assert "`" + "`, `".join(mode.value for mode in Mode) + "`" in PAGE


def test_the_words_of_switches_are_the_codes() -> None:
    """A-J7."""
    words = next(row[1] for row in table("key") if row[0] == "network").split(", ")
    assert [parse(f"network: {word}".encode()).network for word in words] == [True] * 3 + [False] * 3


def test_the_example_block_has_the_nine_lines() -> None:
    """REQ JBL-01, JBL-08."""
    example = PAGE[PAGE.index("```\nstate: completed\n") :].split("```")[1]
    assert list(block_of(example)) == LINES


def test_the_limits_are_the_codes() -> None:
    assert f"A job has {MINUTES // 60} hours" in PAGE
    assert f"after {IDLE_SECONDS // 60} minutes without output" in PAGE
    assert (PERMISSION_WAIT, "two minutes of waiting for a permission" in PAGE) == (120, True)
    assert (SAME_DENIAL_LIMIT, "the same refused call twenty times" in PAGE) == (20, True)
    assert f"the newest N ({KEEP})" in PAGE


def test_the_floor_of_add_dir_is_the_codes() -> None:
    """Field report 90."""
    assert f"before {'.'.join(map(str, ADD_DIR_FLOOR))}" in PAGE


def test_every_option_on_the_page_is_the_verbs() -> None:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    known = set(parser.format_help().replace(",", " ").split()) | {"--json"}
    calls = "\n".join(line for line in PAGE.splitlines() if "job " in line)
    assert set(re.findall(r"--[a-z]+", calls)) <= {word.strip("[]") for word in known}
