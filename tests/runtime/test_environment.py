"""What a client that we start inherits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relay_runtime.attempts.environment import KEPT, SCRUBBED, SCRUBBED_PREFIXES, child_environment
from support.fake_client import ready, rule
from support.runtime_package import run_runtime
from support.world import World

MARKS = (
    # Claude Code 2.1.197 and 2.1.332 around a Bash call
    *(
        "AI_AGENT",
        "CLAUDECODE",
        "CLAUDE_CODE_CHILD_SESSION",
        "CLAUDE_CODE_ENTRYPOINT",
        "CLAUDE_CODE_EXECPATH",
    ),
    *("CLAUDE_CODE_SESSION_ID", "CLAUDE_EFFORT", "CLAUDE_PID", "CLAUDE_CODE_MESSAGING_SOCKET"),
    *("CLAUDE_CODE_MESSAGING_TOKEN", "CLAUDE_CODE_CHILD_NOTES_DIR", "CLAUDE_CODE_SESSION_ATTENDED"),
    *("CLAUDE_CODE_SOMETHING_OF_NEXT_YEAR",),
    # Codex around a shell command
    *("CODEX_CI", "CODEX_SESSION_ID", "CODEX_THREAD_ID", "CODEX_TOOL_CALL_ID", "CODEX_VERSION"),
    *("CODEX_MANAGED_BY_NPM", "CODEX_MANAGED_PACKAGE_ROOT", "CODEX_SANDBOX_NETWORK_DISABLED"),
    # OpenCode
    *("OPENCODE", "OPENCODE_PID", "OPENCODE_RUN_ID", "OPENCODE_SERVER_PASSWORD"),
)
NEEDED = (
    *("PATH", "HOME", "TMPDIR", "LANG", "CODEX_HOME", "CLAUDE_CONFIG_DIR"),
    *("HTTPS_PROXY", "https_proxy", "NO_PROXY", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"),
    *("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"),
    *("CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY", "AWS_PROFILE"),
    *("CLAUDE_CODE_CLIENT_CERT", "CODEX_API_KEY", "OPENAI_API_KEY", "OPENCODE_CONFIG"),
)


@pytest.mark.parametrize("name", MARKS)
def test_marks_of_the_session_around_us_go(name: str) -> None:
    """Field reports 4 and 5: what an agent sets around a command never reaches a client that we start."""
    assert child_environment({name: "1"}) == {}


@pytest.mark.parametrize("name", NEEDED)
def test_login_endpoint_proxy_and_certificates_stay(name: str) -> None:
    """Field report 4: a login, an endpoint, a proxy and a certificate reach the client unchanged."""
    assert child_environment({name: "a b"}) == {name: "a b"}


names = st.one_of(
    st.text(st.characters(codec="ascii", categories=["Lu", "Nd"], include_characters="_"), min_size=1),
    st.builds("".join, st.tuples(st.sampled_from(SCRUBBED_PREFIXES), st.text("ABC_", max_size=5))),
    st.sampled_from([*KEPT, *SCRUBBED, *NEEDED]),
)


@given(st.dictionaries(names, st.text()))
def test_only_marks_go_and_nothing_changes(environ: dict[str, str]) -> None:
    """What stays has its value, and what went was a mark."""
    child = child_environment(environ)
    assert child.items() <= environ.items()
    assert all(
        name in SCRUBBED or name.startswith(SCRUBBED_PREFIXES) for name in environ.keys() - child.keys()
    )
    assert child_environment(child) == child


def test_a_client_that_refuses_to_nest_is_ready(world: World) -> None:
    """Field report 4: the probes run although our own session marked us, with the user's proxy."""
    names = ["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_MESSAGING_TOKEN"]
    fake = ready(world, "claude", rule("--version", refuse_env=names, stdout="2.1.332"))
    environ = world.environ(HTTPS_PROXY="http://proxy:3128", **dict.fromkeys(names, "1"))
    assert run_runtime(world, "codex", "detect", "claude", environ=environ).code == 0
    seen = fake.calls[0]["env"]
    assert (seen["HTTPS_PROXY"], seen["HOME"]) == ("http://proxy:3128", str(world.home))
    assert not seen.keys() & set(names)
