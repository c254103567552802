"""Verbs that the runtime answers: every word and all three streams go to it."""

import os
import subprocess
import sys

from knowzcode_relay.cli.program import write
from knowzcode_relay.errors import RelayError
from knowzcode_relay.hosts.surroundings import here
from knowzcode_relay.install import manifest
from knowzcode_relay.install.runtime import of_this_version
from knowzcode_relay.result import Result

# What click is told about such a verb: none of its words are ours.
UNREAD: dict[str, object] = {
    "ignore_unknown_options": True,
    "allow_interspersed_args": False,
    "help_option_names": [],
}


def hand_over(verb: str, words: tuple[str, ...]) -> int:
    """Run the runtime's verb in our place where that can be done; its exit code elsewhere."""
    try:
        runtime = of_this_version(manifest.load(here().data).installs)
    except RelayError as error:
        result = Result.of(error)
        write(result.as_json(verb) if "--json" in words else result.as_text())
        return int(result.exit)
    argv = [sys.executable, "-I", str(runtime), verb, *words]
    if os.name == "posix":
        # In our place, so that a signal reaches who waits.
        os.execv(argv[0], argv)  # noqa: S606  a list of words, no shell
    return subprocess.run(argv, check=False).returncode
