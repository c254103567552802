"""The forms in which English gives somebody work; a form gives None for words that are not its own."""

from __future__ import annotations

from collections.abc import Callable

from relay_runtime.intent.asking import accompanied, causing, using
from relay_runtime.intent.claims import Reading
from relay_runtime.intent.handing import handing
from relay_runtime.intent.labels import label
from relay_runtime.intent.placing import placed
from relay_runtime.intent.scene import Scene
from relay_runtime.intent.stating import subject, subject_asked
from relay_runtime.intent.tokens import Tokens


def directive(tokens: Tokens, start: int, scene: Scene) -> Reading | None:
    """The first form that reads the clause at `start`."""
    for form in FORMS:
        found = form(tokens, start, scene)
        if found is not None:
            return found
    return None


FORMS: tuple[Callable[[Tokens, int, Scene], Reading | None], ...] = (
    label,
    causing,
    using,
    handing,
    accompanied,
    subject_asked,
    subject,
    placed,
)
