"""A fake MCP server, registered with the host of a world."""

import json
import sys
from pathlib import Path
from typing import Any

from support.world import World, build_tree

FAKE = Path(__file__).resolve().parents[1] / "fakes" / "mcp_server.py"
THREAD = "01a22bbb-dfc3-7e72-9be9-6e6915dff6eb"
SCHEMA = {"properties": {"threadId": {"type": "string"}, "content": {"type": "string"}}}
TOOLS = [{"name": "codex", "outputSchema": SCHEMA}, {"name": "codex-reply", "outputSchema": SCHEMA}]
EVENTS = [
    {"type": "raw_response_item", "item": {"role": "developer"}},
    {"type": "exec_command_begin", "command": ["make"]},
    {"type": "exec_command_end", "aggregated_output": "ok", "exit_code": 0},
    {"type": "patch_apply_end", "success": True, "changes": {"/srv/repo/hello.py": {"add": {}}}},
    {"type": "token_count", "info": {"total_token_usage": {"input_tokens": 10, "output_tokens": 20}}},
    {"type": "agent_message", "message": "### Files Changed\nhello.py"},
]


def register(world: World, **scenario: Any) -> Path:
    """Register the fake server with the host; the file that its calls are written to."""
    log = world.root / "calls.jsonl"
    plain = {"log": str(log), "thread": THREAD, "tools": TOOLS, "events": EVENTS, "content": "done"}
    script = world.root / "scenario.json"
    script.write_text(json.dumps({**plain, **scenario}))
    server = {"type": "stdio", "command": sys.executable, "args": [str(FAKE), str(script)]}
    config = {"mcpServers": {"codex": server}}
    build_tree(world.home, {".claude/.claude.json": json.dumps(config)})
    return log


def calls(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
