"""Do and undo one step of a change. Each is harmless when it is done or undone already."""

import shutil
from collections.abc import Mapping
from pathlib import Path

from knowzcode_relay.hosts import PACKAGES
from knowzcode_relay.hosts.base import Registration
from knowzcode_relay.hosts.surroundings import Surroundings
from knowzcode_relay.install import content
from knowzcode_relay.install.backup import Backups
from knowzcode_relay.install.exchange import exchange
from knowzcode_relay.install.journal import Register, Step, Swap, Write
from knowzcode_relay.install.scan import fingerprint, looks


def staging(data: Path) -> Path:
    """Where folders are built before they take the place of live ones; whatever lies there can go."""
    return data / "staging"


def do(step: Step, data: Mapping[str, bytes], around: Surroundings) -> None:
    """Carry a step out; `data` holds what to write, by hash."""
    if isinstance(step, Write):
        if step.after is None:
            content.remove(step.path)
        else:
            content.write(step.path, data[step.after.sha256], step.after, flush=False)
    elif isinstance(step, Swap):
        step.live.parent.mkdir(parents=True, exist_ok=True)
        if not (step.replaces and exchange(step.live, step.staged)):
            if step.replaces:
                step.live.rename(step.old)
            step.staged.rename(step.live)
    else:
        host, local = PACKAGES[step.site.platform], at(step, around)
        for token in step.displaced:
            host.displace(token, local)
        host.register(step.site, step.version, local)


def undo(step: Step, around: Surroundings) -> tuple[str, ...]:
    """Take a step back, whether it was done, half done or not begun; says what the user changed since."""
    if isinstance(step, Write):
        return _undo_write(step, around)
    if isinstance(step, Swap):
        return _undo_swap(step, around)
    host, local = PACKAGES[step.site.platform], at(step, around)
    if not step.was_registered and host.registration(step.site, local) is not Registration.NOT_NEEDED:
        host.unregister(step.site, local)
    for token in step.displaced:
        host.give_back(token, local)
    return ()


def at(step: Register, around: Surroundings) -> Surroundings:
    """The surroundings in which the step's client reads the settings that it was meant for."""
    return around.setting(PACKAGES[step.site.platform].VARIABLE, step.client)


def _undo_write(step: Write, around: Surroundings) -> tuple[str, ...]:
    content.remove_staged(step.path)
    now = fingerprint(step.path)
    if now == step.before:
        return ()
    ours = now is None if step.after is None else now is not None and now.same_bytes(step.after)
    if not ours:
        return (f"{step.path} was changed meanwhile and is left as it is.",)
    if step.before is None:
        content.remove(step.path)
    else:
        content.write(step.path, Backups(around.data).get(step.before), step.before)
    return ()


def _undo_swap(step: Swap, around: Surroundings) -> tuple[str, ...]:
    if step.replaces and step.staged.exists() and looks(step.staged) != step.files:
        said = _rescue(step, around)  # they were exchanged: the old folder lies where the new one was built
        if not exchange(step.live, step.staged):
            shutil.rmtree(step.live)
            step.staged.rename(step.live)
        return said
    said = ()
    if not step.staged.exists() and step.live.is_dir() and (step.old.exists() or not step.replaces):
        said = _rescue(step, around)
        shutil.rmtree(step.live)
    if step.old.exists() and not step.live.exists():
        step.old.rename(step.live)
    return said


def _rescue(step: Swap, around: Surroundings) -> tuple[str, ...]:
    """Keep what the user changed in the new folder before it goes."""
    backups, said = Backups(around.data), list[str]()
    for path in sorted(step.live.rglob("*")):
        look = fingerprint(path)
        name = path.relative_to(step.live).as_posix()
        if look is None or look.sha256 == "" or step.files.get(name) == look:
            continue
        kept = backups.keep(path, look, f"undone/{name}")
        said.append(f"{path} was changed meanwhile and is kept as {kept}.")
    return tuple(said)
