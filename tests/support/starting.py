"""A start that is refused, with proof that it left no trace."""

from typing import Any

from support.relaying import Relaying


def refused(relaying: Relaying, *more: str, plan: Any = None, token: str | None = None) -> dict[str, Any]:
    """The answer of a start that must not go on, after proof that nothing was touched or launched."""
    before = relaying.everything()
    answer = relaying.start(*more, plan=plan, token=token)
    assert not answer["ok"], answer
    assert relaying.everything() == before
    assert relaying.legs() == []
    assert not list(relaying.repo.root.glob("knowzcode/workgroups/kc-*"))
    return answer
