"""After a crash: finish what was committed, undo what was not, and go on with a removal."""

import shutil
from dataclasses import replace

from knowzcode_relay.hosts.surroundings import Surroundings
from knowzcode_relay.install import content, journal, manifest, removal, steps
from knowzcode_relay.install.backup import Backups
from knowzcode_relay.install.journal import Journal
from knowzcode_relay.install.manifest import Manifest


def recover(around: Surroundings) -> tuple[str, ...]:
    """Bring an interrupted change to an end and say so. Call it with the lock held."""
    found = journal.load(around.data)
    if found is None:
        return ()
    if found.removing:
        said = removal.remove_all(found, around)
        journal.clear(around.data)
        return (f"An interrupted {found.verb} was found and finished.", *said)
    if found.committed:
        finish(found, around)
        return (f"An interrupted {found.verb} was found and finished.",)
    said = undo(found, around)
    return (f"An interrupted {found.verb} was found and undone.", *said)


def finish(record: Journal, around: Surroundings) -> None:
    """What is left after the last step: the manifest, empty folders, backups that nothing needs."""
    after = record.after
    gone = [each for each in record.before.installs if after.find(each.site) is None]
    for install in gone:
        content.remove_empty(install.made)
    for install in after.installs:
        after = after.with_install(replace(install, made=content.remove_empty(install.made)))
    manifest.save(around.data, after)
    tidy(after, around)
    journal.clear(around.data)


def undo(record: Journal, around: Surroundings) -> tuple[str, ...]:
    """Take every step back, the last first, and forget the change."""
    said: list[str] = []
    for step in reversed(record.steps):
        said += steps.undo(step, around)
    content.remove_empty(record.made)
    manifest.save(around.data, record.before)
    tidy(record.before, around)
    journal.clear(around.data)
    return tuple(said)


def tidy(current: Manifest, around: Surroundings) -> None:
    """Remove staged folders and the backups that nothing needs. Not while a journal is open."""
    shutil.rmtree(steps.staging(around.data), ignore_errors=True)
    Backups(around.data).prune(current.originals())
