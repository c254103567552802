"""The packages as they are rendered from this checkout's templates and runtime."""

from pathlib import Path

from knowzcode_relay import __version__, assets
from knowzcode_relay.render.build import render

_PREFIX = "dist/"


def rendered(package: str, folder: Path) -> Path:
    """Write the files of `dist/PACKAGE`, freshly rendered, into `folder` and give it."""
    root = f"{_PREFIX}{package}/"
    for file in render(assets.templates(), assets.runtime(), __version__).files:
        if file.path.startswith(root):
            path = folder / file.path.removeprefix(root)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.data)
            path.chmod(file.mode)
    return folder
