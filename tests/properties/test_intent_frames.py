"""A delegation spoken about, asked about, forbidden or supposed is none, whatever its words are."""

import itertools

import pytest

from relay_runtime.intent import Verdict, read_intent

REQUESTS = [
    "have Codex implement it",
    "let Codex do the coding",
    "use Codex for the implementation",
    "hand the build to Codex",
    "ask Codex to write the code",
    "get the code written by Codex",
    "delegate the implementation to the other agent",
    "give Codex the implementation",
]
AROUND_A_REQUEST = [
    "Document how to {}.",
    "How do I {}?",
    "Add a button to {}.",
    "Write a test for the phrase {}.",
    "What happens if I {}?",
    "Don't {}.",
    "Never {}.",
    "Please do not {}.",
    "The user can {}.",
    "Let users {}.",
    "I used to {}.",
    "Why would I {}?",
    "Explain when to {}.",
    "You should not {}.",
    "I don't want you to {}.",
    "Is it wise to {}?",
    "Add a setting so that admins can {}.",
    "Create a command that makes it easy to {}.",
    "We tried to {} last week.",
    "Should I {}?",
    "Add a menu entry called {}.",
    "Users want to {}, build that.",
    "Our CLI must {} when the flag is set.",
    "Make the bot {}.",
    "Do I have to {}?",
    "Under no circumstances {}.",
    "I would rather not {}.",
    "The old script would {}.",
    "Write docs on when to {}.",
]
STATEMENTS = [
    "Codex implements it",
    "Codex should write the code",
    "the coding goes to Codex",
    "Codex is the implementer",
    "it is built by Codex",
    "the other agent does the coding",
    "Codex takes the build",
]
AROUND_A_STATEMENT = [
    "Explain why {}.",
    "The docs say that {}.",
    "Fix the bug where {}.",
    "When {}, show a badge.",
    "Add a test that {}.",
    "I doubt that {}.",
    "Check whether {}.",
    "If {}, log it.",
    "Show a banner while {}.",
    "Is it true that {}?",
    "Assume that {} and write the docs.",
    "The README claims {}; fix that.",
    "Log a line each time {}.",
    "Why is it that {}?",
    "Make sure the page says that {}.",
    "In the diagram, {}.",
    "Unless {}, skip the step.",
    "Add a flag that decides whether {}.",
]


@pytest.mark.parametrize(
    ("said", "around"),
    [
        *itertools.product(REQUESTS, AROUND_A_REQUEST),
        *itertools.product(STATEMENTS, AROUND_A_STATEMENT),
    ],
)
def test_spoken_about_is_not_said(said: str, around: str) -> None:
    """REQ NL-04, NL-09: no frame of description, question, history or refusal delegates."""
    text = around.format(said)
    intent = read_intent(text[0].upper() + text[1:], "claude")
    assert intent.verdict in (Verdict.SILENT, Verdict.REFUSED)
