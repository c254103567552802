"""Claude Code: a marketplace folder of ours that it runs in place, or a drop-in folder without the client."""

import json
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from knowzcode_relay.errors import Exit, RelayError
from knowzcode_relay.hosts import base, claude_leftovers
from knowzcode_relay.hosts.base import USER, Obstacle, Registration, Site
from knowzcode_relay.hosts.claude_registry import (
    JOBS,
    MARKETPLACE,
    PLUGIN,
    Registry,
    command,
    drop_in_id,
    plugin_id,
)
from knowzcode_relay.hosts.settings import read_json, table
from knowzcode_relay.hosts.skilltext import text_of
from knowzcode_relay.hosts.surroundings import Surroundings
from knowzcode_relay.package import File, Package

NAME: str = "claude"
PLATFORM: str = NAME
PACKAGE: str = PLUGIN
DIST: str = "claude"
INDEX: str = "relay-package.json"
RUNTIME: str = "runtime"
USE: str = "type /knowzcode:relay and what to build, or say it in plain words"
VARIABLE: str = "CLAUDE_CONFIG_DIR"

MARKETPLACE_KIND = "marketplace"
DROP_IN_KIND = "drop-in"

_ABOUT = {
    PLUGIN: "One coding agent plans and reviews while the other one implements, headless and supervised.",
    JOBS: "An agent that hands a job to another coding agent and returns its state block and report.",
}


def settings_folder(around: Surroundings) -> Path:
    return Registry.of(around).config


def refusal(scope: str) -> str:
    if scope == USER:
        return ""
    return (
        "Claude Code keeps the absolute path of a project's plugin in the repository and loads it only from "
        "that very folder, so claude is installed in user scope only."
    )


def sites(scope: str, project: Path, around: Surroundings) -> tuple[Site, ...]:  # noqa: ARG001  user scope only
    return sites_of(NAME, PLUGIN, around)


def sites_of(name: str, plugin: str, around: Surroundings) -> tuple[Site, ...]:
    return (
        Site(name, USER, MARKETPLACE_KIND, around.data / MARKETPLACE, plugin, in_place=True),
        Site(name, USER, DROP_IN_KIND, Registry.of(around).config / "skills", plugin),
    )


def choose(sites: tuple[Site, ...], recorded: Collection[Site], around: Surroundings) -> Site:
    marketplace, drop_in = sites
    return marketplace if around.which("claude") or marketplace in recorded else drop_in


def extra_files(site: Site, package: Package, beside: Collection[str]) -> tuple[File, ...]:  # noqa: ARG001  the contract's shape
    if site.kind != MARKETPLACE_KIND:
        return ()
    names = [name for name in _ABOUT if name == PLUGIN or name in beside]
    record = {
        "name": MARKETPLACE,
        "owner": {"name": "The knowzcode-relay authors"},
        "description": _ABOUT[PLUGIN],
        "plugins": [{"name": name, "source": f"./{name}", "description": _ABOUT[name]} for name in names],
    }
    return (File(".claude-plugin/marketplace.json", (json.dumps(record, indent=2) + "\n").encode()),)


def check(site: Site, around: Surroundings) -> None:  # noqa: ARG001  the same files whatever the site
    Registry.of(around).check()


def obstacles(site: Site, package: Package, around: Surroundings) -> tuple[Obstacle, ...]:  # noqa: ARG001  the same whatever the site
    registry, found = Registry.of(around), [*namesakes(package, around)]
    other = registry.marketplace_folder()
    if other is not None and not _same(other, around.data / MARKETPLACE):
        plain = registry.is_directory()
        found.append(
            Obstacle(
                f"Claude Code knows another marketplace named {MARKETPLACE}, at {other}.",
                token={
                    "act": "marketplace",
                    "source": str(other),
                    "plugins": " ".join(registry.installed_from()),
                },
                movable=plain,
            )
        )
    return tuple(found)


def namesakes(package: Package, around: Surroundings) -> tuple[Obstacle, ...]:
    """What goes by the package's name or by that of one of its skills."""
    registry = Registry.of(around)
    plugins = (
        Obstacle(
            f"Claude Code has the plugin {identity}, which has our name and is on.",
            token={"act": "plugin", "id": identity},
        )
        for identity in registry.namesakes(package.name)
    )
    return (*_personal(registry.config, package), *plugins)


def _personal(config: Path, package: Package) -> list[Obstacle]:
    """Drop-in plugins of our name, and personal skills or commands that take over one of our commands."""
    found: list[Obstacle] = []
    for manifest in sorted((config / "skills").glob("*/.claude-plugin/plugin.json")):
        try:
            name = table(json.loads(text_of(manifest) or "{}")).get("name")
        except ValueError:
            continue  # Claude loads no plugin from it either
        if name == package.name:
            found.append(Obstacle(f"{manifest} makes a drop-in plugin of our name.", path=manifest))
    for skill in sorted(base.skill_names(package)):
        typed = f"{package.name}:{skill}"
        for path in (
            config / "skills" / typed / "SKILL.md",
            config / "commands" / package.name / f"{skill}.md",
        ):
            if path.is_file() or path.is_symlink():
                found.append(Obstacle(f"{path} answers to /{typed} in our place.", path=path))
    return found


