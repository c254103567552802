"""The click group and the one place where results and errors become text and exit codes."""

import sys
from collections.abc import Callable, Sequence
from functools import wraps
from importlib import import_module
from typing import Any

import click

from knowzcode_relay import __version__
from knowzcode_relay.errors import Exit, RelayError
from knowzcode_relay.result import Result

# Each is a module beside this one that registers the verb of its name.
VERBS = (
    "completion",
    "doctor",
    "generate",
    "install",
    "job",
    "rehearse",
    "runs",
    "status",
    "uninstall",
    "upgrade",
    "verify",
)


class _Verbs(click.Group):
    """Loads the module of a verb when the verb is asked for, since most of a start is loading."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  click's shape
        return sorted({*VERBS, *self.commands})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in VERBS and cmd_name not in self.commands:
            import_module(f"knowzcode_relay.cli.{cmd_name}")
        return super().get_command(ctx, cmd_name)


@click.group(cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="knowzcode-relay")
def program() -> None:
    """Let one coding agent plan and review while the other one implements."""


def verb(name: str) -> Callable[[Callable[..., Result]], click.Command]:
    """Register a function that returns a Result as the command `name`, with --json."""

    def register(function: Callable[..., Result]) -> click.Command:
        @click.option("--json", "as_json", is_flag=True, help="Answer with one JSON object.")
        @wraps(function)
        def body(*args: Any, as_json: bool, **options: Any) -> int:
            try:
                result = function(*args, **options)
            except RelayError as error:
                result = Result.of(error)
            write(result.as_json(name) if as_json else result.as_text())
            return int(result.exit)

        return program.command(name)(body)

    return register


def main(argv: Sequence[str] | None = None) -> None:
    """Run the program and leave with its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        code = program.main(args=words, prog_name="knowzcode-relay", standalone_mode=False)
    except click.exceptions.Abort:
        code = 130
    except click.ClickException as error:
        code = _report(usage(error), words)
    except Exception:  # noqa: BLE001  a bug: say so in one line, keep the details
        from knowzcode_relay.cli.fault import record

        code = _report(record(words), words)
    sys.exit(code if isinstance(code, int) else 0)


def usage(error: click.ClickException) -> Result:
    """The result for words that click refused."""
    context = getattr(error, "ctx", None)
    help_command = f"{context.command_path} --help" if context else "knowzcode-relay --help"
    return Result.of(
        RelayError("usage", error.format_message(), exit=Exit.USAGE, hint=f"See: {help_command}")
    )


def _report(result: Result, words: Sequence[str]) -> int:
    name = next((word for word in words if not word.startswith("-")), "")
    write(result.as_json(name) if "--json" in words else result.as_text())
    return int(result.exit)


def write(text: str) -> None:
    """Print UTF-8 whatever the locale says."""
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
    sys.stdout.buffer.flush()
