"""Decide what happens to each file, from what is wanted, what was recorded and what is on disk. No I/O."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from knowzcode_relay.fs import digest


class Kind(StrEnum):
    """What lies at a path. `OTHER`: mostly a folder. `BLOCKED`: one on the way to it is a link or a file."""

    FILE = "file"
    LINK = "link"
    OTHER = "other"
    BLOCKED = "blocked"


@dataclass(frozen=True)
class Print:
    """A file's fingerprint: the hash of its bytes (of a link's target) and its permission bits."""

    sha256: str
    mode: int
    kind: Kind = Kind.FILE

    @classmethod
    def of(cls, data: bytes, mode: int) -> "Print":
        """The fingerprint of a file that holds `data`."""
        return cls(digest(data), mode)

    def same_bytes(self, other: "Print") -> bool:
        return (self.sha256, self.kind) == (other.sha256, other.kind)


@dataclass(frozen=True)
class Recorded:
    """What we wrote at a path, and what of the user's was there before us."""

    written: Print
    original: Print | None = None


@dataclass(frozen=True)
class Options:
    """`replace`: take the place of edited, deleted and foreign files; what they held is kept elsewhere."""

    replace: bool = False


class State(StrEnum):
    NEW = "new"
    CURRENT = "current"
    STALE = "stale"
    EDITED = "edited"
    CONFLICT = "conflict"
    USER_DELETED = "user-deleted"
    FOREIGN = "foreign"
    REMOVED_UPSTREAM = "removed-upstream"


class Act(StrEnum):
    CREATE = "create"
    UPDATE = "update"
    REMOVE = "remove"
    RESTORE = "restore"  # put back what was there before us
    ADOPT = "adopt"  # the right bytes are there already
    KEEP = "keep"  # leave the user's file or absence, go on knowing it
    FORGET = "forget"  # nothing of ours is there any more
    REFUSE = "refuse"


class Save(StrEnum):
    """What becomes of the bytes that an action takes the place of."""

    NOTHING = "nothing"  # they are ours
    ORIGINAL = "original"  # given back at uninstall
    EDIT = "edit"  # kept in our data folder for the user


@dataclass(frozen=True)
class Action:
    """`disk` is what lies there now, `after` what will, None for nothing."""

    path: str
    state: State
    act: Act
    disk: Print | None = None
    after: Print | None = None
    save: Save = Save.NOTHING

    @property
    def changes(self) -> bool:
        """Whether the disk changes."""
        return self.act in (Act.CREATE, Act.UPDATE, Act.REMOVE, Act.RESTORE) and self.disk != self.after


def plan(
    wanted: Mapping[str, Print],
    recorded: Mapping[str, Recorded],
    on_disk: Mapping[str, Print],
    options: Options,
) -> tuple[Action, ...]:
    """One action per path, by path. Nothing wanted is an uninstall. Everything is relative to one base."""
    actions = [
        _wanted(path, want, recorded.get(path), on_disk.get(path), options) for path, want in wanted.items()
    ]
    actions += [
        _unwanted(path, known, on_disk.get(path), options)
        for path, known in recorded.items()
        if path not in wanted
    ]
    return tuple(sorted(actions, key=lambda action: action.path))


def _wanted(path: str, want: Print, known: Recorded | None, disk: Print | None, options: Options) -> Action:
    if known is None:
        return _unknown(path, want, disk, options)
    if disk is None:
        act = Act.CREATE if options.replace else Act.KEEP
        return Action(path, State.USER_DELETED, act, None, want if options.replace else None)
    if disk.same_bytes(known.written):
        state = State.CURRENT if want.same_bytes(known.written) else State.STALE
        return Action(path, state, Act.ADOPT if disk == want else Act.UPDATE, disk, want)
    if disk.same_bytes(want):
        return Action(path, State.STALE, Act.ADOPT if disk == want else Act.UPDATE, disk, want)
    state = State.EDITED if want.same_bytes(known.written) else State.CONFLICT
    if disk.kind in (Kind.OTHER, Kind.BLOCKED):
        return Action(path, state, Act.REFUSE, disk, disk)
    if options.replace:
        return Action(path, state, Act.UPDATE, disk, want, Save.EDIT)
    return Action(path, state, Act.KEEP, disk, disk)


def _unknown(path: str, want: Print, disk: Print | None, options: Options) -> Action:
    if disk is None:
        return Action(path, State.NEW, Act.CREATE, None, want)
    if options.replace and disk.kind in (Kind.FILE, Kind.LINK):
        return Action(path, State.FOREIGN, Act.UPDATE, disk, want, Save.ORIGINAL)
    return Action(path, State.FOREIGN, Act.REFUSE, disk, disk)


def _unwanted(path: str, known: Recorded, disk: Print | None, options: Options) -> Action:
    gone = State.REMOVED_UPSTREAM
    back = known.original
    if disk is None:
        return Action(path, gone, Act.RESTORE if back else Act.FORGET, None, back)
    if disk.kind in (Kind.OTHER, Kind.BLOCKED):
        return Action(path, gone, Act.KEEP, disk, disk)
    if disk.same_bytes(known.written):
        return Action(path, gone, Act.RESTORE if back else Act.REMOVE, disk, back)
    if back is not None and disk.same_bytes(back):
        return Action(path, gone, Act.FORGET, disk, disk)
    if back is not None or options.replace:
        return Action(path, gone, Act.RESTORE if back else Act.REMOVE, disk, back, Save.EDIT)
    return Action(path, gone, Act.KEEP, disk, disk)


def recorded_after(
    actions: tuple[Action, ...], wanted: Mapping[str, Print], recorded: Mapping[str, Recorded]
) -> dict[str, Recorded]:
    """What the manifest says once `actions` are done: always what we wrote, never what we found."""
    after: dict[str, Recorded] = {}
    for action in actions:
        path, before = action.path, recorded.get(action.path)
        if action.act is Act.KEEP and before is not None:
            after[path] = before
        elif action.act in (Act.CREATE, Act.UPDATE, Act.ADOPT) and path in wanted:
            original = action.disk if action.save is Save.ORIGINAL else before and before.original
            after[path] = Recorded(wanted[path], original)
    return after
