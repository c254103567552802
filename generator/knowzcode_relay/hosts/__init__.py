"""Where packages go, one module per host; what each must offer is in base."""

from knowzcode_relay.hosts import claude, codex, gemini
from knowzcode_relay.hosts.base import Host

HOSTS: dict[str, Host] = {claude.NAME: claude, codex.NAME: codex}
REFUSED: dict[str, str] = {gemini.NAME: gemini.REFUSAL}

__all__ = ["HOSTS", "REFUSED"]
