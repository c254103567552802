"""Where the templates, the runtime and the rendered packages are: inside the wheel, or in a checkout."""

from pathlib import Path

from knowzcode_relay.errors import Exit, RelayError

_BUNDLED = Path(__file__).resolve().parent / "_data"
_CHECKOUT = Path(__file__).resolve().parents[2]


def _root() -> Path:
    return _BUNDLED if _BUNDLED.is_dir() else _CHECKOUT


def templates() -> Path:
    """The folder of skill templates."""
    return _root() / "skill_templates"


def runtime() -> Path:
    """The folder of the runtime that every package bundles."""
    return _root() / "runtime"


def rendered() -> Path:
    """The folder of rendered packages, one subfolder each."""
    return _root() / "dist"


def checkout() -> Path:
    """The source checkout that this program runs from; RelayError (exit 3) when it runs from a wheel."""
    if _BUNDLED.is_dir() or not (_CHECKOUT / "pyproject.toml").is_file():
        raise RelayError(
            "checkout.missing",
            "generate writes dist/ in a source checkout, and this program was installed from a wheel.",
            exit=Exit.HALT,
            hint="Clone the repository, install it with: pip install -e . and run generate there.",
        )
    return _CHECKOUT
