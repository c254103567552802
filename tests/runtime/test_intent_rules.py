"""What the grammar promises beyond the corpora: masking, matched words, order, length, time."""

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relay_runtime.intent import Verdict, read_intent
from relay_runtime.intent.masking import mask
from relay_runtime.intent.spelling import mend_name
from relay_runtime.intent.words import word_set
from support.runtime_package import run_runtime
from support.world import World

DELEGATION = "have Codex implement this"


def verdict(text: str, host: str = "claude") -> Verdict:
    return read_intent(text, host).verdict


@pytest.mark.parametrize(
    "text",
    [
        f'"{DELEGATION}"',
        f"'{DELEGATION}'",
        f"“{DELEGATION}”",
        f"„{DELEGATION}“",
        f"«{DELEGATION}»",
        f"\u2018{DELEGATION}\u2019",
        f"「{DELEGATION}」",
        f"`{DELEGATION}`",
        f"``{DELEGATION} `now` ``",
        f"```\n{DELEGATION}\n```",
        f"~~~text\n{DELEGATION}\n~~~",
        f"```\n{DELEGATION}",
        f"1. step\n   ```\n   {DELEGATION}\n   ```",
        f"> {DELEGATION}",
        f"Fix this:\n\n    {DELEGATION}\n",
        f"<code>{DELEGATION}</code>",
        f"~~{DELEGATION}~~",
        f"The user's note: \"don't {DELEGATION}\"",
    ],
)
def test_quoted_and_code_text_says_nothing(text: str) -> None:
    """REQ NL-04: quotations, code spans, fences and quoted lines are not the user's own words."""
    assert verdict(text) is Verdict.SILENT


@pytest.mark.parametrize(
    "text",
    [
        "Don't wait, the team's ready: have Codex implement this, it's time.",
        'The 13" screen is too small. Have Codex implement this.',
        "It's the users' page, and Claude's plan is fine. Have Codex implement this.",
        'Add "Save" and "Quit", then have Codex implement this.',
        "```\ncode\n```\nHave Codex implement this.",
        "> quoted\n\nHave Codex implement this.",
        "- have Codex implement this",
        "**Have Codex implement this.**",
        "Have\nCodex\nimplement this.",
        "have Codex implement this\r\n",
    ],
)
def test_apostrophes_and_markup_hide_nothing(text: str) -> None:
    """REQ NL-06: an apostrophe opens no quotation, and text around code is still read."""
    assert read_intent(text, "claude").selector == "codex"


@given(st.text(alphabet="\"'`\u2018\u2019“”«»~<>/code \n-abc", max_size=200))
def test_masking_keeps_every_place(text: str) -> None:
    """Offsets stay true: same length, same line breaks, and nothing but blanking."""
    masked = mask(text)
    assert len(masked) == len(text)
    assert all(after in (before, "\0") for before, after in zip(text, masked, strict=True))
    assert masked.count("\n") <= text.count("\n")


@given(st.text(max_size=300))
@settings(max_examples=100)
def test_any_text_has_an_answer(text: str) -> None:
    """REQ NL-12: nothing makes it fail, and asking twice gives the same."""
    assert read_intent(text, "codex") == read_intent(text, "codex")


WORDS = word_set(
    "have let use hand send give claude codex the other agent to implement code this it and or not don't by "
    "for with as should build review plan implementation coding please never instead of no you yourself "
    ", . ? : ; — ( )"
)


@given(st.lists(st.sampled_from(sorted(WORDS)), max_size=40))
@settings(max_examples=150)
def test_any_mix_of_its_own_words_has_an_answer(chosen: list[str]) -> None:
    """REQ NL-11, NL-12: the words that decided are words of the request."""
    text = " ".join(chosen)
    intent = read_intent(text, "claude")
    assert set(intent.matched.replace(" / ", " ").split()) <= set(text.split())
    assert (intent.verdict is Verdict.DELEGATED) == (intent.selector in ("claude", "codex", "other"))


@pytest.mark.parametrize(
    "word",
    ["cloud", "clause", "clauses", "code", "codec", "codecs", "coder", "codes", "coded", "index", "clade"],
)
def test_ordinary_words_are_no_slips(word: str) -> None:
    """A mended name is never an ordinary word."""
    assert mend_name(word) is None
    assert verdict(f"have {word} implement this") is Verdict.SILENT


@pytest.mark.parametrize(
    ("word", "name"),
    [
        *((word, "claude") for word in ("claud", "cluade", "calude", "claued", "clauude")),
        *((word, "codex") for word in ("codx", "coedx", "cdoex", "codexx", "codez")),
    ],
)
def test_slips_of_a_name_are_mended(word: str, name: str) -> None:
    """One edit, for either name."""
    assert mend_name(word) == name


