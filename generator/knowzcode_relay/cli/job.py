"""job: the runtime runs and keeps jobs."""

import click

from knowzcode_relay.cli.handover import UNREAD, hand_over
from knowzcode_relay.cli.program import program


@program.command("job", context_settings=UNREAD)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="run|start|wait|cancel|list|show|prune")
def job(words: tuple[str, ...]) -> int:
    """Run another agent from a text header; wait for it, list, cancel."""
    return hand_over("job", words)
