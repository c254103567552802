"""The command line: parse, call one function, render what came back."""

from knowzcode_relay.cli import completion, generate, install, uninstall, upgrade  # each registers its verb
from knowzcode_relay.cli.program import main

__all__ = ["completion", "generate", "install", "main", "uninstall", "upgrade"]
