"""What a failed run of OpenCode failed of: by the provider's status where there is one, else by words."""

from __future__ import annotations

import re

from relay_runtime.adapters import opencode
from relay_runtime.adapters.base import Status
from relay_runtime.adapters.leg import Evidence, first_match, last_words
from relay_runtime.state.outcome import Outcome

_BY_STATUS = {"401": Outcome.AUTH, "402": Outcome.QUOTA, "403": Outcome.AUTH, "429": Outcome.QUOTA}

_WORDS = (
    (Outcome.SESSION_GONE, r"session not found"),
    (Outcome.QUOTA, r"usage limit|quota|insufficient (?:balance|credit)|rate limit"),
    (Outcome.AUTH, r"api key|unauthorized|not logged in|ProviderAuthError"),
    (
        Outcome.MODEL,
        r"\bmodel\b[^.\n]{0,80}(?:not exist|not found|not supported|not available)|ModelNotFound",
    ),
    (Outcome.NETWORK, r"cannot connect|unable to connect|ECONNREFUSED|ENOTFOUND|timed? ?out|socket"),
    (Outcome.FLAGS, r"opencode run \[message|unknown argument|must provide a message"),
)
_TABLE = tuple((outcome, re.compile(words, re.IGNORECASE)) for outcome, words in _WORDS)

_ANSI = re.compile(r"\x1b\[[0-9;]*m")
_CUT = {
    "length": "The answer was cut at the model's limit of output.",
    "unknown": "The provider's answers break off.",
    "content-filter": "The provider withheld the answer.",
}
_UNKNOWN = "UnknownError"
_HINT = "OpenCode says so too of a model or a provider that it does not know."

_REMEDIES = {
    Outcome.AUTH: opencode.CLIENT.remedies[Status.UNAUTHED],
    Outcome.QUOTA: "Wait until the limit resets, or change the account's plan.",
    Outcome.MODEL: "State another model; `opencode models` lists them.",
    Outcome.PERMISSION: "Leave out of the task what its mode refuses, or state another mode or add-dir.",
    Outcome.NETWORK: "Check the network, the proxy and the provider's status.",
    Outcome.FLAGS: "This OpenCode does not take our flags; check its version with `opencode --version`.",
}


def failure(evidence: Evidence) -> tuple[Outcome, str]:
    facts = evidence.facts
    if facts.error:
        reason = f"{facts.error} {_HINT}" if facts.error_kind == _UNKNOWN else facts.error
        return _BY_STATUS.get(facts.error_kind) or first_match(_TABLE, facts.error) or Outcome.FAILED, reason
    if facts.denied:
        return Outcome.PERMISSION, "It ended on a tool that was refused: " + ", ".join(facts.denied)
    if facts.terminal in _CUT:
        return Outcome.FAILED, _CUT[facts.terminal]
    stderr = _ANSI.sub("", evidence.stderr)
    if facts.events and not stderr.strip():
        return Outcome.INTERRUPTED, "The target ended in the middle of its turn."
    return first_match(_TABLE, stderr) or Outcome.FAILED, last_words(stderr)


def remedy(outcome: Outcome) -> str:
    return _REMEDIES.get(outcome, "")