def notices(site: Site, project: Path, around: Surroundings) -> tuple[str, ...]:
    found: list[str] = switched_off(site, project, around)
    if site.kind == DROP_IN_KIND:
        found.append(
            f"claude is not on PATH, so {site.root} is a drop-in plugin, which OpenCode reads too; "
            "after installing claude run: knowzcode-relay upgrade"
        )
    found += [
        f"{path} answers to /{PLUGIN}:… in our place, so our hook approves no skill; rename or remove it."
        for path in _taking(project / ".claude")
    ]
    return tuple(found)


def switched_off(site: Site, project: Path, around: Surroundings) -> list[str]:
    """The settings files that switch the site's plugin off, one sentence each."""
    found: list[str] = []
    own, folder = identity_of(site), project / ".claude"
    for path in (
        Registry.of(around).config / "settings.json",
        folder / "settings.json",
        folder / "settings.local.json",
    ):
        try:
            plugins = table(read_json(path).get("enabledPlugins"))
        except RelayError as error:
            found.append(error.message)
            continue
        if plugins.get(own) is False:
            found.append(f"{path} switches {own} off.")
    return found


def identity_of(site: Site) -> str:
    """What the client calls the plugin that lies there."""
    return drop_in_id(site.prefix) if site.kind == DROP_IN_KIND else plugin_id(site.prefix)


def _taking(folder: Path) -> Iterator[Path]:
    """What below a project's `.claude` takes names of our plugin: its entries win over a plugin's."""
    for path in sorted((folder / "skills").glob("*")):
        if path.name.lower().startswith(f"{PLUGIN}:"):
            yield path
    for path in sorted((folder / "commands").glob("*")):
        if path.name.lower().partition(":")[0] == PLUGIN:
            yield path


def registration(site: Site, around: Surroundings) -> Registration:
    if site.kind != MARKETPLACE_KIND:
        return Registration.NOT_NEEDED
    registry, own = Registry.of(around), identity_of(site)
    known = registry.marketplace_folder()
    if known is None or not _same(known, site.base) or not registry.installed(own):
        return Registration.ABSENT
    return Registration.REGISTERED if registry.enabled(own) else Registration.DISABLED


def register(site: Site, version: str, around: Surroundings) -> None:
    if site.kind != MARKETPLACE_KIND:
        return
    registry, said, own = Registry.of(around), "", identity_of(site)
    known = registry.marketplace_folder()
    if known is None or not _same(known, site.base):
        said = command(around, "marketplace", "add", str(site.base)).last_words
    if registration(site, around) is not Registration.REGISTERED:
        said = command(around, "install", own).last_words
    elif registry.installed(own) != version:
        command(around, "update", own)  # only what `claude plugin list` shows; the folder runs in place
    if registration(site, around) is not Registration.REGISTERED:
        raise RelayError(
            "claude.not-registered", f"Claude Code did not register {own}: {said}", exit=Exit.FAILED
        )


def unregister(site: Site, around: Surroundings) -> None:
    if site.kind != MARKETPLACE_KIND:
        claude_leftovers.forget_usage(Registry.of(around), PLUGIN)
        return
    known = Registry.of(around).marketplace_folder()
    said = ""
    if known is not None and _same(known, site.base):
        # `plugin uninstall` would note us as declined in the user's settings; this removes the plugin too.
        said = command(around, "marketplace", "remove", MARKETPLACE).last_words
    registry = Registry.of(around)
    known = registry.marketplace_folder()
    if known is not None and _same(known, site.base):
        raise RelayError(
            "claude.still-registered", f"Claude Code did not forget {MARKETPLACE}: {said}", exit=Exit.FAILED
        )
    own = identity_of(site)
    if known is None and registry.installed(own):
        command(around, "uninstall", own)
    if known is None and not Registry.of(around).installed(own):
        claude_leftovers.sweep(registry, PLUGIN)


def displace(token: Mapping[str, str], around: Surroundings) -> None:
    if token["act"] == "plugin":
        command(around, "disable", token["id"])
        if Registry.of(around).enabled(token["id"]):
            raise _stuck(f"Claude Code did not switch {token['id']} off.")
    else:
        command(around, "marketplace", "remove", MARKETPLACE)
        if Registry.of(around).marketplace_folder() is not None:
            raise _stuck(f"Claude Code did not forget the marketplace {MARKETPLACE} at {token['source']}.")


def give_back(token: Mapping[str, str], around: Surroundings) -> None:
    registry = Registry.of(around)
    if token["act"] == "plugin":
        if registry.installed(token["id"]) and not registry.enabled(token["id"]):
            command(around, "enable", token["id"])
    elif registry.marketplace_folder() is None and Path(token["source"]).is_dir():
        command(around, "marketplace", "add", token["source"])
        for word in token["plugins"].split():
            command(around, "install", word.lstrip("-"))
            if word.startswith("-"):
                command(around, "disable", word.lstrip("-"))


def neutral(path: str) -> str:
    if path.startswith(f"{RUNTIME}/"):
        return path
    return path.removeprefix("skills/") if path.startswith("skills/work/references/") else ""


def _same(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve()


def _stuck(message: str) -> RelayError:
    return RelayError("claude.not-displaced", message, exit=Exit.FAILED)
