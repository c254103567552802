"""Every recorded run of a real client has the outcome that its evidence proves."""

import json
from pathlib import Path

import pytest

from relay_runtime.adapters import TARGETS
from relay_runtime.adapters.leg import Evidence, verdict
from relay_runtime.attempts.events import LogReader
from relay_runtime.attempts.facts import TEXT_LIMIT, Facts, from_record
from relay_runtime.fields import Fields
from relay_runtime.state.outcome import Cause, Outcome

RECORDINGS = Path(__file__).resolve().parents[1] / "data" / "recordings"
EXITS: dict[str, int] = json.loads((RECORDINGS / "exits.json").read_text())

# Everything that is not named here ended well. A negative exit is a signal.
ENDED_OTHERWISE = {
    Outcome.AUTH: """
        claude-2.1.332-http401
        claude-http401-maxretries0 claude-http401-oauth claude-http401 claude-http403 claude-no-auth
        codex-default-provider-401 codex-default-provider-no-auth codex-default-provider-stored-401
        codex-http401 codex-http403 codex-no-api-key-env
        opencode-http401
    """,
    Outcome.BUDGET: """
        claude-2.1.332-budget
        claude-max-budget-tiny claude-max-budget
    """,
    Outcome.FAILED: """
        claude-2.1.332-http500
        claude-2.1.332-empty
        claude-empty-final claude-empty-text-final claude-fallback-model claude-http400 claude-http413
        claude-http500 claude-http529 claude-max-tokens claude-max-turns claude-prompt-too-long
        claude-refusal claude-sse-error-event claude-stdin-clear claude-stdin-unknown-slash
        claude-thinking-only claude-truncated-then-500 codex-bad-cwd codex-bad-provider codex-empty-final
        codex-empty-text-final codex-failed-context-length codex-failed-server-overloaded codex-html502
        codex-http500 codex-http503 codex-http529 codex-incomplete-max-tokens codex-missing-codex-home
        codex-reasoning-only codex-stdin-empty codex-stdin-too-large
        opencode-empty-final opencode-http400 opencode-http500 opencode-max-tokens
        opencode-unknown-model-config opencode-unknown-provider
    """,
    Outcome.FLAGS: """
        claude-bad-permission-mode claude-badflag claude-budget-neg claude-budget-text claude-budget-zero
        claude-bypass-root claude-mcp-missing claude-no-verbose claude-session-id-bad
        claude-settings-invalid-json claude-settings-missing claude-stdin-empty codex-bad-sandbox
        codex-badflag codex-effort-empty codex-effort-number codex-last-unwritable codex-no-git
        codex-resume-badflag-C codex-resume-badflag-a codex-resume-badflag-s codex-strict-config
        opencode-badflag opencode-no-prompt-devnull
    """,
    Outcome.INTERRUPTED: """
        claude-hang-before-headers claude-sig-sighup-cmd claude-sig-sigint-cmd-group
        claude-sig-sigint-cmd-nosandbox claude-sig-sigint-cmd claude-sig-sigint-stream
        claude-sig-sigkill-cmd-group claude-sig-sigkill-cmd-nosandbox claude-sig-sigkill-cmd
        claude-sig-sigkill-residue claude-sig-sigkill-stream claude-sig-sigterm-cmd-group
        claude-sig-sigterm-cmd-nosandbox claude-sig-sigterm-cmd claude-sig-sigterm-stream
        codex-hang-before-headers codex-hang-mid-stream
        codex-nested-danger-full-access-in-codex-sandbox-netoff
        codex-nested-workspace-write-in-codex-sandbox-netoff codex-open-stdin-blocked-sigterm
        codex-pipe-undrained-sigkill-cut codex-sig-sighup-cmd codex-sig-sigint-cmd-group
        codex-sig-sigint-cmd-native codex-sig-sigint-cmd codex-sig-sigint-stream
        codex-sig-sigkill-cmd-group codex-sig-sigkill-cmd-native codex-sig-sigkill-cmd
        codex-sig-sigkill-stream codex-sig-sigterm-cmd-group codex-sig-sigterm-cmd-native
        codex-sig-sigterm-cmd codex-sig-sigterm-stream codex-unreachable
        opencode-hang-mid-stream opencode-resume-other-cwd opencode-sig-sigint-cmd
        opencode-sig-sigint-cmd-group opencode-sig-sigint-stream opencode-sig-sigkill-cmd
        opencode-sig-sigkill-stream opencode-sig-sigterm-cmd opencode-sig-sigterm-stream
        opencode-truncated-always
    """,
    Outcome.MODEL: """
        claude-2.1.332-http404
        claude-http404-model codex-http400-bad-effort codex-http400-model codex-http404-model
        opencode-http404-model
    """,
    Outcome.NETWORK: """
        claude-hang-api-timeout claude-unreachable codex-chatgpt-tokens-401 codex-failed-other
        codex-hang-mid-stream-knobs codex-truncated-always codex-unreachable-bounded
        opencode-unreachable
    """,
    Outcome.QUOTA: """
        claude-2.1.332-http429
        claude-http402-billing claude-http429-subscription claude-http429 codex-failed-insufficient-quota
        codex-failed-rate-limit codex-http429-insufficient-quota codex-http429-usage-limit codex-http429
        opencode-http429
    """,
    Outcome.SANDBOX: """
        claude-2.1.332-no-bwrap
        claude-nested-in-codex-sandbox-neton claude-nested-no-userns claude-sandbox-no-bwrap
        claude-sandbox-no-socat codex-nested-dfa-in-codex-sandbox codex-nested-in-codex-sandbox-nonet
        codex-nested-in-codex-sandbox codex-nested-no-userns
        codex-nested-workspace-write-in-codex-sandbox-neton
    """,
    Outcome.SESSION_BUSY: """
        claude-session-id-reuse codex-concurrent-resume
    """,
    Outcome.SESSION_GONE: """
        claude-resume-notuuid claude-resume-other-cwd claude-resume-unknown codex-resume-unknown
        opencode-resume-badid opencode-resume-unknown
    """,
    Outcome.STREAM_UNREADABLE: """
        claude-pipe-undrained-truncated claude-stdin-whitespace codex-stdout-devfull
    """,
    Outcome.PERMISSION: """
        opencode-outside-default opencode-perm-ask
    """,
}
EXPECTED = {name: outcome for outcome, names in ENDED_OTHERWISE.items() for name in names.split()}


