"""One leg over MCP. Started by a supervisor in the place of a client."""

from __future__ import annotations

import argparse
import sys

from relay_runtime.answer import Answer
from relay_runtime.attempts.wake import SignalWake
from relay_runtime.context import Context
from relay_runtime.errors import Exit, UsageError
from relay_runtime.mcp import bridge

_PROMPT_LIMIT = 4 * 1024 * 1024


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("call", metavar="CALL", help="what to ask of the server, as JSON")


def run(args: argparse.Namespace, context: Context) -> Answer:
    try:
        call = bridge.read_call(args.call)
    except ValueError as error:
        raise UsageError("mcp.call", f"CALL is not readable: {error}.") from error
    prompt = context.read_stdin(_PROMPT_LIMIT)
    with SignalWake() as wake:
        status = bridge.run(call, prompt, context.environ, context.clock, wake, sys.stdout.buffer)
    return Answer(message="", exit=Exit.DONE if status == 0 else Exit.FAILED)
