"""The same happenings in the words of each target: steps for tests/fakes/client.py."""

from typing import Any

from support.fake_client import Rule, rule

Step = list[Any]

SESSION = "01a22b88-0000-7000-8000-00000000c0de"
REPORT = "### Files Changed\nhello.py\n"


class Codex:
    """`codex exec --json`."""

    name = "codex"
    asks = ("exec",)

    def start(self, session: str = SESSION) -> list[Step]:
        return [["say", {"type": "thread.started", "thread_id": session}], ["say", {"type": "turn.started"}]]

    def speak(self, text: str) -> list[Step]:
        return [self._item({"type": "agent_message", "text": text})]

    def change(self, path: str) -> list[Step]:
        changes = [{"path": path, "kind": "add"}]
        return [self._item({"type": "file_change", "changes": changes, "status": "completed"})]

    def command(self, output: str, code: int) -> list[Step]:
        status = "completed" if code == 0 else "failed"
        item = {"type": "command_execution", "command": "make", "aggregated_output": output}
        return [self._item({**item, "exit_code": code, "status": status})]

    def finish(self, text: str = REPORT) -> list[Step]:
        usage = {"input_tokens": 250, "output_tokens": 40}
        return [*self.speak(text), ["last", text], ["say", {"type": "turn.completed", "usage": usage}]]

    def fail(self, kind: str) -> list[Step]:
        text = {
            "auth": "unexpected status 401 Unauthorized: no such key, url: http://127.0.0.1/v1/responses",
            "quota": "You've hit your usage limit. Try again at 9:15 AM.",
            "model": "The 'old' model is not supported",
            "server": "We're currently experiencing high demand, which may cause temporary errors.",
        }[kind]
        failed = {"type": "turn.failed", "error": {"message": text}}
        return [["say", {"type": "error", "message": text}], ["say", failed]]

    def retry(self, kind: str) -> Step:
        text = {
            "auth": "Reconnecting... 1/5 (unexpected status 401 Unauthorized: no such key)",
            "network": "Reconnecting... waiting for network (Connection failed: error sending request)",
        }[kind]
        return ["say", {"type": "error", "message": text}]

    def _item(self, item: dict[str, Any]) -> Step:
        return ["say", {"type": "item.completed", "item": {"id": "item_0", **item}}]


class Claude:
    """`claude -p --output-format stream-json`."""

    name = "claude"
    asks = ("-p",)

    def start(self, session: str = SESSION) -> list[Step]:
        init = {"type": "system", "subtype": "init", "session_id": session, "model": "claude-opus-5-5"}
        return [["say", init]]

    def speak(self, text: str) -> list[Step]:
        return [self._assistant({"type": "text", "text": text})]

    def change(self, path: str) -> list[Step]:
        given = {"file_path": path, "content": "x"}
        return [*self._tool("Write", given, "File created", failed=False)]

    def command(self, output: str, code: int) -> list[Step]:
        said = output if code == 0 else f"Exit code {code}\n{output}"
        return self._tool("Bash", {"command": "make"}, said, failed=code != 0)

    def refuse(self) -> list[Step]:
        said = "Permission to use Write has been denied because Claude Code is running in don't ask mode."
        return self._tool("Write", {"file_path": "/etc/hosts", "content": "x"}, said, failed=True)

    def finish(self, text: str = REPORT) -> list[Step]:
        return [*self.speak(text), self._result(result=text)]

    def fail(self, kind: str) -> list[Step]:
        error, text = {
            "auth": ("authentication_failed", "Invalid API key · Fix external API key"),
            "quota": ("rate_limit", "You've hit your session limit · resets 10:51am (UTC)"),
            "model": ("model_not_found", "There's an issue with the selected model (old)."),
            "server": ("server_error", "API Error: 500 Internal server error."),
        }[kind]
        told = ["say", {"type": "assistant", "error": error, "message": {"content": []}}]
        return [told, self._result(is_error=True, result=text)]

    def retry(self, kind: str) -> Step:
        error = {"auth": "authentication_failed", "network": "unknown"}[kind]
        return ["say", {"type": "system", "subtype": "api_retry", "attempt": 1, "error": error}]

    def _result(self, **more: Any) -> Step:
        plain = {"type": "result", "subtype": "success", "is_error": False, "num_turns": 2}
        usage = {"input_tokens": 250, "output_tokens": 40}
        return ["say", {**plain, "session_id": SESSION, "usage": usage, **more}]

    def _assistant(self, block: dict[str, Any]) -> Step:
        return ["say", {"type": "assistant", "message": {"content": [block]}, "parent_tool_use_id": None}]

    def _tool(self, name: str, given: dict[str, Any], said: str, *, failed: bool) -> list[Step]:
        call = {"type": "tool_use", "id": "toolu_1", "name": name, "input": given}
        result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": said, "is_error": failed}
        return [self._assistant(call), ["say", {"type": "user", "message": {"content": [result]}}]]


