"""A stand-in for `codex mcp-server`, played from a scenario: the JSON file named as the only argument.

log        every tool call is written here, one JSON object a line
tools      the answer to tools/list
events     notifications of a call, sent before its result
content    the text of the result; an empty one with "error": true is a failed call
die        the number of the call in whose middle it ends
wait       a file: no result before it exists
"""

import json
import sys
import time
from pathlib import Path
from typing import Any


def say(message: dict[str, Any]) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def main() -> None:
    scenario = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    calls: list[dict[str, Any]] = []
    for line in sys.stdin:
        message = json.loads(line)
        number, method = message.get("id"), message["method"]
        if method == "initialize":
            say({"id": number, "result": {"serverInfo": {"name": "fake"}}})
        elif method == "tools/list":
            say({"id": number, "result": {"tools": scenario["tools"]}})
        elif method == "tools/call":
            answer(scenario, number, message["params"], calls)


def answer(
    scenario: dict[str, Any], number: int, params: dict[str, Any], calls: list[dict[str, Any]]
) -> None:
    with Path(scenario["log"]).open("a", encoding="utf-8") as log:
        log.write(json.dumps(params) + "\n")
    calls.append(params["arguments"])
    thread = params["arguments"].get("threadId") or scenario["thread"]
    if params["name"] == "codex":
        event(number, {"type": "session_configured", "session_id": thread, "thread_id": thread})
    elif thread != scenario["thread"] or "cwd" not in calls[0]:
        result(number, thread, f"Session not found for thread_id: {thread}", failed=True)
        return
    for one in scenario.get("events", []):
        event(number, one)
    if len(calls) <= len(scenario.get("writes", [])):
        path, text = scenario["writes"][len(calls) - 1]
        Path(calls[0]["cwd"], path).write_text(text, "utf-8")
    if scenario.get("die") == len(calls):
        sys.exit(1)
    while "wait" in scenario and not Path(scenario["wait"]).exists():
        time.sleep(0.05)
    result(number, thread, scenario["content"], failed=scenario.get("error", False))


def event(number: int, message: dict[str, Any]) -> None:
    say({"method": "codex/event", "params": {"_meta": {"requestId": number}, "msg": message}})


def result(number: int, thread: str, content: str, *, failed: bool) -> None:
    said = {"threadId": thread, "content": content}
    say({"id": number, "result": {"structuredContent": said, "isError": failed}})


main()
