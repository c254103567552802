"""A stand-in for `claude plugin …`: it changes the registry files as the real client was seen to do.

`<name>.json` beside it may hold {"refuse": [WORDS…], "lie": [WORDS…], "hang": [WORDS…]}: a command that
begins with these words fails, claims success and does nothing, or never ends.
"""

import json
import os
import sys
import time
from pathlib import Path

CONFIG = Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path(os.environ["HOME"]) / ".claude")
KNOWN = CONFIG / "plugins/known_marketplaces.json"
INSTALLED = CONFIG / "plugins/installed_plugins.json"
SETTINGS = CONFIG / "settings.json"


def main(words):
    scenario = Path(sys.argv[0]).with_suffix(".json")
    rules = json.loads(scenario.read_text()) if scenario.exists() else {}
    said = " ".join(words)
    if any(said.startswith(rule) for rule in rules.get("hang", [])):
        time.sleep(600)
    if any(said.startswith(rule) for rule in rules.get("refuse", [])):
        print("✘ Failed: the scenario refuses it", file=sys.stderr)
        return 1
    if any(said.startswith(rule) for rule in rules.get("lie", [])):
        print("✔ Successfully done nothing")
        return 0
    known, installed, settings = read(KNOWN), read(INSTALLED), read(SETTINGS)
    plugins = installed.setdefault("plugins", {})
    enabled = settings.setdefault("enabledPlugins", {})
    declared = settings.setdefault("extraKnownMarketplaces", {})
    if words[:2] == ["marketplace", "add"]:
        manifest = json.loads((Path(words[2]) / ".claude-plugin/marketplace.json").read_text())
        source = {"source": "directory", "path": words[2]}
        known[manifest["name"]] = {"source": source, "installLocation": words[2]}
        declared[manifest["name"]] = {"source": source}
    elif words[:2] == ["marketplace", "remove"]:
        if words[2] not in known:
            return 1
        del known[words[2]]
        declared.pop(words[2], None)
        for name in [name for name in plugins if name.endswith("@" + words[2])]:
            del plugins[name]
            enabled.pop(name, None)
    elif words[0] == "install":
        name, _, marketplace = words[1].partition("@")
        if marketplace not in known:
            print(f"✘ Plugin {name} not found in marketplace {marketplace}", file=sys.stderr)
            return 1
        cache = CONFIG / "plugins/cache" / marketplace / name / "0"
        cache.mkdir(parents=True, exist_ok=True)
        (cache / "copy").write_text("a copy that nothing reads\n")
        plugins[words[1]] = [{"scope": "user", "installPath": str(cache), "version": "0"}]
        enabled[words[1]] = True
    elif words[0] == "uninstall":
        if words[1] not in plugins:
            return 1
        del plugins[words[1]]
        enabled.pop(words[1], None)
    elif words[0] in ("enable", "disable"):
        enabled[words[1]] = words[0] == "enable"
    for path, value in ((KNOWN, known), (INSTALLED, installed), (SETTINGS, settings)):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value, indent=2))
    return 0


def read(path):
    return json.loads(path.read_text()) if path.exists() else {}


if __name__ == "__main__":
    sys.exit(main(sys.argv[2:]))
