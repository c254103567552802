"""Build the folder that a client will run in place, complete, before it goes live."""

import shutil
from pathlib import Path

from knowzcode_relay.hosts.surroundings import Surroundings
from knowzcode_relay.install import content, steps
from knowzcode_relay.install.backup import Backups
from knowzcode_relay.install.draft import Draft
from knowzcode_relay.install.journal import Swap
from knowzcode_relay.install.plan import Act, Action
from knowzcode_relay.install.scan import looks


def stage(draft: Draft, around: Surroundings) -> Swap:
    """The live folder with all that is in it, changed as the draft says, in our data folder."""
    prefix = f"{draft.site.prefix}/"
    live, folder = draft.real / draft.site.prefix, steps.staging(around.data) / draft.site.prefix
    staged = folder / "new"
    if live.is_dir():
        shutil.copytree(live, staged, symlinks=True)
    staged.mkdir(parents=True, exist_ok=True)
    for action in draft.actions:
        if action.path.startswith(prefix):
            _change(action, staged / action.path.removeprefix(prefix), draft, around)
    _drop_empty(staged, live, draft)
    return Swap(live, staged, folder / "old", live.exists(), looks(staged))


def _change(action: Action, place: Path, draft: Draft, around: Surroundings) -> None:
    if action.after is None:
        content.remove(place)
    elif action.changes:
        restored = action.act is Act.RESTORE
        data = Backups(around.data).get(action.after) if restored else draft.content[action.path]
        content.write(place, data, action.after, flush=False)
    elif draft.moved is not None and not place.exists():  # it comes along from the place that is left
        data = content.read(draft.source(action.path), action.after.kind)
        content.write(place, data, action.after, flush=False)


def _drop_empty(staged: Path, live: Path, draft: Draft) -> None:
    """Folders that we made and whose last file went away do not come along."""
    ours = draft.known.made if draft.known else ()
    inner = [Path(each).relative_to(live) for each in ours if Path(each).is_relative_to(live)]
    content.remove_empty(tuple(str(staged / each) for each in inner if each.parts))
