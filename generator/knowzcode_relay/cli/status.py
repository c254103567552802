"""status: what is installed where, and whether both targets are ready."""

from pathlib import Path

from knowzcode_relay.cli.options import looking
from knowzcode_relay.cli.program import verb
from knowzcode_relay.hosts.base import USER
from knowzcode_relay.hosts.surroundings import here
from knowzcode_relay.install import report
from knowzcode_relay.install.request import bundled, folder
from knowzcode_relay.install.request import platforms as hosts
from knowzcode_relay.install.status import status as look
from knowzcode_relay.result import Result


@verb("status")
@looking
def status(platforms: str | None, project: Path | None) -> Result:
    """Show installs, versions, drift, shadowing copies, and the readiness of both targets."""
    around = here()
    names = hosts(platforms, USER)
    return report.status(look(names, bundled(names), folder(project, around), around))
