"""What a child process inherits: the user's environment without the marks of the agent that runs us.

A coding agent marks the commands it runs, and a client that finds such marks refuses to start or joins the
outer session; one of the marks is a secret of that session. New releases add marks, so whole prefixes go, and
what a login, an endpoint, a proxy or a certificate needs is kept by name.
"""

from __future__ import annotations

from collections.abc import Mapping

SCRUBBED_PREFIXES = (
    "CLAUDE_CODE_",
    "CLAUDE_AGENT_SDK_",
    "CLAUDE_BG_",
    "CLAUDE_BRIDGE_",
    "CLAUDE_PLUGIN_",
    "CLAUDE_PTY_",
    "CLAUDE_RUNNER_",
    "CODEX_",
    "OPENCODE_",
)

SCRUBBED = frozenset(
    {
        "AI_AGENT",
        "CLAUDECODE",
        "CLAUDE_EFFORT",
        "CLAUDE_ENV_FILE",
        "CLAUDE_JOB_DIR",
        "CLAUDE_PID",
        "CLAUDE_PROJECT_DIR",
        "CLAUDE_SESSION_INGRESS_TOKEN_FILE",
        "CLAUDE_SKILL_DIR",
        "GEMINI_CLI",
        "OPENCODE",
    }
)

# Names below a scrubbed prefix that the user sets: where the client's own files are, how it logs in, what it
# may reach, and how much it may say.
KEPT = frozenset(
    {
        "CLAUDE_CODE_API_BASE_URL",
        "CLAUDE_CODE_API_KEY_HELPER_TTL_MS",
        "CLAUDE_CODE_CERT_STORE",
        "CLAUDE_CODE_CLIENT_CERT",
        "CLAUDE_CODE_CLIENT_KEY",
        "CLAUDE_CODE_CLIENT_KEY_PASSPHRASE",
        "CLAUDE_CODE_CUSTOM_OAUTH_URL",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
        "CLAUDE_CODE_ENABLE_PROXY_AUTH_HELPER",
        "CLAUDE_CODE_ENABLE_TELEMETRY",
        "CLAUDE_CODE_GATEWAY_TOKEN",
        "CLAUDE_CODE_GIT_BASH_PATH",
        "CLAUDE_CODE_HTTPS_PROXY",
        "CLAUDE_CODE_HTTP_PROXY",
        "CLAUDE_CODE_MAX_OUTPUT_TOKENS",
        "CLAUDE_CODE_OAUTH_CLIENT_ID",
        "CLAUDE_CODE_OAUTH_REFRESH_TOKEN",
        "CLAUDE_CODE_OAUTH_SCOPES",
        "CLAUDE_CODE_OAUTH_TOKEN",
        "CLAUDE_CODE_PROXY_AUTHENTICATE",
        "CLAUDE_CODE_PROXY_AUTH_HELPER_TTL_MS",
        "CLAUDE_CODE_PROXY_HOST",
        "CLAUDE_CODE_PROXY_RESOLVES_HOSTS",
        "CLAUDE_CODE_PROXY_URL",
        "CLAUDE_CODE_SHELL",
        "CLAUDE_CODE_SKIP_ANTHROPIC_AWS_AUTH",
        "CLAUDE_CODE_SKIP_ANTHROPIC_GOOGLE_CLOUD_AUTH",
        "CLAUDE_CODE_SKIP_BEDROCK_AUTH",
        "CLAUDE_CODE_SKIP_FOUNDRY_AUTH",
        "CLAUDE_CODE_SKIP_MANTLE_AUTH",
        "CLAUDE_CODE_SKIP_VERTEX_AUTH",
        "CLAUDE_CODE_TMPDIR",
        "CLAUDE_CODE_USE_ANTHROPIC_AWS",
        "CLAUDE_CODE_USE_ANTHROPIC_GOOGLE_CLOUD",
        "CLAUDE_CODE_USE_BEDROCK",
        "CLAUDE_CODE_USE_FOUNDRY",
        "CLAUDE_CODE_USE_GATEWAY",
        "CLAUDE_CODE_USE_MANTLE",
        "CLAUDE_CODE_USE_VERTEX",
        "CODEX_ACCESS_TOKEN",
        "CODEX_API_KEY",
        "CODEX_CA_CERTIFICATE",
        "CODEX_HOME",
        "CODEX_OSS_BASE_URL",
        "CODEX_OSS_PORT",
        "CODEX_SQLITE_HOME",
        "OPENCODE_API_KEY",
        "OPENCODE_AUTH_CONTENT",
        "OPENCODE_CONFIG",
        "OPENCODE_CONFIG_CONTENT",
        "OPENCODE_CONFIG_DIR",
        "OPENCODE_CONSOLE_TOKEN",
        "OPENCODE_GIT_BASH_PATH",
        "OPENCODE_MODELS_PATH",
        "OPENCODE_MODELS_URL",
    }
)


def is_session_mark(name: str) -> bool:
    """Whether the variable belongs to the agent session around us."""
    return name in SCRUBBED or (name.startswith(SCRUBBED_PREFIXES) and name not in KEPT)


def child_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """`environ` without the marks of the session around us."""
    return {name: value for name, value in environ.items() if not is_session_mark(name)}


DEPTH = "KNOWZCODE_RELAY_DEPTH"


def leg_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """What a leg inherits: marked, so that a relay inside of it refuses to start another."""
    return {**child_environment(environ), DEPTH: str(depth(environ) + 1)}


def depth(environ: Mapping[str, str]) -> int:
    """How many relays we are inside of. A mark that is no number counts as one."""
    mark = environ.get(DEPTH, "")
    return (int(mark) if mark.isdigit() else 1) if mark else 0
