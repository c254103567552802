"""The token that carries a resolution from `resolve` to `start`."""

import itertools
import re

import pytest

from relay_runtime.config import Document, Flags
from relay_runtime.errors import Exit, UsageError
from relay_runtime.resolve import Action, Resolution, decode_token, encode_token, resolve

NO_CONFIGURATION = Document("", exists=False)


def resolved(text: str, host: str) -> Resolution:
    return resolve(text, host=host, entry="work", load_document=lambda: NO_CONFIGURATION)


@pytest.mark.parametrize(
    ("host", "text"),
    [
        ("claude", "--relay=codex --relay-model=gpt-5.6-sol --relay-effort=high --relay-max-fix-rounds=3 x"),
        ("codex", "--relay=auto x"),
        ("claude", "use the other agent for implementation"),
        ("codex", "have Claude implement the façade 測試"),
    ],
)
def test_a_token_comes_back_as_it_was(host: str, text: str) -> None:
    """Selector, source, target, host, flags and the request's hash survive; its words stay behind."""
    before = resolved(text, host)
    token = encode_token(before, host)
    after = decode_token(token)
    assert after == before._replace(matched="", role="")
    assert re.fullmatch(r"[A-Za-z0-9_-]+", token)
    assert len(token) < 300


def test_a_changed_token_is_noticed() -> None:
    """Any one character changed, dropped or doubled is a usage error."""
    token = encode_token(resolved("--relay=codex x", "claude"), "claude")
    changed = {token[:i] + other + token[i + 1 :] for i in range(len(token)) for other in ("", "0", "Z", "_")}
    changed |= {token[:i] + token[i] + token[i:] for i in range(len(token))}
    for word in changed - {token}:
        with pytest.raises(UsageError) as refused:
            decode_token(word)
        assert refused.value.exit is Exit.USAGE


@pytest.mark.parametrize(
    "word", ["", "r1", "r1_", "r1__", "r2_0_0_0", "none", "r1_00000000_x_x", "é", "r1_é_é_é"]
)
def test_what_is_no_token_is_refused(word: str) -> None:
    """Nothing else than a token of this version is read."""
    with pytest.raises(UsageError, match="--resolution token"):
        decode_token(word)


def test_a_token_that_contradicts_itself_is_refused() -> None:
    """The host as its own target, a reversed provider, an unknown source: none of them gets through."""
    good = resolved("--relay=codex x", "claude")
    hosts, selectors, targets = (
        ("claude", "codex", "gemini"),
        ("claude", "codex", "none", "other"),
        ("claude", "codex", ""),
    )
    allowed = {
        ("claude", "codex", "codex"),
        ("claude", "other", "codex"),
        ("codex", "claude", "claude"),
        ("codex", "other", "claude"),
    }
    for host, selector, target in itertools.product(hosts, selectors, targets):
        token = encode_token(good._replace(selector=selector, target=target), host)
        if (host, selector, target) in allowed:
            assert decode_token(token).target == target
        else:
            with pytest.raises(UsageError, match="contradicts itself"):
                decode_token(token)


def test_only_relays_have_tokens_to_give() -> None:
    """A native resolution packed by hand is refused as well."""
    native = Resolution("claude", "none", "none", None, Action.NATIVE, Flags(), "0" * 64)
    with pytest.raises(UsageError, match="contradicts itself"):
        decode_token(encode_token(native, "claude"))
