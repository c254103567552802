"""Who carries out a job: the words of a header and the models behind them."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Backend:
    """`target` runs it. `provider` is OpenCode's id for whose models they are, empty on another client.

    `default_model` is taken when the header names none; empty leaves it to the client. `aliases` are short
    words for models. `family` matches the names of this backend's models.
    """

    name: str
    target: str
    provider: str
    default_model: str
    aliases: dict[str, str]
    family: str

    @property
    def sandboxed(self) -> bool:
        """Whether the client confines what the job does by itself, beyond asking before each tool."""
        return not self.provider

    def owns(self, model: str) -> bool:
        """Whether `model` is plainly one of this backend's, by its name alone."""
        return model in self.aliases or re.match(self.family, model, re.IGNORECASE) is not None


DEFAULT = "codex"

BACKENDS: dict[str, Backend] = {
    backend.name: backend
    for backend in (
        Backend("codex", "codex", "", "", {}, r"(?:gpt|codex|o\d)(?![a-z])"),
        Backend(
            "kimi",
            "opencode",
            "kimi-code-plan-global",
            "kimi-for-coding",
            {"kimi": "kimi-for-coding", "kimi-fast": "kimi-for-coding-highspeed"},
            r"(?:kimi|moonshot|k\d)(?![a-z])",
        ),
        Backend("grok", "opencode", "xai", "grok-4.7", {"grok": "grok-4.7"}, r"(?:grok|xai)(?![a-z])"),
        Backend(
            "zcode",
            "opencode",
            "zai-coding-plan",
            "glm-5.3",
            {"zcode": "glm-5.3", "glm": "glm-5.3"},
            r"(?:glm|zai|zcode)(?![a-z])",
        ),
    )
}


def owner_of(model: str) -> Backend | None:
    """The backend that `model` plainly belongs to, or None."""
    return next((backend for backend in BACKENDS.values() if backend.owns(model)), None)
