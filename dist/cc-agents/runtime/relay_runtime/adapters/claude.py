"""Claude Code as a target."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from relay_runtime.adapters.base import Client, Login, Note, Status, user_home

_KEY = "ANTHROPIC_API_KEY"
_VARIABLES = {
    "ANTHROPIC_AUTH_TOKEN": "token",
    _KEY: "API key",
    "CLAUDE_CODE_OAUTH_TOKEN": "subscription token",
}
_THIRD_PARTY = "third_party"
_STORED = {"claude.ai": "subscription", "api_key_helper": "API key helper"}
_INSTALLER = "https://code.claude.com/docs/en/setup"

CLIENT = Client(
    title="Claude Code",
    program="claude",
    minimum=(2, 1, 197),
    missing_below="older releases were not tried, and their sandbox settings may mean something else",
    version_arguments=("--version",),
    login_arguments=("auth", "status", "--json"),
    login_command="claude auth login",
    remedies={
        Status.MISSING: (
            f"Install Claude Code with its supported installer ({_INSTALLER}), then run `claude auth login`."
        ),
        Status.BROKEN: (
            f"Reinstall or update Claude Code ({_INSTALLER}), then verify it with `claude --version`."
        ),
        Status.UNAUTHED: (
            "Run `claude auth login` (or configure the supported API or provider credentials, "
            f"such as {_KEY})."
        ),
        Status.TOO_OLD: "Update Claude Code with `claude update`.",
    },
    sandbox_programs=("bwrap", "socat"),
    sandbox_flags=("--unshare-pid", "--proc", "/proc", "--unshare-net"),
)


def read_login(exit: int, output: str) -> Login:
    """Exit 0 and a JSON `loggedIn` that is true itself. Of the rest only the method is read.

    The record also holds e-mail, organisation and paths of the user; they end here.
    """
    try:
        record: object = json.loads(output)
    except (ValueError, RecursionError):  # the latter for thousands of nested brackets
        return Login(logged_in=False)
    if not isinstance(record, dict):
        return Login(logged_in=False)
    fields = cast("dict[str, object]", record)
    method = fields.get("authMethod")
    return Login(
        logged_in=exit == 0 and fields.get("loggedIn") is True,
        method=method if isinstance(method, str) else "",
    )


def payer(login: Login, environ: Mapping[str, str]) -> str:
    """In the order in which a headless call looks for a credential."""
    if not login.logged_in:
        return "none"
    if login.method == _THIRD_PARTY:
        return "third-party provider"
    for name, kind in _VARIABLES.items():
        if environ.get(name):
            return f"{kind} in {name}"
    return _STORED.get(login.method, "stored login")


def credential_notes(login: Login, environ: Mapping[str, str]) -> tuple[Note, ...]:
    found = payer(login, environ)
    if found == "third-party provider":
        text = "Claude Code uses a third-party provider; its login check does not look at those credentials."
    elif found == f"API key in {_KEY}":
        text = f"Claude Code pays with the API key in {_KEY}, not with a subscription: API billing."
    else:
        return ()
    return (Note("RELAY-CREDENTIAL", text),)


def home(environ: Mapping[str, str]) -> Path:
    named = environ.get("CLAUDE_CONFIG_DIR")
    return Path(named) if named else user_home(environ) / ".claude"


def home_notes(environ: Mapping[str, str]) -> tuple[Note, ...]:
    del environ
    return ()