def facts_of(name: str) -> Facts:
    leg = TARGETS[name.partition("-")[0]]
    facts = Facts()
    for event in LogReader(RECORDINGS / f"{name}.jsonl", brief=leg.BRIEF).rest():
        facts = leg.read(facts, event)
    return facts


def evidence_of(name: str, **more: object) -> Evidence:
    facts, code = facts_of(name), EXITS[name]
    errors = RECORDINGS / f"{name}.err"
    known: dict[str, object] = {
        "facts": facts,
        "exit": code if code >= 0 else 128 - code,
        "stderr": errors.read_text(errors="replace") if errors.exists() else "",
        "last_message": facts.final_message,
        "tree_changed": True,
    }
    return Evidence(**{**known, **more})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", sorted(EXITS))
def test_outcome_of_a_recorded_run(name: str) -> None:
    """REQ FAIL-03, FAIL-05, HYA-13, SEL-04, CLA-09, CXA-09: classified from exit, events and stderr."""
    found = verdict(TARGETS[name.partition("-")[0]], evidence_of(name))
    assert found.outcome is EXPECTED.get(name, Outcome.DONE), found
    assert len(found.reason) <= TEXT_LIMIT  # field report 28: the reason is shown, and is short
    assert found.reason or found.outcome is Outcome.DONE


def test_every_name_in_the_table_is_a_recording() -> None:
    assert set(EXPECTED) <= set(EXITS)


