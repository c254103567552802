"""install: put packages where their hosts find them."""

from typing import Any

from knowzcode_relay.cli.options import changing, request
from knowzcode_relay.cli.program import verb
from knowzcode_relay.hosts.surroundings import here
from knowzcode_relay.install import view
from knowzcode_relay.install.bring import bring
from knowzcode_relay.install.request import bundled
from knowzcode_relay.result import Result


@verb("install")
@changing(named=True)
def install(**options: Any) -> Result:
    """Install for the hosts named, all of them or none."""
    around = here()
    wanted = request("install", options, around)
    return view.brought(bring(wanted, bundled(wanted.platforms), around), diff=options["diff"])
