"""What of this pair, the host's sandbox around us and the target's sandbox inside, would stop a leg."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from relay_runtime.adapters.base import Adapter, Note
from relay_runtime.readiness import executable, hostbox
from relay_runtime.readiness.hostbox import HostBox
from relay_runtime.readiness.probe import run_probe

NETWORK_TAG = "RELAY-NETWORK"
TRIAL_SECONDS = 2.0
_SAID = 90  # characters of the helper's own words

_PACKAGES = {"bwrap": "bubblewrap", "socat": "socat"}
_INSTALLERS = ("apt-get install", "dnf install", "pacman -S", "apk add")
_ALLOW = (
    "Allow user namespaces: in Docker `--security-opt seccomp=unconfined`, on Ubuntu "
    "`sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0`. Full access is never chosen for you."
)


def notes(
    adapter: Adapter, box: HostBox, environ: Mapping[str, str], *, platform: str = sys.platform
) -> tuple[Note, ...]:
    """The findings, those about the host's sandbox first. `environ` is what the target would get."""
    return (
        *_host_sandbox(adapter, box, environ),
        *adapter.home_notes(environ),
        *(_target_sandbox(adapter, box, environ) if platform == "linux" else ()),
    )


def _host_sandbox(adapter: Adapter, box: HostBox, environ: Mapping[str, str]) -> list[Note]:
    title = adapter.CLIENT.title
    found: list[Note] = []
    if not box.network:
        text = f"The host's sandbox leaves this command no network: {title} cannot reach its service."
        found.append(Note(NETWORK_TAG, text, blocks=True))
    elif box.told:
        # Believed enough to say it, not enough to refuse: a socket was allowed.
        text = f"The host marks this command as sandboxed: {title} may have no network and not see its login."
        found.append(Note(NETWORK_TAG, text))
    read_only = [
        name
        for name, is_so in (
            (".git", not box.git),
            (f"{title}'s own folder", hostbox.read_only(adapter.home(environ))),
        )
        if is_so
    ]
    if read_only:
        text = f"Read-only here: {' and '.join(read_only)}. A leg and its checkpoint need to write there."
        found.append(Note("RELAY-SANDBOX", text, blocks=True))
    return found


def _target_sandbox(adapter: Adapter, box: HostBox, environ: Mapping[str, str]) -> list[Note]:
    client = adapter.CLIENT
    missing = [name for name in client.sandbox_programs if executable.find(name, environ) is None]
    if missing:
        packages = " ".join(_PACKAGES[name] for name in missing)
        commands = ", ".join(f"`{installer} {packages}`" for installer in _INSTALLERS)
        text = f"{client.title}'s sandbox needs {' and '.join(missing)}. As root, one of: {commands}."
        return [Note("RELAY-SANDBOX", text, blocks=True)]
    bwrap = executable.find("bwrap", environ)
    if bwrap is None:
        return []  # the client brings its own
    trial = run_probe(
        [bwrap, "--ro-bind", "/", "/", "--dev", "/dev", *client.sandbox_flags, bwrap, "--version"],
        environ,
        TRIAL_SECONDS,
        with_stderr=True,
    )
    if trial.exit == 0:
        return []
    said = trial.error or next(iter(trial.output.splitlines()), "") or "no answer"
    said = said if len(said) <= _SAID else said[:_SAID].rpartition(" ")[0] + " …"
    where = "inside the host's" if box.boxed else "here"
    text = f"{client.title}'s sandbox cannot start {where} ({said}): each of its commands would fail."
    return [Note("RELAY-SANDBOX", text if box.boxed else f"{text} {_ALLOW}", blocks=True)]
