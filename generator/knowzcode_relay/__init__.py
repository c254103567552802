"""Render, install and rehearse KnowzCode relay packages for Claude Code and Codex."""

__version__ = "0.1.0"
