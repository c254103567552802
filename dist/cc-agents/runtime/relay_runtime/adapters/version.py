"""Versions as the clients print them."""

from __future__ import annotations

import re


def find_version(output: str) -> str:
    """The first version in what `--version` printed; empty without one."""
    found = re.search(r"\b\d+\.\d+\.\d+(?:[-+.][0-9A-Za-z.+-]*)?", output)
    return found.group() if found else ""


def numbers(version: str) -> tuple[int, int, int]:
    major, minor, patch = re.findall(r"\d+", version)[:3]
    return int(major), int(minor), int(patch)


def dotted(version: tuple[int, int, int]) -> str:
    return ".".join(map(str, version))
