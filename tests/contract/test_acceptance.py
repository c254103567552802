"""What the relay must do as a whole, sentence by sentence, with the tests that prove each one."""

import ast
from functools import lru_cache

import pytest

from support.checkout import ROOT

RESOLVE, START, STATE = "runtime/test_resolve.py", "runtime/test_start.py", "runtime/test_state_text.py"
TARGET = "runtime/test_start_target.py"
TEXTS, CALLS, DRILLS = (
    "contract/test_skill_texts.py",
    "contract/test_invocations.py",
    "e2e/test_host_drills.py",
)

VERIFY: dict[str, tuple[str, ...]] = {
    "On a Claude host the flag codex still means Codex, by the same adapter.": (
        f"{RESOLVE}::test_every_source_of_a_relay",
        f"{CALLS}::test_codex_round_0",
        f"{DRILLS}::test_from_the_typed_request_to_done",
    ),
    "The flags other and auto mean the complement of the host, in both directions.": (
        f"{RESOLVE}::test_every_source_of_a_relay",
        f"{DRILLS}::test_from_the_typed_request_to_done",
    ),
    "A provider flag beats words and configuration; the flag none switches the relay off.": (
        f"{RESOLVE}::test_a_flag_beats_words_and_configuration",
        f"{RESOLVE}::test_flag_none_turns_everything_off",
        f"{DRILLS}::test_work_stays_native",
    ),
    "Clear delegation in words selects the named provider; a mere mention selects nothing.": (
        "runtime/test_intent_corpus.py::test_public_corpus",
        f"{DRILLS}::test_work_stays_native",
    ),
    "Without a target in the request configuration decides; then relay means other, and work stays native.": (
        f"{RESOLVE}::test_every_source_of_a_relay",
        f"{RESOLVE}::test_ordinary_work_is_native",
    ),
    "Choosing the host itself halts with the correction and is never reversed.": (
        f"{RESOLVE}::test_the_host_as_target_halts",
    ),
    "An automatic target that is missing falls back visibly; a named one, and every login, stops.": (
        f"{TARGET}::test_a_target_that_is_missing_or_broken",
        f"{TARGET}::test_a_logged_out_target_pauses_and_goes_on_once_confirmed",
        f"{DRILLS}::test_a_target_that_is_not_installed",
        f"{DRILLS}::test_a_target_that_is_logged_out",
    ),
    "State of schema 2 records host, target, state by role, session and artifacts by target.": (
        f"{STATE}::test_the_file_has_the_24_labelled_lines_and_both_tables_in_order",
        f"{STATE}::test_there_are_eleven_states_and_none_names_a_provider",
        f"{START}::test_a_fresh_relay_says_everything_in_its_state",
    ),
    "Continuing maps the states of schema 1 to a Claude host with a Codex target.": (
        "runtime/test_legacy_state.py::test_every_old_state_has_its_role_state",
    ),
    "A Claude leg is authenticated, headless, streamed as JSON, resumable, safe, and polled in the turn.": (
        f"{CALLS}::test_claude",
        f"{CALLS}::test_nothing_widens_a_leg",
        f"{TEXTS}::test_every_poll_has_a_limit_below_what_the_host_allows",
        f"{TEXTS}::test_nobody_is_told_to_wait_for_a_notification",
    ),
    "The Codex package ships all five skills and the reference, no team words and no agents folder.": (
        f"{TEXTS}::test_a_package_has_the_five_skills_and_the_reference",
        f"{TEXTS}::test_the_codex_package_knows_nothing_of_claude_teams",
    ),
    "Installing for Codex brings the relay skill and the reference with the present version in it.": (
        "e2e/test_readme.py::test_the_first_command_installs_the_codex_package",
        "generator/test_render.py::test_the_version_comes_from_one_place",
    ),
    "What must be alike in all packages is byte for byte alike.": (
        f"{TEXTS}::test_the_reference_is_the_same_bytes_for_both_hosts",
        "generator/test_render.py::test_the_runtime_is_bundled_in_every_package",
        "generator/test_install_verify.py::test_packages_that_do_not_mirror_each_other_are_found",
    ),
    "Gemini has no relay skill.": (
        "generator/test_install_cli.py::test_gemini_is_refused_by_name_with_the_reason",
        "generator/test_install_verify.py::test_a_relay_skill_anywhere_that_gemini_reads_is_found",
        "e2e/test_install_clients.py::test_each_host_lists_its_skills_and_nobody_else_does_and_uninstall_ends_it",
    ),
    "README, workflow, setup, status and configuration state the same rules.": (
        f"{TEXTS}::test_the_pages_state_the_same_rules",
        f"{TEXTS}::test_setup_status_and_reference_state_the_same_rules",
    ),
}


@lru_cache
def names_in(path: str) -> frozenset[str]:
    """The names of the test functions of a file below tests/."""
    tree = ast.parse((ROOT / "tests" / path).read_text(encoding="utf-8"))
    names = (node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    return frozenset(name for name in names if name.startswith("test_"))


def test_there_are_fifteen_sentences() -> None:
    assert len(VERIFY) == 15


@pytest.mark.parametrize("sentence", VERIFY)
def test_each_sentence_has_its_tests(sentence: str) -> None:
    for name in VERIFY[sentence]:
        path, _, test = name.partition("::")
        assert names_in(path), path
        assert not test or test in names_in(path), name
