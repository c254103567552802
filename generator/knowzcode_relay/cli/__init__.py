"""The command line: parse, call one function, render what came back."""

from knowzcode_relay.cli.program import main

__all__ = ["main"]
