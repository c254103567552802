"""Reading what is rendered from: text with LF and without a BOM, regular files only, nothing by accident."""

import os
from collections.abc import Iterator
from pathlib import Path

from knowzcode_relay.errors import RelayError

# A folder gathers bytecode and editor droppings, so the runtime is a list by kind and not "the folder".
_RUNTIME_KINDS = (".py", ".md")


def text_of(path: Path) -> str:
    """The text of a source file, LF whatever the checkout made of it."""
    try:
        data = path.read_bytes()
        text = data.decode("utf-8")
    except FileNotFoundError as error:
        raise RelayError("source.missing", f"{path} does not exist.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise RelayError("source.unreadable", f"{path} cannot be read as UTF-8: {error}.") from error
    if text.startswith("\ufeff"):
        raise RelayError("source.bom", f"{path} starts with a byte order mark.")
    return text.replace("\r\n", "\n")


def templates_in(folder: Path) -> dict[str, str]:
    """Every template below `folder`, by its POSIX path."""
    return {name: text_of(folder / name) for name in regular_files(folder)}


def runtime_in(folder: Path) -> dict[str, bytes]:
    """The files of the runtime that a package bundles, by their POSIX path."""
    return {
        name: text_of(folder / name).encode()
        for name in regular_files(folder)
        if name.endswith(_RUNTIME_KINDS)
    }


def regular_files(folder: Path) -> list[str]:
    """Paths below `folder`, sorted; hidden names and bytecode folders are passed over, a link is refused."""
    return sorted(path.relative_to(folder).as_posix() for path in _walk(folder))


def _walk(folder: Path) -> Iterator[Path]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(".") or entry.name == "__pycache__":
                continue
            if entry.is_symlink():
                raise RelayError(
                    "source.link", f"{entry.path} is a link; packages are made of regular files."
                )
            if entry.is_dir():
                yield from _walk(Path(entry.path))
            else:
                yield Path(entry.path)
