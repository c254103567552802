"""job: hand every word, and all three streams, to the runtime, which runs and keeps jobs."""

import os
import subprocess
import sys

import click

from knowzcode_relay.cli.program import program, write
from knowzcode_relay.errors import RelayError
from knowzcode_relay.hosts.surroundings import here
from knowzcode_relay.install import manifest
from knowzcode_relay.install.runtime import of_this_version
from knowzcode_relay.result import Result


@program.command(
    "job",
    context_settings={
        "ignore_unknown_options": True,
        "allow_interspersed_args": False,
        "help_option_names": [],
    },
)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="run|start|wait|cancel|list|show|prune")
def job(words: tuple[str, ...]) -> int:
    """Run another agent from a text header; wait for it, list, cancel."""
    try:
        runtime = of_this_version(manifest.load(here().data).installs)
    except RelayError as error:
        result = Result.of(error)
        write(result.as_json("job") if "--json" in words else result.as_text())
        return int(result.exit)
    argv = [sys.executable, "-I", str(runtime), "job", *words]
    if os.name == "posix":
        # In our place, so that a signal reaches who waits for the job.
        os.execv(argv[0], argv)  # noqa: S606  a list of words, no shell
    return subprocess.run(argv, check=False).returncode
