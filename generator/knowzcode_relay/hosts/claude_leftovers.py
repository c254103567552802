"""Delete what Claude Code's own commands leave of a plugin that no registry entry refers to any more."""

import contextlib
import json
import shutil
from typing import cast

from knowzcode_relay.fs import write_atomic
from knowzcode_relay.hosts.claude_registry import MARKETPLACE, Registry, drop_in_id, plugin_id
from knowzcode_relay.hosts.settings import read_json, table


def sweep(registry: Registry, plugin: str) -> None:
    """Remove the plugin's cache and data folders, and what `forget_usage` does."""
    cache = registry.plugins / "cache" / MARKETPLACE
    for folder in (cache / plugin, registry.plugins / "data" / f"{plugin}-{MARKETPLACE}"):
        if not folder.is_symlink():
            shutil.rmtree(folder, ignore_errors=True)
    with contextlib.suppress(OSError):
        cache.rmdir()  # unless another plugin of ours has its copy there
    forget_usage(registry, plugin)


def forget_usage(registry: Registry, plugin: str) -> None:
    """Remove the plugin's keys among the counts of how often each plugin and skill was used."""
    record = read_json(registry.private)
    ours = False
    for key in ("pluginUsage", "skillUsage"):
        kept = {name: count for name, count in table(record.get(key)).items() if not _is_of(name, plugin)}
        if len(kept) != len(table(record.get(key))):
            record[key], ours = kept, True
    declined = record.get("declinedPlugins")
    if isinstance(declined, list) and plugin_id(plugin) in declined:
        record["declinedPlugins"] = [
            each for each in cast("list[object]", declined) if each != plugin_id(plugin)
        ]
        ours = True
    if not ours:
        return
    path = registry.private.resolve()
    with contextlib.suppress(FileNotFoundError):
        # The client writes this file in this very form.
        text = json.dumps(record, indent=2, ensure_ascii=False)
        write_atomic(path, text.encode("utf-8", "surrogatepass"), mode=path.stat().st_mode & 0o777)


def _is_of(name: str, plugin: str) -> bool:
    return name in (plugin_id(plugin), drop_in_id(plugin)) or name.startswith(f"{plugin}:")
