"""Codex: skills in its own skills folder, which no other client reads."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from knowzcode_relay.errors import Exit, RelayError
from knowzcode_relay.fs import write_atomic
from knowzcode_relay.hosts import base
from knowzcode_relay.hosts.base import PROJECT, Obstacle, Site
from knowzcode_relay.hosts.settings import read_toml, table
from knowzcode_relay.hosts.skilltext import declared_name, skill_files, text_of
from knowzcode_relay.hosts.surroundings import Surroundings, repository
from knowzcode_relay.package import Package

NAME: str = "codex"
DIST: str = "codex/skills"
INDEX: str = "knowzcode-relay/relay-package.json"
RUNTIME: str = "knowzcode-relay/runtime"
PLATFORM: str = NAME
PACKAGE: str = "knowzcode"
USE: str = "type $knowzcode-relay and what to build, or say it in plain words"
VARIABLE: str = "CODEX_HOME"
_PREFIX = "knowzcode-"

choose = base.first
extra_files = base.no_extra_files
registration = base.not_needed
register = base.no_register
unregister = base.no_unregister


def refusal(scope: str) -> str:  # noqa: ARG001  both scopes can be had
    return ""


def settings_folder(around: Surroundings) -> Path:
    """Codex keeps the user's skills there too."""
    return around.folder("CODEX_HOME", around.home / ".codex")


def sites(scope: str, project: Path, around: Surroundings) -> tuple[Site, ...]:
    folder = repository(project) / ".codex" if scope == PROJECT else settings_folder(around)
    return (Site(NAME, scope, "skills", folder / "skills"),)


def check(site: Site, around: Surroundings) -> None:  # noqa: ARG001  one file for both scopes
    read_toml(settings_folder(around) / "config.toml")


def obstacles(site: Site, package: Package, around: Surroundings) -> tuple[Obstacle, ...]:
    found = [*_same_names(site, package)]
    plugins = table(read_toml(settings_folder(around) / "config.toml").get("plugins"))
    for identity, entry in plugins.items():
        if identity.partition("@")[0] == package.name and table(entry).get("enabled", True) is True:
            found.append(
                Obstacle(
                    f"The plugin {identity} is on in {settings_folder(around) / 'config.toml'}; "
                    "Codex would list its skills beside ours.",
                    token={"id": identity, "switch": "there" if "enabled" in table(entry) else "absent"},
                )
            )
    return tuple(found)


def _same_names(site: Site, package: Package) -> list[Obstacle]:
    names = base.skill_names(package)
    found: list[Obstacle] = []
    for path in skill_files(site.base):
        if path.parent.name in names and path.parent.parent == site.base:
            continue  # the planner looks at the files in our own places
        text = text_of(path)
        name = declared_name(text) if _PREFIX in text else path.parent.name
        if name in names:
            found.append(
                Obstacle(f"{path} is a skill of the same name, {name}; Codex would run neither.", path=path)
            )
    return found


def notices(site: Site, project: Path, around: Surroundings) -> tuple[str, ...]:
    repo = repository(project)
    found = [
        f"{path} is read by Gemini CLI and OpenCode too, and doubles the name for Codex; remove it."
        for folder in dict.fromkeys((around.home, project, repo))
        for path in sorted((folder / ".agents" / "skills").glob(f"{_PREFIX}*"))
    ]
    homes = (settings_folder(around), project / ".codex", repo / ".codex")
    for other in dict.fromkeys(each / "skills" for each in homes):
        if other != site.base and sorted(other.glob(f"{_PREFIX}*/SKILL.md")):
            found.append(
                f"{other} holds KnowzCode skills as well as {site.base}; "
                "Codex lists both and runs neither by name."
            )
    return (*found, *_switched_off(site, around))


def _switched_off(site: Site, around: Surroundings) -> Iterator[str]:
    config = settings_folder(around) / "config.toml"
    entries = table(read_toml(config).get("skills")).get("config")
    for entry in map(table, cast("list[object]", entries) if isinstance(entries, list) else []):
        name, path = str(entry.get("name", "")), str(entry.get("path", ""))
        ours = name.startswith(_PREFIX) or path.startswith(f"{site.base}/{_PREFIX}")
        if ours and entry.get("enabled") is False:
            yield f"{config} switches the skill {name or path} off."


def displace(token: Mapping[str, str], around: Surroundings) -> None:
    _switch(token["id"], around, on=False)


def give_back(token: Mapping[str, str], around: Surroundings) -> None:
    _switch(token["id"], around, on=True, written=token["switch"] == "there")


def _switch(identity: str, around: Surroundings, *, on: bool, written: bool = True) -> None:
    """Turn one plugin on or off, keeping every other byte; `written`: by a switch, not by leaving it out."""
    import tomlkit  # slow to load, and a plugin of our name is rare
    from tomlkit.exceptions import TOMLKitError

    path = (settings_folder(around) / "config.toml").resolve()
    try:
        data = path.read_bytes()
        document = tomlkit.parse(data.decode("utf-8-sig"))
        mode = path.stat().st_mode & 0o777
    except FileNotFoundError:
        return
    except (OSError, ValueError, TOMLKitError) as error:
        raise RelayError(
            "settings.malformed", f"{path} cannot be changed: {error}.", exit=Exit.HALT
        ) from error
    plugins = cast("dict[str, Any]", cast("dict[str, Any]", document).get("plugins", {}))
    entry = cast("dict[str, Any] | None", plugins.get(identity))
    if entry is None or bool(entry.get("enabled", True)) is on:
        return
    if written:
        entry["enabled"] = on
    else:
        del entry["enabled"]  # on is what it means not to be there
    mark = b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b""
    write_atomic(path, mark + tomlkit.dumps(document).encode(), mode=mode)


def neutral(path: str) -> str:
    if path.startswith(f"{RUNTIME}/"):
        return f"runtime/{path.removeprefix(f'{RUNTIME}/')}"
    return path.removeprefix(_PREFIX) if path.startswith("knowzcode-work/references/") else ""
