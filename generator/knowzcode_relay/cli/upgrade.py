"""upgrade: bring what is installed to this program's version, newer or older."""

from typing import Any

from knowzcode_relay.cli.options import changing, request
from knowzcode_relay.cli.program import verb
from knowzcode_relay.hosts.surroundings import here
from knowzcode_relay.install import view
from knowzcode_relay.install.bring import UPGRADE, bring
from knowzcode_relay.install.request import bundled
from knowzcode_relay.result import Result


@verb("upgrade")
@changing(named=False)
def upgrade(**options: Any) -> Result:
    """Bring what is installed to this program's version, newer or older."""
    around = here()
    wanted = request(UPGRADE, options, around)
    return view.brought(bring(wanted, bundled(wanted.platforms), around), diff=options["diff"])
