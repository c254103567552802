"""The page about releases says what the tests run."""

import ast
import re

from relay_runtime.adapters import ADAPTERS
from support.checkout import ROOT
from support.hosting import DRILLED
from support.relaying import TARGET_OF

PAGE = (ROOT / "docs" / "clients.md").read_text(encoding="utf-8")
TITLES = {name: ADAPTERS[name].CLIENT.title for name in TARGET_OF}
LEGS = ROOT / "tests" / "e2e" / "test_leg_clients.py"


def block(name: str) -> str:
    found = re.search(rf"<!-- {name}:begin -->\n(.*?)<!-- {name}:end -->", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


def relays() -> str:
    rows = [
        f"| {TITLES[host]} {releases[host]} | {TITLES[TARGET_OF[host]]} {releases[TARGET_OF[host]]} |\n"
        for host, releases in DRILLED
    ]
    return "| Host | Target |\n|---|---|\n" + "".join(rows)


def leg_releases() -> list[tuple[str, str]]:
    """The releases that the tests of single legs name."""
    (found,) = (
        node.value
        for node in ast.parse(LEGS.read_text(encoding="utf-8")).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "RELEASES"
    )
    return ast.literal_eval(found)


def legs() -> str:
    lines = [
        f"- {TITLES[name]}: {', '.join(version for target, version in leg_releases() if target == name)}\n"
        for name in sorted(TITLES)
    ]
    return "".join(lines)


def test_whole_relays_are_those_of_the_drills() -> None:
    assert block("relays") == relays(), f"put this between the marks:\n{relays()}"


def test_legs_are_those_of_the_matrix() -> None:
    assert block("legs") == legs(), f"put this between the marks:\n{legs()}"


def test_the_oldest_release_that_ran_is_the_oldest_that_is_let_in() -> None:
    """REQ DOC-02: floors."""
    for name in TITLES:
        numbers = [
            tuple(map(int, version.split("."))) for target, version in leg_releases() if target == name
        ]
        assert min(numbers) == ADAPTERS[name].CLIENT.minimum
