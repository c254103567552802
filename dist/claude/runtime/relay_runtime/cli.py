"""Parse one verb, call its module, write out what came back."""

from __future__ import annotations

import argparse
import gc
import importlib
import os
import sys
from pathlib import Path
from typing import NoReturn, Protocol

from relay_runtime import package, rehearsal
from relay_runtime.answer import Answer
from relay_runtime.clock import SystemClock
from relay_runtime.context import Context
from relay_runtime.depth import refuse_nested
from relay_runtime.errors import Exit, RelayError, UsageError


class Verb(Protocol):
    """A module of relay_runtime.verbs."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...
    def run(self, args: argparse.Namespace, context: Context) -> Answer: ...


# verb -> (module, one line of help). A module is imported only when its verb is called.
VERBS: dict[str, tuple[str, str]] = {
    "resolve": ("relay_runtime.verbs.resolve", "say who implements a request, and what to do next"),
    "detect": ("relay_runtime.verbs.detect", "say whether a target is ready"),
    "setup": ("relay_runtime.verbs.setup", "prepare the project: configuration, specs, ignored state folder"),
    "status": ("relay_runtime.verbs.status", "say where we are and what is the next step"),
    "config": ("relay_runtime.verbs.config", "show or explain the settings in force; save the opt-in"),
    "start": ("relay_runtime.verbs.start", "turn an approved plan into a relay that is ready to launch"),
    "launch": ("relay_runtime.verbs.launch", "start the target for the leg that is due"),
    "poll": ("relay_runtime.verbs.poll", "wait a bounded time for news of the leg"),
    "decide": ("relay_runtime.verbs.decide", "answer a decision that is due"),
    "checkpoint": ("relay_runtime.verbs.checkpoint", "commit the leg's owned paths"),
    "review": ("relay_runtime.verbs.review", "take the host's findings and give the verdict"),
    "finish": ("relay_runtime.verbs.finish", "end a relay whose review is clean"),
    "abort": ("relay_runtime.verbs.abort", "stop the leg and end the relay"),
    "resume": ("relay_runtime.verbs.resume", "say where the relay stands, and go on with it"),
    "packet": ("relay_runtime.verbs.packet", "print all that a monitor of one leg needs"),
    "progress": ("relay_runtime.verbs.progress", "print the progress of the leg"),
    "complete": ("relay_runtime.verbs.complete", "say whether the leg ended with success"),
    "runs": ("relay_runtime.verbs.runs", "list, show or prune the relays of this repository"),
    "session": ("relay_runtime.verbs.session", "print the id of the target's session"),
    "result": ("relay_runtime.verbs.result", "print how the target's last answer ended"),
    "job": ("relay_runtime.verbs.job", "run another agent from a text header; wait for it, list, cancel"),
    "mcp-leg": ("relay_runtime.verbs.mcp_leg", "internal: one leg over MCP, in the place of a client"),
    "supervise": ("relay_runtime.verbs.supervise", "internal: watch one process of a leg to its end"),
    "approve": ("relay_runtime.verbs.approve", "internal: answer the host's hook before a tool call"),
}


# The verb that the host calls before its tool calls. To the host an exit code 2 is a veto, also of calls that
# have nothing to do with us, so this verb fails in silence.
HOOK = "approve"


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError("usage", message[0].upper() + message[1:] + ".", hint=f"See: {self.prog} --help")


def main(argv: list[str]) -> int:
    """Run one call of the runtime and give its exit code. Nothing below this function prints."""
    verb = next((word for word in argv if not word.startswith("-")), "")
    as_json = "--json" in argv
    try:
        answer = _run(argv)
    except RelayError as error:
        answer = _refusal(error)
    except KeyboardInterrupt:
        return 130
    except Exception:  # noqa: BLE001  a bug: say so in one line, keep the details
        from relay_runtime.fault import record

        answer = record(argv)
    if verb == HOOK and answer.exit != Exit.DONE:
        answer = Answer(message="")
    answer = rehearsal.marked(answer, os.environ)
    _write(answer.as_json(verb).encode() if as_json else answer.as_bytes())
    return answer.code


def _run(argv: list[str]) -> Answer:
    loaded = package.load()
    if not argv or argv[0] in ("-h", "--help", "help"):
        return Answer(message=_parser(loaded).format_help().rstrip())
    if argv[0] == "--version":
        return Answer(
            message=f"knowzcode-relay {loaded.version} ({loaded.host})", data={"version": loaded.version}
        )
    if argv[0] not in VERBS:
        raise UsageError("usage.verb", f"There is no verb {argv[0]!r}.", hint="One of: " + " ".join(VERBS))
    module: Verb = importlib.import_module(VERBS[argv[0]][0])  # type: ignore[assignment]
    verb = _Parser(
        prog=f"{_name(loaded)} {argv[0]}",
        description=VERBS[argv[0]][1],
        add_help=False,
        allow_abbrev=False,
        formatter_class=_formatter,
    )
    verb.add_argument("-h", "--help", action="store_true", help="show this text")
    verb.add_argument(
        "--project", metavar="DIR", help="the project; without it the one around the current folder"
    )
    verb.add_argument("--json", action="store_true", help="answer with one JSON object")
    module.add_arguments(verb)
    if "-h" in argv[1:] or "--help" in argv[1:]:
        return Answer(message=verb.format_help().rstrip())
    refuse_nested(argv[0], os.environ)
    args = verb.parse_args(argv[1:])
    rehearsal.endpoint(os.environ)  # a wrong address stops every verb
    gc.enable()
    return module.run(args, _context(loaded, args.project))


def _formatter(prog: str) -> argparse.HelpFormatter:
    """Of one width: argparse asks for it at every argument, and to measure a terminal loads four modules."""
    return argparse.HelpFormatter(prog, width=100)


def _context(loaded: package.Package, project: str | None) -> Context:
    return Context(
        package=loaded,
        environ=dict(os.environ),
        cwd=_cwd(),
        clock=SystemClock(),
        read_stdin=_read_stdin,
        project_named=project,
        progress=_progress,
    )


def _cwd() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError as error:
        raise RelayError(
            "cwd.gone",
            "The present folder was removed.",
            exit=Exit.HALT,
            hint="Change to a folder that exists, and name the project: --project DIR",
        ) from error


def _read_stdin(limit: int) -> bytes:
    return b"" if sys.stdin is None or sys.stdin.isatty() else sys.stdin.buffer.read(limit)


def _refusal(error: RelayError) -> Answer:
    return Answer(
        message=error.message,
        exit=error.exit,
        lines=(error.as_line(),),
        hint=error.hint,
        data={"problem": error.problem, **error.data},
    )


def _name(loaded: package.Package) -> str:
    return "kc-relay" if len(loaded.call) == 1 else "relay.py"


def _parser(loaded: package.Package) -> argparse.ArgumentParser:
    width = max(map(len, VERBS), default=0)
    table = "\n".join(f"  {name:<{width}}  {text}" for name, (_, text) in VERBS.items())
    return argparse.ArgumentParser(
        prog=_name(loaded),
        usage="%(prog)s VERB [--project DIR] [--json] ...",
        description=f"KnowzCode relay {loaded.version} for the {loaded.host} host.",
        epilog="verbs:\n" + table,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=False,
    )


def _write(data: bytes) -> None:
    """A reader that went away is no fault of ours."""
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _progress(line: str) -> None:
    """For a person who watches; nobody else gets lines between the call and its answer."""
    if sys.stderr is not None and sys.stderr.isatty():
        print(line, file=sys.stderr, flush=True)  # noqa: T201  the one place that prints progress
