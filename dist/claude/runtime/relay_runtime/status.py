"""Where we are: host, project, configuration, programs. Starts no process; a broken part is shown as such."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from relay_runtime import config
from relay_runtime.config.keys import TARGETS, target_of
from relay_runtime.context import Context
from relay_runtime.errors import RelayError
from relay_runtime.paths import KNOWZCODE, Project
from relay_runtime.readiness import executable


@dataclass(frozen=True)
class Overview:
    """`selector` is None where the configuration is broken; then `trouble` says why.

    `elsewhere` is a folder further up that has knowzcode/ while the project has none. `programs` maps each
    target to the path of its program, or None.
    """

    project: Project
    target: str
    has_config: bool
    in_git: bool
    elsewhere: Path | None
    selector: str | None
    warnings: tuple[str, ...]
    trouble: RelayError | None
    programs: Mapping[str, str | None]


def look(context: Context) -> Overview:
    project = context.project()
    target = target_of(context.package.host)
    selector, trouble = None, None
    warnings: tuple[str, ...] = ()
    try:
        document = config.load(project)
        selector = config.selector(document)
        warnings = config.effective(document, target).warnings
    except RelayError as error:
        trouble = error
    return Overview(
        project=project,
        target=target,
        has_config=project.config.exists(),
        in_git=any((folder / ".git").exists() for folder in (project.root, *project.root.parents)),
        elsewhere=_elsewhere(project),
        selector=selector,
        warnings=warnings,
        trouble=trouble,
        # Each program is called like its target. The adapters know it too, but take long to import.
        programs={name: executable.find(name, context.environ) for name in TARGETS},
    )


def _elsewhere(project: Project) -> Path | None:
    if project.knowzcode.is_dir():
        return None
    return next((folder for folder in project.root.parents if (folder / KNOWZCODE).is_dir()), None)
