"""Codex as a target."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from relay_runtime.adapters.base import Client, Login, Note, Status, user_home

_KEY = "CODEX_API_KEY"

CLIENT = Client(
    title="Codex",
    program="codex",
    minimum=(0, 130, 0),
    missing_below="older releases lack --ignore-user-config or leave files of their own in the repository",
    version_arguments=("--version",),
    login_arguments=("login", "status"),
    login_command="codex login",
    remedies={
        Status.MISSING: (
            "Install Codex with `npm i -g @openai/codex` or `brew install codex`, then run `codex login`."
        ),
        Status.BROKEN: "Reinstall Codex with `npm i -g @openai/codex --force` or `brew reinstall codex`.",
        Status.UNAUTHED: f"Run `codex login` (or configure {_KEY}).",
        Status.TOO_OLD: "Update Codex with `npm i -g @openai/codex@latest` or `brew upgrade codex`.",
    },
    sandbox_programs=(),  # without a bwrap on PATH it takes the one it brings
    sandbox_flags=("--unshare-user", "--unshare-pid", "--unshare-net"),
)


def read_login(exit: int, output: str) -> Login:
    """Only the exit status counts: the text differs by release and may stand on either stream."""
    del output
    return Login(logged_in=exit == 0)


def payer(login: Login, environ: Mapping[str, str]) -> str:
    if environ.get(_KEY):
        return f"API key in {_KEY}"
    return "stored login" if login.logged_in else "none"


def credential_notes(login: Login, environ: Mapping[str, str]) -> tuple[Note, ...]:
    texts: list[str] = []
    if environ.get(_KEY) and login.logged_in:
        texts.append(f"Codex pays with the API key in {_KEY}, not with the stored login: API billing.")
    elif environ.get(_KEY):
        store = f"printenv {_KEY} | codex login --with-api-key"
        texts.append(f"Codex's login check does not count {_KEY}. Store the key: {store}")
    elif environ.get("OPENAI_API_KEY") and not login.logged_in:
        texts.append(f"Codex does not use OPENAI_API_KEY by itself; a stored login or {_KEY} counts.")
    if _names_provider(home(environ) / "config.toml"):
        texts.append("Codex's own model_provider is not used: a relay leg ignores the user's config.toml.")
    return tuple(Note("RELAY-CREDENTIAL", text) for text in texts)


def home(environ: Mapping[str, str]) -> Path:
    named = environ.get("CODEX_HOME")
    return Path(named) if named else user_home(environ) / ".codex"


def home_notes(environ: Mapping[str, str]) -> tuple[Note, ...]:
    temporary = Path(environ.get("TMPDIR") or "/tmp")  # noqa: S108  what Codex falls back to
    if os.name != "posix" or temporary.resolve() not in home(environ).resolve().parents:
        return ()
    text = (
        "CODEX_HOME lies under the temporary folder, where Codex cannot sandbox: each of its commands "
        "would fail. Move CODEX_HOME, or set TMPDIR to a folder that does not contain it."
    )
    return (Note("RELAY-SANDBOX", text, blocks=True),)


def _names_provider(config: Path) -> bool:
    """Whether the top table names a model provider. Python 3.9 has no TOML reader, and one key needs none."""
    try:
        text = config.read_text("utf-8", "replace")
    except OSError:
        return False  # Codex says itself what is wrong with an unreadable file
    top_table = re.split(r"^\s*\[", text, maxsplit=1, flags=re.MULTILINE)[0]
    return re.search(r"""^\s*["']?model_provider["']?\s*=""", top_table, re.MULTILINE) is not None
