"""A relay inside of a relay: refused, whatever the target's skills tell it."""

import pytest

from relay_runtime.depth import refuse_nested
from relay_runtime.errors import Exit, RelayError
from support.relaying import make_relaying
from support.runtime_package import run_runtime
from support.world import World, build_tree, tree_digest

INSIDE = {"KNOWZCODE_RELAY_DEPTH": "1"}


@pytest.mark.parametrize("verb", ["start", "launch", "decide", "checkpoint", "finish", "abort", "job"])
@pytest.mark.parametrize("mark", ["1", "2", "yes"])
def test_a_target_neither_relays_nor_moves_its_hosts_relay_on(verb: str, mark: str) -> None:
    with pytest.raises(RelayError, match="KNOWZCODE_RELAY_DEPTH is set") as caught:
        refuse_nested(verb, {"KNOWZCODE_RELAY_DEPTH": mark})
    assert (caught.value.problem, caught.value.exit) == ("relay.nested", Exit.HALT)


@pytest.mark.parametrize("verb", ["status", "detect", "config", "resolve", "packet", "approve", "supervise"])
def test_a_target_may_look(verb: str) -> None:
    refuse_nested(verb, INSIDE)


@pytest.mark.parametrize("environ", [{}, {"KNOWZCODE_RELAY_DEPTH": ""}, {"KNOWZCODE_RELAY_DEPTH": "0"}])
def test_outside_nothing_is_refused(environ: dict[str, str]) -> None:
    refuse_nested("start", environ)


@pytest.mark.parametrize(
    ("request_text", "entry"),
    [
        ("--relay=codex add a page", "work"),
        ("have Codex implement the page", "work"),
        ("add a page", "relay"),
        ("--relay=claude add a page", "work"),
    ],
)
def test_a_request_is_native_inside_a_relay(world: World, request_text: str, entry: str) -> None:
    """The brief may quote the very words that started the relay."""
    build_tree(world.home, {".git/HEAD": ""})
    done = run_runtime(
        world,
        "claude",
        *("resolve", "--entry", entry, "--json"),
        stdin=request_text.encode(),
        environ=world.environ(KNOWZCODE_RELAY_DEPTH="1"),
    )
    data = done.json()["data"]
    assert (done.code, data["action"], data["target"]) == (Exit.NATIVE, "native", None)
    assert data["problem"] == "relay.nested"
    assert "KNOWZCODE_RELAY_DEPTH" in done.json()["message"]


def test_plain_work_inside_a_relay_is_plain_work(world: World) -> None:
    done = run_runtime(
        world,
        "claude",
        *("resolve", "--entry", "work"),
        stdin=b"add a page",
        environ=world.environ(KNOWZCODE_RELAY_DEPTH="1"),
    )
    assert (done.code, "[RELAY-FALLBACK]" in done.out) == (Exit.DONE, False)


def test_a_relay_inside_a_relay_leaves_the_outer_one_alone(world: World) -> None:
    """A target sees its host's relay in the same checkout, and may not even end it."""
    relaying = make_relaying(world, "claude")
    assert relaying.start()["ok"]
    before = tree_digest(relaying.repo.root)
    inside = world.environ(KNOWZCODE_RELAY_DEPTH="1")
    for verb in ("launch", "abort", "checkpoint"):
        done = relaying.run(verb, "--json", environ=inside)
        assert (done.code, done.json()["data"]["problem"]) == (Exit.HALT, "relay.nested")
    assert tree_digest(relaying.repo.root) == before
