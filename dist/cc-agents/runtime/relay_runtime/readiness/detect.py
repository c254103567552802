"""Is a target ready, and does this host let it work? Live, bounded, and nothing is written."""

from __future__ import annotations

from dataclasses import dataclass

from relay_runtime.adapters import ADAPTERS
from relay_runtime.adapters.base import Client, Login, Note, Status
from relay_runtime.adapters.version import dotted, find_version, numbers
from relay_runtime.attempts.environment import child_environment
from relay_runtime.context import Context
from relay_runtime.readiness import executable, hostbox, pair
from relay_runtime.readiness.hostbox import HostBox
from relay_runtime.readiness.probe import ProbeResult, run_probe

VERSION_SECONDS = 5.0
LOGIN_SECONDS = 8.0
TOTAL_SECONDS = 10.0  # for both of them together

_HIDDEN = "The host's sandbox may hide the login and the network, so check again first."


@dataclass(frozen=True)
class Readiness:
    """`binary` is None when missing, `version` empty when unknown; `credential` says what kind would pay."""

    target: str
    status: Status
    version: str = ""
    binary: str | None = None
    credential: str = ""
    notes: tuple[Note, ...] = ()
    remediation: str = ""

    @property
    def ready(self) -> bool:
        return self.status is Status.READY

    @property
    def offline(self) -> bool:
        """Whether the host says or shows that there is no network: waiting for it would be in vain."""
        return any(note.tag == pair.NETWORK_TAG for note in self.notes)

    @property
    def blockers(self) -> tuple[Note, ...]:
        """The notes because of which a leg would fail even with a client that is ready."""
        return tuple(note for note in self.notes if note.blocks)

    def line(self) -> str:
        """The redacted line; nothing else about the login is ever shown."""
        return f"[RELAY-DETECT] target={self.target} {self._words()}"

    def lines(self) -> tuple[str, ...]:
        return (self.line(), *(note.line() for note in self.notes))

    def as_data(self) -> dict[str, object]:
        return {
            "status": self.status.value,
            "version": self.version or None,
            "binary": self.binary,
            "authed": self.ready,
            # No login check asks the service, so this is never more than what the client believes.
            "login": "logged in (not proven)" if self.ready else None,
            "credential": self.credential or None,
            "notes": [{"tag": note.tag, "text": note.text, "blocks": note.blocks} for note in self.notes],
            "remediation": self.remediation,
        }

    def _words(self) -> str:
        client = ADAPTERS[self.target].CLIENT
        if self.status is Status.READY:
            return f"ready ({self.version or 'unknown version'}, authed)"
        if self.status is Status.UNAUTHED:
            return f"{self.status.value} — run: {client.login_command}"
        if self.status is Status.TOO_OLD:
            return f"{self.status.value} ({self.version}, needs {dotted(client.minimum)})"
        return self.status.value


def exists(target: str, context: Context) -> bool:
    """Whether the target's program is on PATH. Starts no process."""
    return executable.find(ADAPTERS[target].CLIENT.program, context.environ) is not None


def detect(target: str, host: str, context: Context, *, box: HostBox | None = None) -> Readiness:
    """Look for the program, ask its version, ask for its login; the first failure ends it.

    Where the client works, the notes also say what of the pair of host and target would stop a leg.
    """
    adapter = ADAPTERS[target]
    client = adapter.CLIENT
    environ = child_environment(context.environ)
    binary = executable.find(client.program, environ)
    if binary is None:
        return Readiness(target, Status.MISSING, remediation=client.remedies[Status.MISSING])
    project = context.project()
    deadline = context.clock.monotonic() + TOTAL_SECONDS

    def ask(arguments: tuple[str, ...], seconds: float) -> ProbeResult:
        left = deadline - context.clock.monotonic()
        return run_probe((binary, *arguments), environ, min(seconds, left), cwd=project.root)

    answer = ask(client.version_arguments, VERSION_SECONDS)
    version = find_version(answer.output) if answer.exit == 0 else ""
    status = _usable(client, answer, version)
    if status is not None:
        notes = _silence(client, client.version_arguments, answer)
        if status is Status.TOO_OLD:
            notes = (Note("RELAY-VERSION", f"{client.title}: {client.missing_below}.", blocks=True),)
        return Readiness(target, status, version, binary, notes=notes, remediation=client.remedies[status])
    answer = ask(client.login_arguments, LOGIN_SECONDS)
    login = Login(logged_in=False) if answer.exit is None else adapter.read_login(answer.exit, answer.output)
    status = Status.READY if login.logged_in else Status.UNAUTHED
    box = box or hostbox.look(host, project, context.environ)
    return Readiness(
        target,
        status,
        version,
        binary,
        credential=adapter.payer(login, environ),
        notes=(
            *_silence(client, client.login_arguments, answer),
            *adapter.credential_notes(login, environ),
            *pair.notes(adapter, box, environ),
        ),
        remediation=_remediation(client, status, box.outside(context.call("detect", target))),
    )


def _usable(client: Client, answer: ProbeResult, version: str) -> Status | None:
    """What is wrong with the program itself. A version nobody can read is no fault: it ran and ended well."""
    if answer.exit != 0:
        return Status.BROKEN
    if version and numbers(version) < client.minimum:
        return Status.TOO_OLD
    return None


def _remediation(client: Client, status: Status, outside: str) -> str:
    remedy = client.remedies.get(status, "")
    if status is Status.UNAUTHED and outside:
        return f"{_HIDDEN} {outside} — if it is logged out there too: {remedy}"
    return remedy or outside


def _silence(client: Client, arguments: tuple[str, ...], answer: ProbeResult) -> tuple[Note, ...]:
    if answer.hung:
        text = f"`{client.program} {' '.join(arguments)}` gave no answer in time and was ended."
    elif answer.error:
        text = f"`{client.program}` could not be started: {answer.error}."
    else:
        return ()
    return (Note("RELAY-PROBE", text),)
