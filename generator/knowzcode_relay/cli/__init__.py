"""The command line: parse, call one function, render what came back."""

from knowzcode_relay.cli import (  # each module registers its verb
    completion,
    doctor,
    generate,
    install,
    rehearse,
    status,
    uninstall,
    upgrade,
    verify,
)
from knowzcode_relay.cli.program import main

__all__ = [
    "completion",
    "doctor",
    "generate",
    "install",
    "main",
    "rehearse",
    "status",
    "uninstall",
    "upgrade",
    "verify",
]
