"""Codex as an MCP server: our bridge is its client and speaks to the rest of us like `codex exec`."""
