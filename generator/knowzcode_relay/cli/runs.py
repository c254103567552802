"""runs: the relays of a repository, as the runtime finds them."""

import click

from knowzcode_relay.cli.handover import UNREAD, hand_over
from knowzcode_relay.cli.program import program


@program.command("runs", context_settings=UNREAD)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="list|show WGID|prune")
def runs(words: tuple[str, ...]) -> int:
    """List, show or prune the relays of the present repository."""
    return hand_over("runs", words)
