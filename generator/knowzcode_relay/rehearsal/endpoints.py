"""How each client is told to ask the scripted model instead of its provider."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

_KEY = "scripted"  # any value: the scripted model asks for none


@dataclass(frozen=True)
class Endpoint:
    """`environ` is added to the client's environment; `arguments` stand after its subcommand (`exec`)."""

    environ: Mapping[str, str]
    arguments: tuple[str, ...] = field(default=())


def claude(url: str) -> Endpoint:
    return Endpoint(
        {
            "ANTHROPIC_BASE_URL": url,
            "ANTHROPIC_API_KEY": _KEY,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        }
    )


def codex(url: str) -> Endpoint:
    """A provider of our own by arguments, since a leg ignores the user's configuration file."""
    provider = (
        f'{{name="scripted", base_url="{url}/v1", wire_api="responses", env_key="OPENAI_API_KEY", '
        "request_max_retries=1, stream_max_retries=1}"
    )
    return Endpoint(
        {"OPENAI_API_KEY": _KEY},
        ("-c", "model_provider=scripted", "-c", f"model_providers.scripted={provider}"),
    )


OPENCODE_MODEL = "scripted/model"


def opencode(url: str) -> Endpoint:
    """A provider of our own by environment; its one model is OPENCODE_MODEL."""
    provider: dict[str, object] = {
        "npm": "@ai-sdk/openai-compatible",
        "options": {"baseURL": f"{url}/v1", "apiKey": _KEY},
        "models": {"model": {}},
    }
    content = {"provider": {"scripted": provider}, "autoupdate": False, "share": "disabled"}
    return Endpoint({"OPENCODE_CONFIG_CONTENT": json.dumps(content)}, ("--model", OPENCODE_MODEL))
