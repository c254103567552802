"""Delete what Claude Code's own commands leave of a plugin that no registry entry refers to any more."""

import contextlib
import json
import shutil
from typing import cast

from knowzcode_relay.fs import write_atomic
from knowzcode_relay.hosts.claude_registry import DROP_IN_ID, MARKETPLACE, PLUGIN, PLUGIN_ID, Registry
from knowzcode_relay.hosts.settings import read_json, table


def sweep(registry: Registry) -> None:
    """Remove our cache and data folders, and what `forget_usage` does."""
    for folder in (
        registry.plugins / "cache" / MARKETPLACE,
        registry.plugins / "data" / f"{PLUGIN}-{MARKETPLACE}",
    ):
        if not folder.is_symlink():
            shutil.rmtree(folder, ignore_errors=True)
    forget_usage(registry)


def forget_usage(registry: Registry) -> None:
    """Remove our keys among the counts of how often each plugin and skill was used."""
    record = read_json(registry.private)
    ours = False
    for key in ("pluginUsage", "skillUsage"):
        kept = {name: count for name, count in table(record.get(key)).items() if not _is_ours(name)}
        if len(kept) != len(table(record.get(key))):
            record[key], ours = kept, True
    declined = record.get("declinedPlugins")
    if isinstance(declined, list) and PLUGIN_ID in declined:
        record["declinedPlugins"] = [each for each in cast("list[object]", declined) if each != PLUGIN_ID]
        ours = True
    if not ours:
        return
    path = registry.private.resolve()
    with contextlib.suppress(FileNotFoundError):
        # The client writes this file in this very form.
        text = json.dumps(record, indent=2, ensure_ascii=False)
        write_atomic(path, text.encode("utf-8", "surrogatepass"), mode=path.stat().st_mode & 0o777)


def _is_ours(name: str) -> bool:
    return name in (PLUGIN_ID, DROP_IN_ID) or name.startswith(f"{PLUGIN}:")
