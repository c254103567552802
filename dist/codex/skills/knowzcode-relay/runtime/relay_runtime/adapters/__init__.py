"""One module per target; what each must offer is in base, and in leg for running it."""

from __future__ import annotations

from relay_runtime.adapters import claude, claude_leg, codex, codex_leg
from relay_runtime.adapters.base import Adapter
from relay_runtime.adapters.leg import Leg

ADAPTERS: dict[str, Adapter] = {"codex": codex, "claude": claude}
LEGS: dict[str, Leg] = {"codex": codex_leg, "claude": claude_leg}
