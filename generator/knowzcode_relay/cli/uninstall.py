"""uninstall: take away what we wrote, and give back what was there before."""

from typing import Any

from knowzcode_relay.cli.options import changing, request
from knowzcode_relay.cli.program import verb
from knowzcode_relay.hosts.surroundings import here
from knowzcode_relay.install import view
from knowzcode_relay.install.uninstall import uninstall as remove
from knowzcode_relay.result import Result


@verb("uninstall")
@changing(named=False)
def uninstall(**options: Any) -> Result:
    """Remove what was installed and give back what was there before."""
    around = here()
    return view.removed(remove(request("uninstall", options, around), around), diff=options["diff"])
