"""What a failed run of Claude failed of. `subtype: success` is no success when `is_error` is true."""

from __future__ import annotations

import re

from relay_runtime.adapters import claude
from relay_runtime.adapters.base import Status
from relay_runtime.adapters.leg import Evidence, first_match, last_words
from relay_runtime.state.outcome import Outcome

_SUBTYPES = {"error_max_budget_usd": Outcome.BUDGET}

# The client's own class of a failed model call.
_KINDS = {
    "authentication_failed": Outcome.AUTH,
    "billing_error": Outcome.QUOTA,
    "rate_limit": Outcome.QUOTA,
    "model_not_found": Outcome.MODEL,
}

_WORDS = (
    (Outcome.SESSION_BUSY, r"is running as a background agent|session .{0,60}already (?:in use|running)"),
    (Outcome.SESSION_GONE, r"No conversation found|--resume requires a valid session"),
    (Outcome.SANDBOX, r"sandbox required but unavailable"),
    (Outcome.AUTH, r"Not logged in|Please run /login|Invalid API key|Failed to authenticate|OAuth token"),
    (Outcome.QUOTA, r"hit your .{0,40}limit|usage limit|credit balance|rejected \(429\)"),
    (
        Outcome.NETWORK,
        r"Unable to connect|Connection ?(?:Refused|Reset|error)|Request timed out|ENOTFOUND|EAI_AGAIN|ECONN|"
        r"ETIMEDOUT|getaddrinfo|fetch failed",
    ),
)
_TABLE = tuple((outcome, re.compile(words, re.IGNORECASE | re.DOTALL)) for outcome, words in _WORDS)

# What the argument parser and the start say before there is a stream.
_FLAGS = re.compile(
    r"^error: (?:unknown|option|missing|too many|required)|requires --verbose|Input must be provided|"
    r"Settings file not found|MCP config file not found|Invalid MCP config|Invalid session ID|"
    r"cannot be used with root|--max-budget-usd|--max-turns",
    re.IGNORECASE | re.MULTILINE,
)

_REMEDIES = {
    Outcome.AUTH: claude.CLIENT.remedies[Status.UNAUTHED],
    Outcome.QUOTA: "Wait until the limit resets, or change the account's plan.",
    Outcome.MODEL: "Change the model: relay_claude_model, or --relay-model.",
    Outcome.BUDGET: "Raise relay_claude_max_budget_usd, or take the work over.",
    Outcome.SANDBOX: "Install bubblewrap and socat, run the relay outside any other sandbox, and keep "
    "TMPDIR short: sockets go there.",
    Outcome.PERMISSION: "Leave out of the plan what the rules refuse; a relay never widens them.",
    Outcome.NETWORK: "Check the network, the proxy and the provider's status.",
    Outcome.SESSION_BUSY: "End the other Claude process that has the session open, or start a fresh one.",
    Outcome.FLAGS: "This Claude Code does not take our flags; check its version with `claude --version`.",
}


def failure(evidence: Evidence) -> tuple[Outcome, str]:
    facts = evidence.facts
    reason = facts.error or last_words(evidence.stderr)
    if facts.terminal in _SUBTYPES:
        return _SUBTYPES[facts.terminal], reason
    if (
        facts.terminal == "error_during_execution"
        and facts.events > 1
        and facts.error.startswith("[ede_diagnostic]")
    ):
        return Outcome.INTERRUPTED, "The target was interrupted."
    if facts.error_kind in _KINDS:
        return _KINDS[facts.error_kind], reason
    found = first_match(_TABLE, facts.error or evidence.stderr)
    if found is None and not facts.events and _FLAGS.search(evidence.stderr):
        found = Outcome.FLAGS
    return found or Outcome.FAILED, reason


def remedy(outcome: Outcome) -> str:
    return _REMEDIES.get(outcome, "")