@pytest.mark.parametrize(
    ("text", "selector"),
    [
        ("Have Claude implement it. Actually, use Codex instead.", "codex"),
        ("Send this to Codex. No wait, have Claude build it.", "claude"),
        ("Don't use Codex. On second thought, have Codex implement it.", "codex"),
    ],
)
def test_a_clear_correction_wins(text: str, selector: str) -> None:
    """REQ NL-06: what is said last and clearly replaces what was said before."""
    assert read_intent(text, "claude").selector == selector


def test_a_delegation_withdrawn_is_a_refusal() -> None:
    """REQ NL-09: the last word is that nobody else implements."""
    assert verdict("Have Codex implement it. Actually no, do it yourself.") is Verdict.REFUSED


def test_one_sentence_in_a_long_specification_decides() -> None:
    """REQ NL-03: pages about both providers around one directive."""
    page = (
        "The installer lists Claude and Codex. When Codex is missing, the Claude entry is shown first.\n\n"
        * 200
    )
    assert read_intent(page, "claude").verdict is Verdict.SILENT
    found = read_intent(f"{page}Let Codex do the implementation.\n\n{page}", "claude")
    assert (found.selector, found.matched) == ("codex", "Let Codex do implementation")


def test_the_other_agent_by_name() -> None:
    """REQ NL-08: a name beside it agrees where it is the other one, and is unclear where it is the host."""
    text = "Let the other agent do the coding. Codex implements this."
    assert read_intent(text, "claude").selector == "codex"
    assert verdict(text, "codex") is Verdict.UNCLEAR


def test_the_same_answer_fifty_times(world: World) -> None:
    """REQ NL-12: processes with different hash seeds agree."""
    text = b"Claude plans, Codex implements. Never mind the rest. Use the other agent, or Claude, or both."
    first = run_runtime(world, "claude", "resolve", "--entry", "work", "--json", stdin=text).out
    second = run_runtime(
        world, "claude", "resolve", "--entry", "work", "--json", stdin=text, flags=("-R",)
    ).out
    assert json.loads(first) == json.loads(second)
    assert len({read_intent(text.decode(), "claude") for _ in range(50)}) == 1


UNITS = [
    "Have Codex review the plan, and then you read it. ",
    "claude, ",
    "claude: ",
    "(claude) ",
    "hand it to ",
    "have codex review and ",
    '"a ',
    "'",
    "`",
    "\u201c\u2018«",
    "--relay ",
    "Codex! Build it. ",
]


@pytest.mark.parametrize("unit", UNITS)
def test_long_requests_take_time_in_proportion(unit: str) -> None:
    """REQ NL-12: 200 KB of anything take under a second when idle; the bound leaves room for a busy one."""
    text = (unit * (200_000 // len(unit) + 1))[:200_000]
    started = time.process_time()
    read_intent(text, "claude")
    assert time.process_time() - started < 2.0


def test_a_long_request_through_the_real_process(world: World) -> None:
    """REQ NL-12: a specification of 200 KB with one directive, start-up included."""
    page = "When the user opens the list, the newest orders come first and Claude's badge is shown.\n"
    text = (page * (200_000 // len(page)) + "\nHave Codex implement this.\n").encode()
    started = time.monotonic()
    done = run_runtime(world, "claude", "resolve", "--entry", "work", "--json", stdin=text)
    assert done.json()["data"]["selector"] == "codex"
    assert time.monotonic() - started < 3.0


@pytest.mark.parametrize(
    ("text", "selector"),
    [
        ("Have Codex implement it. Use Claude instead.", "claude"),
        ("Codex, can you have Claude implement this?", "claude"),
        ("Codex: implement. Claude: review.", "codex"),
        ("Let Claude do the coding, you do the rest.", "claude"),
    ],
)
def test_addresses_labels_and_replacements(text: str, selector: str) -> None:
    """REQ NL-06: said to the Codex host, who may be spoken to by name in the same breath."""
    assert read_intent(text, "codex").selector == selector


@pytest.mark.parametrize("host", ["claude", "codex"])
@pytest.mark.parametrize(
    "text",
    [
        "Codex: implement the API. Claude: implement the UI.",
        "Codex builds it. Or should Claude build it?",
        "Claude implements it, or should Codex?",
        "Maybe Codex should implement, or maybe you.",
    ],
)
def test_a_doubt_left_open_is_asked_about(host: str, text: str) -> None:
    """REQ NL-07: two are told, or the last word is a question: no guess."""
    assert verdict(text, host) is Verdict.UNCLEAR


@pytest.mark.parametrize(
    "text",
    [
        "As a user I want Claude to implement my tickets.",
        "Acceptance criteria:\n- Codex implements the ticket\n- the list is sorted",
        "Show an example: have Claude implement this.",
        "Allow Codex to build images in CI.",
        "Add an action so Claude can implement issues.",
    ],
)
def test_what_a_product_shall_do_is_no_delegation(text: str) -> None:
    """REQ NL-04: stories, criteria, examples and permissions are subject matter."""
    assert verdict(text, "codex") is Verdict.SILENT
    assert read_intent(f"{text}\n\nHave Claude implement this.", "codex").selector == "claude"
