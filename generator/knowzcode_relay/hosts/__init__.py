"""Where packages go, one module per host; what each must offer is in base."""

from knowzcode_relay.hosts import claude, claude_jobs, codex, gemini
from knowzcode_relay.hosts.base import Host

HOSTS: dict[str, Host] = {claude.NAME: claude, codex.NAME: codex}
# What `--with` names: packages that come on top of a host's own, and live and go with it.
ADDITIONS: dict[str, Host] = {"jobs": claude_jobs}
PACKAGES: dict[str, Host] = {**HOSTS, **{each.NAME: each for each in ADDITIONS.values()}}
REFUSED: dict[str, str] = {gemini.NAME: gemini.REFUSAL}

__all__ = ["ADDITIONS", "HOSTS", "PACKAGES", "REFUSED"]
