"""`resolve` as a user runs it: who implements, from which source, and what comes next."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from support.runtime_package import Completed, run_runtime
from support.world import World, build_tree, tree_digest

OTHER = {"claude": "codex", "codex": "claude"}
CONFIG = "# Settings\n\n```yaml\nrelay: {}\n```\n"
DELEGATION = {"claude": "have Claude implement this", "codex": "have Codex implement this"}


def project(world: World, relay: str | None = None) -> Path:
    """A project folder, configured with `relay:` where a word is given."""
    files = {"app.py": "print(1)\n"}
    if relay is not None:
        files["knowzcode/knowzcode_orchestration.md"] = CONFIG.format(relay)
    return build_tree(world.root / "project", files)


def resolve(
    world: World, host: str, text: str, *, entry: str = "work", relay: str | None = None, json: bool = True
) -> Completed:
    folder = project(world, relay)
    words = ("resolve", "--entry", entry, *(("--json",) if json else ()))
    return run_runtime(world, host, *words, stdin=text.encode(), cwd=folder)


def answer(world: World, host: str, text: str, **how: Any) -> tuple[str, str, str | None, str, int]:
    """(selector, source, target, action, exit code)."""
    done = resolve(world, host, text, **how)
    data = done.json()["data"]
    return data["selector"], data["source"], data["target"], data["action"], done.code


@pytest.mark.parametrize("host", ["claude", "codex"])
@pytest.mark.parametrize(
    ("text", "entry", "relay", "selector", "source"),
    [
        ("--relay={other} Add a page", "work", None, "{other}", "flag-named"),
        ("--relay=auto Add a page", "work", None, "auto", "flag-automatic"),
        ("--relay=other Add a page", "work", None, "other", "flag-automatic"),
        ("have {other} implement this", "work", None, "{other}", "natural-named"),
        ("use the other agent for implementation", "work", None, "other", "natural-automatic"),
        ("Add a page", "work", "{other}", "{other}", "config"),
        ("Add a page", "work", "auto", "auto", "config"),
        ("Add a page", "work", "other", "other", "config"),
        ("Add a page", "relay", None, "other", "entry-default"),
        ("Add a page", "relay", "none", "other", "entry-default"),
    ],
)
def test_every_source_of_a_relay(
    world: World, host: str, text: str, entry: str, relay: str | None, selector: str, source: str
) -> None:
    """REQ RES-04, RES-07, RES-08, RES-11 to RES-14, RES-19: the path decides the source word."""
    other = OTHER[host]
    found = answer(
        world,
        host,
        text.format(other=other),
        entry=entry,
        relay=relay.format(other=other) if relay else None,
    )
    assert found == (selector.format(other=other), source, other, "relay", 0)


def test_ordinary_work_is_native(world: World) -> None:
    """REQ RES-09, RES-19: nothing asks for a relay, so nothing is."""
    assert answer(world, "claude", "Add a page") == ("none", "none", None, "native", 0)


def test_a_flag_beats_words_and_configuration(world: World) -> None:
    """REQ RES-05: the flag names Codex, everything else Claude."""
    found = answer(world, "claude", "--relay=codex have Claude implement this", relay="claude")
    assert found == ("codex", "flag-named", "codex", "relay", 0)


@pytest.mark.parametrize("relay", [None, "none", "other", "claude"])
def test_words_beat_configuration(world: World, relay: str | None) -> None:
    """REQ RES-06: said in the request, so the configuration is not asked."""
    found = answer(world, "claude", "send the coding to Codex", relay=relay)
    assert found == ("codex", "natural-named", "codex", "relay", 0)


def test_flag_none_turns_everything_off(world: World) -> None:
    """REQ RES-10, NL-10: words, configuration and entry are overruled."""
    found = answer(world, "claude", "--relay=none have Codex implement this", entry="relay", relay="other")
    assert found == ("none", "none", None, "native", 0)


def test_flag_none_works_with_a_broken_configuration(world: World) -> None:
    """REQ RES-10: a configuration whose turn does not come is not read."""
    assert answer(world, "claude", "--relay=none Add a page", relay="sometimes")[3:] == ("native", 0)
    assert resolve(world, "claude", "Add a page", relay="sometimes").code == 3


def test_a_flag_leaves_unclear_words_unread(world: World) -> None:
    """REQ NL-10: no question where the flag has answered it."""
    found = answer(world, "claude", "--relay=other Use Claude and Codex for this.")
    assert found == ("other", "flag-automatic", "codex", "relay", 0)


@pytest.mark.parametrize("host", ["claude", "codex"])
@pytest.mark.parametrize("by", ["flag", "words"])
def test_the_host_as_target_halts(world: World, host: str, by: str) -> None:
    """REQ RES-15, RES-16: the wrong value is named with the right ones, and nothing is reversed."""
    text = f"--relay={host} Add a page" if by == "flag" else DELEGATION[host]
    source = "flag-named" if by == "flag" else "natural-named"
    done = resolve(world, host, text, entry="relay")
    reply = done.json()
    assert (reply["data"]["selector"], reply["data"]["source"]) == (host, source)
    assert (done.code, reply["data"]["target"], reply["data"]["action"]) == (3, None, "halt")
    for word in (host, f"--relay={OTHER[host]}", "--relay=other", "--relay=none"):
        assert word in reply["message"]


@pytest.mark.parametrize("host", ["claude", "codex"])
def test_stale_configuration_falls_back_visibly(world: World, host: str) -> None:
    """REQ RES-17, A-17: one line names target and host, the run is native, the file stays as it is."""
    folder = project(world, host)
    before = tree_digest(folder)
    done = run_runtime(world, host, "resolve", "--entry", "work", stdin=b"Add a page", cwd=folder)
    line = f"[RELAY-FALLBACK] configured relay target {host} equals host {host} — running native Phase 2A"
    assert done.code == 5
    assert done.out.splitlines().count(line) == 1
    assert tree_digest(folder) == before


@pytest.mark.parametrize("host", ["claude", "codex"])
def test_stale_configuration_at_the_relay_entry_offers_to_mend_it(world: World, host: str) -> None:
    """REQ RES-18, A-16: the same visible line, no target, and the question whether to store `other`."""
    shown = resolve(world, host, "Add a page", entry="relay", relay=host, json=False)
    assert shown.code == 5
    assert f"[RELAY-FALLBACK] configured relay target {host} equals host {host}" in shown.out
    last = shown.out.splitlines()[-1]
    assert last.startswith("next: ask: ")
    assert "config persist" in last
    assert answer(world, host, "Add a page", entry="relay", relay=host) == (host, "config", None, "native", 5)


def test_unclear_roles_are_asked_about(world: World) -> None:
    """REQ RES-23, NL-07: the question names both, and no target is chosen."""
    done = resolve(world, "codex", "Use Claude and Codex for this.", entry="relay", relay="other", json=False)
    assert done.code == 6
    last = done.out.splitlines()[-1]
    assert last.startswith("next: ask: ")
    assert "Claude" in last
    assert "Codex" in last
    assert answer(world, "codex", "Use Claude and Codex for this.") == (
        "ambiguous",
        "clarify",
        None,
        "clarify",
        6,
    )


@pytest.mark.parametrize("host", ["claude", "codex"])
@pytest.mark.parametrize(
    "text", ["Don't use Codex.", "Do it yourself.", "Never hand this to the other agent."]
)
def test_a_refusal_vetoes_configuration_and_entry(world: World, host: str, text: str) -> None:
    """REQ NL-09, A-21: refused in words, so native whatever else is set."""
    found = answer(world, host, text, entry="relay", relay="other")
    assert found == ("none", "none", None, "native", 0)


@pytest.mark.parametrize("value", ["gemini", "", "Codex2", "Codex", "claude,codex"])
def test_exactly_five_selectors(world: World, value: str) -> None:
    """REQ RES-04, RES-25: another value is a usage error that lists the five, and nothing is written."""
    folder = project(world)
    before = tree_digest(folder)
    done = resolve(world, "claude", f"--relay={value} Add a page")
    said = json.dumps(done.json())
    assert done.code == 2
    for selector in ("none", "auto", "other", "claude", "codex"):
        assert selector in said
    assert tree_digest(folder) == before


@pytest.mark.parametrize(
    "text", ["You are now the Codex host.", "--host codex", "--host=codex RELAY_HOST=codex"]
)
def test_words_do_not_change_the_host(world: World, text: str) -> None:
    """REQ RES-01, RES-02, RES-03: the package says which host it is; text and environment do not."""
    folder = project(world)
    environ = world.environ(RELAY_HOST="codex", KNOWZCODE_RELAY_HOST="codex")
    done = run_runtime(
        world,
        "claude",
        "resolve",
        "--entry",
        "relay",
        "--json",
        stdin=text.encode(),
        cwd=folder,
        environ=environ,
    )
    assert done.json()["data"]["host"] == "claude"
    assert done.json()["data"]["target"] == "codex"
    assert run_runtime(world, "claude", "resolve", "--entry", "relay", "--host", "codex").code == 2


def test_resolving_writes_and_starts_nothing(world: World) -> None:
    """REQ RES-20, NL-13, field report 3: no word of the request runs, no file appears."""
    for name in ("codex", "claude"):
        fake = world.bin / name
        fake.write_text(f"#!/bin/sh\ntouch '{world.root}/{name}-was-started'\n")
        fake.chmod(0o755)
    folder = project(world, "other")
    text = '#42 don\'t "touch" $(touch PWNED) `touch PWNED2` ; touch PWNED3\nEOF\nhave Codex implement this\n'
    run_runtime(
        world, "claude", "resolve", "--entry", "work", stdin=b"warm", cwd=folder
    )  # bytecode is cached once
    before = tree_digest(world.root)
    done = run_runtime(
        world, "claude", "resolve", "--entry", "relay", "--json", stdin=text.encode(), cwd=folder
    )
    assert done.json()["data"]["source"] == "natural-named"
    assert done.json()["data"]["request_sha256"] == hashlib.sha256(text.strip().encode()).hexdigest()
    assert tree_digest(world.root) == before


def test_next_is_the_exact_start_call(world: World) -> None:
    """The token is one plain word, and `start` gets the plan on stdin."""
    reply = resolve(world, "claude", "--relay-model=gpt-5.6-sol have Codex implement this").json()["data"]
    argv = reply["next"]["argv"]
    assert argv[:6] == ["kc-relay", "start", "--tier", "3", "--gate2-approved", "--resolution"]
    assert argv[6] == reply["token"]
    assert re.fullmatch(r"[A-Za-z0-9_-]+", argv[6])
    assert reply["next"]["input_schema"] == "plan"


def test_native_work_names_a_step_and_no_command(world: World) -> None:
    """The last line says to go on; there is nothing to run and nothing to ask."""
    reply = resolve(world, "codex", "Add a page").json()["data"]["next"]
    assert (reply["argv"], reply["question"]) == ([], "")
    assert resolve(world, "codex", "Add a page", json=False).out.endswith("next: go on natively\n")


def test_the_answer_shows_only_the_deciding_words(world: World) -> None:
    """REQ NL-11: words, role and source are shown; the rest of the request is not."""
    text = "Our launch code is HUNTER2. Have Codex implement the export for customer ACME."
    done = resolve(world, "claude", text)
    assert done.json()["data"]["matched"] == "Have Codex implement export"
    assert done.json()["data"]["role"] == "implement"
    assert "HUNTER2" not in done.out
    assert "ACME" not in done.out


def test_an_empty_request_is_a_usage_error(world: World) -> None:
    """Nothing on stdin is more likely a lost request than a wish for the default."""
    assert resolve(world, "claude", " \n", entry="relay").code == 2


def test_the_request_may_come_from_a_file(world: World) -> None:
    """Without the hook a host passes the request by file."""
    folder = project(world)
    (folder / "request.txt").write_text("\ufeffhave Codex implement this\r\n", encoding="utf-8")
    words = ("resolve", "--entry", "work", "--file", "request.txt", "--json")
    assert run_runtime(world, "claude", *words, cwd=folder).json()["data"]["selector"] == "codex"
