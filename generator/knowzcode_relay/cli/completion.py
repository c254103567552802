"""completion: print the script that completes this program's words in a shell."""

import click
from click.shell_completion import get_completion_class

from knowzcode_relay.cli.program import program, verb
from knowzcode_relay.result import Result

_NAME = "knowzcode-relay"
_VARIABLE = "_KNOWZCODE_RELAY_COMPLETE"


@verb("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> Result:
    """Print the completion script of a shell, to be sourced by it."""
    kind = get_completion_class(shell)
    assert kind is not None, "click knows the shells of the choice"  # noqa: S101  a fault of ours otherwise
    return Result(kind(program, {}, _NAME, _VARIABLE).source().rstrip("\n"))
