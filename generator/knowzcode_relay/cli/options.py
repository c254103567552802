"""The options that the installing verbs share, and the request that they make."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from knowzcode_relay.hosts import ADDITIONS
from knowzcode_relay.hosts.base import PROJECT, USER
from knowzcode_relay.hosts.surroundings import Surroundings
from knowzcode_relay.install.request import ALL, Request, additions, platforms, project_folder

_PLATFORMS = click.option(
    "--platforms", metavar="LIST", help="claude, codex, a comma list, or all, which is the default."
)
_NAMED = click.option(
    "--platforms", metavar="LIST", required=True, help="claude, codex, a comma list of them, or all."
)
_SCOPE = click.option(
    "--scope",
    type=click.Choice([USER, PROJECT]),
    default=USER,
    show_default=True,
    help="For you everywhere, or in one repository (codex only).",
)
_FOLDER = click.option(
    "--project",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The folder to look from; the working folder by default.",
)
_PROJECT = click.option(
    "--project",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The repository of project scope; the working folder by default.",
)


def looking(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options of a verb that only looks."""
    return _PLATFORMS(_FOLDER(function))


def changing(*, named: bool) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The options of a verb that changes installs; `named`: its platforms must be given."""
    options = (
        _NAMED if named else _PLATFORMS,
        _SCOPE,
        _PROJECT,
        click.option(
            "--with",
            "additions",
            multiple=True,
            metavar="NAME",
            help=f"Add a package to its platform's own: {', '.join(ADDITIONS)}.",
        ),
        click.option("--dry-run", is_flag=True, help="Say what would be done and change nothing."),
        click.option("--diff", is_flag=True, help="Show the difference in the files and change nothing."),
        click.option(
            "--replace",
            is_flag=True,
            help="Take the place of edited, deleted and foreign files; back them up.",
        ),
    )

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def request(verb: str, options: dict[str, Any], around: Surroundings) -> Request:
    """Check the words of a changing verb; RelayError (exit 2) where they ask for what cannot be had."""
    words, scope = options["platforms"], options["scope"]
    names = platforms(words, scope)
    return Request(
        verb=verb,
        platforms=(*names, *additions(options["additions"], names)),
        scope=scope,
        project=project_folder(options["project"], scope, around),
        named=words not in (None, ALL),
        replace=options["replace"],
        preview=options["dry_run"] or options["diff"],
    )
