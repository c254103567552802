"""The built wheel, installed in an environment of its own: what the end-to-end tests run."""

import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]


def build(kind: str, folder: Path) -> Path:
    """Build the `wheel` or `sdist` of this checkout into `folder` and give its path."""
    command = [
        sys.executable,
        "-m",
        "build",
        f"--{kind}",
        "--no-isolation",
        "--outdir",
        str(folder),
        str(CHECKOUT),
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    (built,) = folder.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return built


def install(wheel: Path, folder: Path) -> Path:
    """Install `wheel` into a new environment below `folder` and give the path of `knowzcode-relay`.

    Its libraries are those of the test run's own environment, so that nothing is fetched.
    """
    venv.EnvBuilder(with_pip=False, symlinks=True).create(folder)
    python = folder / "bin" / "python"
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(python),
        "install",
        "--quiet",
        "--no-index",
        "--no-deps",
    ]
    subprocess.run([*pip, str(wheel)], check=True, capture_output=True, timeout=120)
    site = Path(sysconfig.get_path("purelib", "venv", {"base": str(folder), "platbase": str(folder)}))
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return folder / "bin" / "knowzcode-relay"
