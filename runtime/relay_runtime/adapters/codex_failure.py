"""What a failed run of Codex failed of. It gives no codes, so its own words decide."""

from __future__ import annotations

import re

from relay_runtime.adapters import codex
from relay_runtime.adapters.base import Status
from relay_runtime.adapters.leg import Evidence, error_line, first_match, last_words
from relay_runtime.state.outcome import Outcome

# Read in this order, first in the failed turn's message (alone, if there is one), else in the end of stderr.
_WORDS = (
    (Outcome.SESSION_BUSY, r"already has an active writer"),
    (Outcome.SESSION_GONE, r"no rollout found for thread|session not found|no such thread"),
    (Outcome.QUOTA, r"usage limit|quota exceeded|insufficient_quota|\b429\b|rate limit|billing_hard_limit"),
    (
        Outcome.AUTH,
        r"\b401 Unauthorized\b|\b403 Forbidden\b|Missing environment variable|invalid_api_key|"
        r"Incorrect API key|refresh token|token_(?:expired|invalidated|revoked)|not logged in|"
        r"(?:log|sign) in again",
    ),
    (
        Outcome.MODEL,
        r"\bmodel\b(?! provider)[^.\n]{0,80}(?:not supported|does not exist|not found|not available|"
        r"no longer|deprecated|retired)|model_not_found|unsupported_value|Unsupported value",
    ),
    (
        Outcome.SANDBOX,
        r"failed to initialize in-process app-server client: Read-only file system|\bbwrap: |landlock",
    ),
    (
        Outcome.NETWORK,
        r"error sending request|Connection (?:failed|refused|reset)|stream disconnected|timed? ?out|"
        r"dns error|ENOTFOUND|Could not resolve|network is unreachable",
    ),
    (
        Outcome.FLAGS,
        r"Error loading config\.toml|unexpected argument|invalid value|"
        r"--skip-git-repo-check was not specified|Failed to open last message file",
    ),
    (Outcome.STREAM_UNREADABLE, r"failed printing to stdout"),
)
_TABLE = tuple((outcome, re.compile(words, re.IGNORECASE)) for outcome, words in _WORDS)

_USAGE_ERROR = 2

_REMEDIES = {
    Outcome.AUTH: codex.CLIENT.remedies[Status.UNAUTHED],
    Outcome.QUOTA: "Wait until the limit resets, or change the account's plan.",
    Outcome.MODEL: "Change the model or the effort: relay_codex_model, relay_codex_effort, or the flags.",
    Outcome.SANDBOX: "Run the relay outside any other sandbox, with a CODEX_HOME that can be written.",
    Outcome.PERMISSION: "Leave out of the plan what the rules refuse; a relay never widens them.",
    Outcome.NETWORK: "Check the network, the proxy and the provider's status.",
    Outcome.SESSION_BUSY: "End the other Codex process that has this session open, or start a fresh session.",
    Outcome.FLAGS: "This Codex does not take our flags; check its version with `codex --version`.",
}


def failure(evidence: Evidence) -> tuple[Outcome, str]:
    """A failed turn speaks for itself; stderr counts only where the stream gave no reason."""
    said = evidence.facts.error
    reason = said or last_words(evidence.stderr)
    if evidence.exit == _USAGE_ERROR and not said:
        return Outcome.FLAGS, reason
    found = first_match(_TABLE, said or evidence.stderr)
    if found is None and evidence.facts.events and not said and not error_line(evidence.stderr):
        return Outcome.INTERRUPTED, "The target ended in the middle of its turn."
    return found or Outcome.FAILED, reason


def remedy(outcome: Outcome) -> str:
    return _REMEDIES.get(outcome, "")
