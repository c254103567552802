"""rehearse: a whole relay on this machine, with no account and no quota."""

import click

from knowzcode_relay.cli.program import verb, write
from knowzcode_relay.errors import Exit, RelayError
from knowzcode_relay.hosts.surroundings import here
from knowzcode_relay.install.request import bundled
from knowzcode_relay.rehearsal import report
from knowzcode_relay.rehearsal.clients import CLIENTS, other
from knowzcode_relay.rehearsal.host import Step
from knowzcode_relay.rehearsal.play import play
from knowzcode_relay.result import Result

_NAMES = click.Choice(tuple(CLIENTS))


@verb("rehearse")
@click.option("--host", type=_NAMES, help="Who plans and reviews; the other one by default.")
@click.option("--target", type=_NAMES, help="Who implements, with its real client; codex by default.")
@click.option("--keep", is_flag=True, help="Keep the disposable folder and say where it is.")
def rehearse(host: str | None, target: str | None, keep: bool) -> Result:
    """Play a whole relay with the real client and a scripted model; exit 3 without the client."""
    target = target or (other(host) if host else "codex")
    host = host or other(target)
    if host == target:
        raise RelayError("rehearsal.same", f"{target} cannot be host and target at once.", exit=Exit.USAGE)
    as_json = click.get_current_context().params["as_json"]

    def tell(step: Step, state: str) -> None:
        if not as_json:
            write("\n".join(report.step_lines(step, state)) + "\n")

    return report.verdict(play(host, target, bundled((host,))[host], here(), keep=keep, tell=tell))
