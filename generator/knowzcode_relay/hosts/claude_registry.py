"""What Claude Code's own files say about plugins and marketplaces, and its command to change them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from knowzcode_relay.errors import Exit, RelayError
from knowzcode_relay.hosts.client import Completed, run
from knowzcode_relay.hosts.settings import read_json, table
from knowzcode_relay.hosts.surroundings import Surroundings

MARKETPLACE = "knowzcode-relay"
PLUGIN = "knowzcode"
JOBS = "cc-agents"


def plugin_id(plugin: str) -> str:
    """What the client calls a plugin of our marketplace."""
    return f"{plugin}@{MARKETPLACE}"


def drop_in_id(plugin: str) -> str:
    """What it calls a plugin that lies in its skills folder."""
    return f"{plugin}@skills-dir"


def command(around: Surroundings, *words: str) -> Completed:
    """Run `claude plugin …`; without the client RelayError (exit 3)."""
    client = around.which("claude")
    if client is None:
        raise RelayError(
            "claude.missing",
            "claude is not on PATH, and only its own command changes its plugin registry.",
            exit=Exit.HALT,
            hint="Put claude on PATH and run the command again.",
        )
    quiet = {**around.environ, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
    return run([client, "plugin", *words], env=quiet, cwd=around.home)


@dataclass(frozen=True)
class Registry:
    """The folders of one Claude Code configuration. Every question reads the files anew."""

    config: Path
    plugins: Path
    private: Path

    @classmethod
    def of(cls, around: Surroundings) -> "Registry":
        own = around.environ.get("CLAUDE_CONFIG_DIR")
        config = around.folder("CLAUDE_CONFIG_DIR", around.home / ".claude")
        return cls(
            config=config,
            plugins=around.folder("CLAUDE_CODE_PLUGIN_CACHE_DIR", config / "plugins"),
            private=(config if own else around.home) / ".claude.json",
        )

    def check(self) -> None:
        """RelayError (exit 3) naming file and line where a file is malformed. The client would ignore it."""
        for path in (self._settings, self._known, self._installed, self.private):
            read_json(path)

    @property
    def _settings(self) -> Path:
        return self.config / "settings.json"

    @property
    def _known(self) -> Path:
        return self.plugins / "known_marketplaces.json"

    @property
    def _installed(self) -> Path:
        return self.plugins / "installed_plugins.json"

    def _source(self) -> Mapping[str, Any]:
        declared = table(read_json(self._settings).get("extraKnownMarketplaces"))
        entry = table(read_json(self._known).get(MARKETPLACE)) or table(declared.get(MARKETPLACE))
        return {**table(entry.get("source")), "location": entry.get("installLocation", "")}

    def marketplace_folder(self) -> Path | None:
        """Where the marketplace of our name lies, or a path made of its source where it is no folder."""
        source = self._source()
        where = source.get("path") or source.get("repo") or source.get("url") or source["location"]
        return Path(str(where)) if where else None

    def is_directory(self) -> bool:
        """Whether the marketplace of our name is a folder, which can be given back without a network."""
        return self._source().get("source") == "directory"

    def _entries(self) -> Mapping[str, Any]:
        return table(read_json(self._installed).get("plugins"))

    def installed(self, identity: str) -> str:
        """The version recorded for a plugin in user scope, or nothing."""
        found = self._entries().get(identity)
        for entry in cast("list[object]", found) if isinstance(found, list) else []:
            if table(entry).get("scope") == "user":
                return str(table(entry).get("version") or "unknown")
        return ""

    def enabled(self, identity: str) -> bool:
        """Whether the user's settings switch a plugin on."""
        return table(read_json(self._settings).get("enabledPlugins")).get(identity) is True

    def installed_from(self) -> tuple[str, ...]:
        """The plugins of the marketplace of our name; one that is off begins with a minus."""
        names = [
            name for name in self._entries() if name.endswith(f"@{MARKETPLACE}") and self.installed(name)
        ]
        return tuple(name if self.enabled(name) else f"-{name}" for name in sorted(names))

    def namesakes(self, plugin: str) -> tuple[str, ...]:
        """Plugins of this name from other marketplaces that are on."""
        switches = table(read_json(self._settings).get("enabledPlugins"))
        return tuple(
            identity
            for identity, on in sorted(switches.items())
            if on is True
            and identity.partition("@")[0] == plugin
            and identity not in (plugin_id(plugin), drop_in_id(plugin))
        )
