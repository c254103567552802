"""Frames around a delegation: some leave it one, some take it away, whatever its words are."""

import pytest

from relay_runtime.intent import Verdict, read_intent

OPEN_REQUESTS = [
    "have {x} implement it",
    "let {x} do the coding",
    "use {x} for the implementation",
    "hand the build to {x}",
    "ask {x} to write the code",
    "get the code written by {x}",
    "delegate the implementation to {x}",
    "give {x} the implementation",
    "put {x} in charge of the coding",
]
POLITE = [
    "Please {}.",
    "{}, please.",
    "Can you {}?",
    "Could you please {}?",
    "I want you to {}.",
    "Let's {}.",
    "When you are done with the plan, {}.",
    "For this task, {}.",
    "Plan it first, then {}.",
    "Add dark mode to the app and {}.",
    "Fix the login bug; {}.",
    "{} and review the result.",
    "{} once the specs are approved.",
    "- {}",
    "1. {}\n2. Review the diff.",
    "Go ahead and {}.",
    "You should {}.",
    "I'd like you to {}.",
    "We should {}.",
    "Now {}!",
    "OK, {}.",
    "{} and keep the review yourself.",
    "Would you {}?",
    "Also, {}.",
    "This time {}.",
    "{} this time.",
    "Write the spec. Then {}.",
    "Make sure to {}.",
    "Feel free to {}.",
    "After the review, {}.",
    "If possible, {}.",
    "{}, then check the result.",
    "I'd suggest you {}.",
    "Yes, {}",
    "{}...",
    "{}!!",
    "**{}**",
    "{} :)",
    "pls {}",
    "You may {} now.",
    "Don't forget to {}.",
    "I think we should {}.",
    "Implement the export page. {}. Thanks!",
    "The page is slow. {}.",
    "As soon as the plan is approved, {}.",
    "First write the plan, and after that {}.",
]
OPEN_STATEMENTS = [
    "{x} implements it",
    "{x} should write the code",
    "the coding goes to {x}",
    "{x} is the implementer",
    "the implementation is done by {x}",
    "{x} does the coding",
    "{x} takes the build",
    "{x} will build this",
]
BESIDE_A_STATEMENT = [
    "{}.",
    "This time {}.",
    "You plan and {}.",
    "You review, {}.",
    "For this ticket {}.",
    "I think {}.",
    "Add a dark mode. {}.",
    "Add a dark mode; {}.",
    "In this run {}.",
    "{}, you review.",
    "{} and you review.",
    "Please make sure {}.",
    "OK: {}.",
    "Note: {}.",
    "{} from here on.",
    "Once approved, {}.",
    "So {}.",
    "{}, please.",
    "After Gate 2, {}.",
    "From now on {}.",
    "You do the specs, then {}.",
    "I've decided that {}.",
]
REFUSALS = [
    "don't use {x}",
    "don't have {x} implement it",
    "keep {x} out of it",
    "no {x}",
    "never hand this to {x}",
    "{x} should not implement this",
    "do it yourself",
    "don't delegate this",
    "implement it without {x}",
    "don't let {x} write the code",
    "{x} must not touch the code",
    "implement it natively",
    "leave {x} out of this",
    "do not involve {x}",
    "I don't want {x} to implement this",
    "skip {x}",
]
AROUND_A_REFUSAL = [
    "{}.",
    "Please {}.",
    "Add a dark mode. {}.",
    "Add a dark mode and {}.",
    "Fix the login bug; {}.",
    "{}, please.",
    "OK, {}.",
    "For this ticket, {}.",
    "{} this time.",
    "- {}",
    "Plan it first. Then {}.",
    "{}!",
    "But {}.",
    "Add a dark mode, but {}.",
    "Today {}.",
    "{}. Thanks.",
    "Have {x} implement it. Actually, {}.",
    "**{}**",
]
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
        *((REQUESTS, frame) for frame in AROUND_A_REQUEST),
        *((STATEMENTS, frame) for frame in AROUND_A_STATEMENT),
    ],
)
def test_spoken_about_is_not_said(said: list[str], around: str) -> None:
    """REQ NL-04, NL-09: no frame of description, question, history or refusal delegates."""
    for words in said:
        text = around.format(words)
        intent = read_intent(text[0].upper() + text[1:], "claude")
        assert intent.verdict in (Verdict.SILENT, Verdict.REFUSED), text


@pytest.mark.parametrize(("agent", "selector"), [("Codex", "codex"), ("the other agent", "other")])
@pytest.mark.parametrize(
    "around",
    [*((frame, True) for frame in POLITE), *((frame, False) for frame in BESIDE_A_STATEMENT)],
)
def test_politeness_and_company_change_nothing(around: tuple[str, bool], agent: str, selector: str) -> None:
    """REQ NL-01, NL-08: asked kindly, after a condition, in a list, beside the task itself."""
    frame, is_request = around
    for said in OPEN_REQUESTS if is_request else OPEN_STATEMENTS:
        words = said.format(x=agent)
        if frame.startswith("{}"):
            words = words[0].upper() + words[1:]
        text = frame.format(words)
        assert read_intent(text, "claude").selector == selector, text


@pytest.mark.parametrize("agent", ["Codex", "Claude", "the other agent"])
@pytest.mark.parametrize("frame", AROUND_A_REFUSAL)
def test_a_refusal_is_heard_everywhere(frame: str, agent: str) -> None:
    """REQ NL-09: alone, beside the task, in the same sentence, after a change of mind."""
    for said in REFUSALS:
        words = said.format(x=agent)
        if frame.startswith("{}"):
            words = words[0].upper() + words[1:]
        text = frame.replace("{x}", agent).format(words)
        assert read_intent(text, "claude").verdict is Verdict.REFUSED, text
