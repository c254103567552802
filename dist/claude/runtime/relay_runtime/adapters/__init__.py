"""One module per target; what each must offer is in base."""

from __future__ import annotations

from relay_runtime.adapters import claude, codex
from relay_runtime.adapters.base import Adapter

ADAPTERS: dict[str, Adapter] = {"codex": codex, "claude": claude}
