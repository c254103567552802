"""verify: compare what is installed with what was written."""

from pathlib import Path

from knowzcode_relay.cli.options import looking
from knowzcode_relay.cli.program import verb
from knowzcode_relay.hosts.base import USER
from knowzcode_relay.hosts.surroundings import here
from knowzcode_relay.install import report
from knowzcode_relay.install.request import ALL, folder
from knowzcode_relay.install.request import platforms as hosts
from knowzcode_relay.install.verify import verify as compare
from knowzcode_relay.result import Result


@verb("verify")
@looking
def verify(platforms: str | None, project: Path | None) -> Result:
    """Compare installed files with what was written; exit 8 on any difference."""
    around = here()
    names = hosts(platforms, USER)
    return report.verified(compare(names, platforms not in (None, ALL), folder(project, around), around))
