"""doctor: what would keep a relay from working here."""

from pathlib import Path

from knowzcode_relay.cli.options import looking
from knowzcode_relay.cli.program import verb
from knowzcode_relay.hosts.base import USER
from knowzcode_relay.hosts.surroundings import here
from knowzcode_relay.install import report
from knowzcode_relay.install.doctor import diagnose
from knowzcode_relay.install.request import bundled, folder
from knowzcode_relay.install.request import platforms as hosts
from knowzcode_relay.install.status import status
from knowzcode_relay.result import Result


@verb("doctor")
@looking
def doctor(platforms: str | None, project: Path | None) -> Result:
    """Check python, git, clients, login, sandbox helpers and installs; exit 3 on a problem."""
    around = here()
    names = hosts(platforms, USER)
    return report.diagnosed(diagnose(status(names, bundled(names), folder(project, around), around), around))
