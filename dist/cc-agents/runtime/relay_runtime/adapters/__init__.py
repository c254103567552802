"""One module per target; what each must offer is in base, in leg for a relay, and in job for a job.

A registry holds what can do a thing, so a target that only runs jobs is no relay target anywhere.
"""

from __future__ import annotations

from relay_runtime.adapters import claude, claude_leg, codex, codex_job, codex_leg, opencode_job
from relay_runtime.adapters.base import Adapter
from relay_runtime.adapters.job import JobTarget
from relay_runtime.adapters.leg import Leg, Target

ADAPTERS: dict[str, Adapter] = {"codex": codex, "claude": claude}
LEGS: dict[str, Leg] = {"codex": codex_leg, "claude": claude_leg}
JOB_TARGETS: dict[str, JobTarget] = {"codex": codex_job, "opencode": opencode_job}
TARGETS: dict[str, Target] = {**JOB_TARGETS, **LEGS}
