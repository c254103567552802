"""Whatever happened to dist/, one rendering makes it right, and nothing outside it is touched."""

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from knowzcode_relay.package import PROGRAM, File
from knowzcode_relay.render.mirror import compare, write
from support.world import tree_digest

FILES = (
    File("dist/a/bin/run", b"#!/bin/sh\n", PROGRAM),
    File("dist/a/skills/one/SKILL.md", b"one\n"),
    File("dist/a/skills/two/SKILL.md", b"two\n"),
    File("dist/b/index.json", b"{}\n"),
    File("market/place.json", b"{}\n"),
)
PLACES = sorted({str(part) for file in FILES for part in (Path(file.path), *Path(file.path).parents)} - {"."})


def edit(place: Path) -> None:
    if place.is_file():
        place.write_bytes(b"edited")


def delete(place: Path) -> None:
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)


def flip_mode(place: Path) -> None:
    if place.is_file():
        place.chmod(place.stat().st_mode ^ 0o111)


def add_beside(place: Path) -> None:
    if place.parent.is_dir():
        place.with_name("dropping~").write_bytes(b"x")


def link_away(place: Path) -> None:
    if place.parent.is_dir():
        delete(place)
        place.symlink_to(OUTSIDE)


def make_folder(place: Path) -> None:
    if place.parent.is_dir():
        delete(place)
        (place / "inner").mkdir(parents=True)
        (place / "inner" / "file").write_bytes(b"x")


OUTSIDE = "/nonexistent"
CHANGES: list[Callable[[Path], None]] = [edit, delete, flip_mode, add_beside, link_away, make_folder]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(PLACES), st.sampled_from(CHANGES)), max_size=5))
def test_one_rendering_makes_any_dist_right(changes: list[tuple[str, Callable[[Path], None]]]) -> None:
    """REQ PKG-04."""
    with tempfile.TemporaryDirectory() as folder:
        checkout = Path(folder)
        write(checkout, FILES)
        for place, change in changes:
            if place.startswith("dist"):
                change(checkout / place)
        foreign = checkout / "market" / "foreign"
        foreign.write_bytes(b"foreign")

        write(checkout, FILES)

        assert compare(checkout, FILES) == ()
        found = {name for name, (_, data) in tree_digest(checkout).items() if data}
        assert found - {"dropping~"} == {file.path for file in FILES} | {"market/foreign"}