@pytest.mark.parametrize(
    ("name", "reset"),
    [
        ("claude-http429-subscription", "2026-11-30T10:51:22Z"),
        ("codex-http429-usage-limit", "9:15 AM"),
        ("codex-http429", ""),
    ],
)
def test_a_quota_says_when_it_ends(name: str, reset: str) -> None:
    """REQ FAIL-15."""
    found = verdict(TARGETS[name.partition("-")[0]], evidence_of(name))
    assert (found.outcome, found.resets_at) == (Outcome.QUOTA, reset)


@pytest.mark.parametrize("name", ["codex-success-full", "claude-effort-max"])
def test_a_good_run_without_changes_is_an_outcome_of_its_own(name: str) -> None:
    """Field report 33."""
    found = verdict(TARGETS[name.partition("-")[0]], evidence_of(name, tree_changed=False))
    assert found.outcome is Outcome.DONE_NO_CHANGE


@pytest.mark.parametrize(
    ("name", "tools"),
    [("claude-tools-write-paths", "Write, Read"), ("claude-2.1.332-denied-write", "Write, Bash")],
)
def test_a_refused_tool_and_no_change_is_a_permission_problem(name: str, tools: str) -> None:
    """Field report 23: the tools are named."""
    found = verdict(TARGETS["claude"], evidence_of(name, tree_changed=False))
    assert found.outcome is Outcome.PERMISSION
    assert found.reason.endswith(": " + tools)


def test_a_resume_that_answers_in_another_session_is_noticed() -> None:
    """REQ CXA-07."""
    evidence = evidence_of("codex-resume-notuuid", asked_session="not-a-uuid")
    assert verdict(TARGETS["codex"], evidence).outcome is Outcome.SESSION_GONE


@pytest.mark.parametrize(
    ("judge", "name"), [("codex", "claude-success-full"), ("claude", "codex-success-full")]
)
def test_one_target_never_judges_the_log_of_the_other(judge: str, name: str) -> None:
    """REQ RSM-05."""
    leg = TARGETS[judge]
    facts = Facts()
    for event in LogReader(RECORDINGS / f"{name}.jsonl").rest():
        facts = leg.read(facts, event)
    found = verdict(leg, evidence_of(name, facts=facts, last_message="### Files Changed"))
    assert found.outcome is Outcome.STREAM_UNREADABLE


def test_the_reason_stands_behind_a_long_banner() -> None:
    """Field report 28."""
    banner = "welcome to the client\n" * 3000
    evidence = Evidence(Facts(), exit=1, stderr=banner + "error: the disk said no\n")
    found = verdict(TARGETS["codex"], evidence)
    assert found.reason == "error: the disk said no"


def test_a_failed_supervisor_is_not_blamed_on_the_target() -> None:
    found = verdict(TARGETS["codex"], Evidence(Facts(events=3), exit=70, stderr="401", cause=Cause.FAULT))
    assert found.outcome is Outcome.FAILED
    assert "supervisor itself" in found.reason


def test_a_report_that_quotes_a_401_is_no_login_problem() -> None:
    """REQ FAIL-14, field report 41: only error events and stderr are classified."""
    text = "The client answers 401 Unauthorized when OPENAI_API_KEY is missing."
    for name in ("codex-success-full", "claude-success-full"):
        facts = facts_of(name).but(final_message=text)
        found = verdict(TARGETS[name.partition("-")[0]], evidence_of(name, facts=facts, last_message=text))
        assert found.outcome is Outcome.DONE


def test_facts_come_back_from_their_record() -> None:
    for name in EXITS:
        facts = facts_of(name)
        record = json.loads(json.dumps(facts.as_record()))
        assert from_record(Fields(record, "facts")) == facts.but(final_message="")


def test_a_stream_that_breaks_off_again_and_again_is_a_retry_without_end() -> None:
    """Facts: OpenCode tries a broken stream again for ever, and each try looks like work."""
    facts = facts_of("opencode-truncated-always")
    assert (bool(facts.retry), facts.retry_kind, facts.completed) == (True, "network", False)


def test_the_last_message_alone_is_the_answer_of_opencode() -> None:
    """REQ JRP-01: what it said before a tool call is not part of it."""
    assert facts_of("opencode-success").final_message != ""
    assert "I start." not in facts_of("opencode-success").final_message