class OpenCode:
    """`opencode run --format json`. It runs jobs only; it has no sandbox and does not try a login again."""

    name = "opencode"
    asks = ("run",)

    def start(self, session: str = SESSION) -> list[Step]:
        return [self._part("step_start", session=session)]

    def speak(self, text: str) -> list[Step]:
        return [self._part("text", text=text)]

    def change(self, path: str) -> list[Step]:
        return self._tool("write", {"filePath": path, "content": "x"}, "Wrote file successfully.")

    def command(self, output: str, code: int) -> list[Step]:
        given = {"command": "make", "description": "make it"}
        return self._tool("bash", given, output, metadata={"exit": code})

    def refuse(self) -> list[Step]:
        error = "The user rejected permission to use this specific tool call."
        given = {"filePath": "/etc/hosts", "content": "x"}
        state = {"status": "error", "input": given, "error": error}
        return [self._part("tool_use", tool="write", state=state), self.stop("tool-calls")]

    def finish(self, text: str = REPORT) -> list[Step]:
        return [*(self.speak(text) if text else []), self.stop("stop")]

    def fail(self, kind: str) -> list[Step]:
        status, text = {
            "auth": (401, "Incorrect API key"),
            "quota": (429, "Rate limit"),
            "model": (404, "The model does not exist"),
            "server": (500, "server had an error"),
        }[kind]
        error = {"name": "APIError", "data": {"message": text, "statusCode": status}}
        return [["say", {"type": "error", "sessionID": SESSION, "error": error}]]

    def retry(self, kind: str) -> Step:
        assert kind == "network"
        return self.stop("unknown")

    def ask(self, permission: str) -> Step:
        return ["raw", f"\x1b[93m\x1b[1m! \x1b[0mpermission requested: {permission} (touch z); waiting\n"]

    def stop(self, reason: str) -> Step:
        return self._part("step_finish", reason=reason, tokens={"input": 250, "output": 40})

    def _tool(self, name: str, given: dict[str, Any], output: str, **more: Any) -> list[Step]:
        state = {"status": "completed", "input": given, "output": output, **more}
        return [self._part("tool_use", tool=name, state=state)]

    def _part(self, kind: str, session: str = SESSION, **what: Any) -> Step:
        part = {"type": kind.replace("_", "-"), "messageID": "msg_1", "sessionID": session, **what}
        return ["say", {"type": kind, "sessionID": session, "part": part}]


Dialect = Codex | Claude | OpenCode
DIALECTS: dict[str, Dialect] = {"codex": Codex(), "claude": Claude(), "opencode": OpenCode()}


def leg_rule(dialect: Dialect, *steps: Step, **more: Any) -> Rule:
    """What the fake client plays when it is asked to run a leg (not when it is probed)."""
    words = ("-a", "never", *dialect.asks) if dialect.name == "codex" else dialect.asks
    return rule(*words, stdin=True, steps=list(steps), **more)
